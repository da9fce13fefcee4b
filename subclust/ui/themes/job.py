"""How far a search for themes is, in the background."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs.view import JobView, job_views
from subclust.themes import ThemeStore
from subclust.themes.request import KIND
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes
from subclust.ui.components.themes_state import Shown
from subclust.ui.first_served import let_others_first
from subclust.ui.i18n.language import _, number
from subclust.ui.themes.words import STAGES

_EVERY = 1.5


def draw_job(settings: Settings, shown: Shown) -> None:
    """Draw the progress; the themes are drawn as soon as they are there."""
    with st.container(key="themes-progress"):
        st.fragment(_draw_live, run_every=_EVERY)(settings, shown)


def _draw_live(settings: Settings, shown: Shown) -> None:
    let_others_first(settings)
    if ThemeStore(settings.themes_dir).find(shown.key) is not None:
        st.rerun()
    try:
        queue = job_queue(settings)
        queue.advance()
        views = job_views(queue.store, queue.launcher)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    view = next((one for one in reversed(views) if _is_of(one, shown.key)), None)
    if view is None:
        st.info(
            _("The themes of this address are not there; find them again with the button above.")
        )
        return
    if view.has_ended:
        reason = view.job.error or _("It was stopped.")
        st.warning(_("The themes were not found. {reason}").format(reason=plain(reason)))
        return
    stage = _(STAGES.get(view.job.stage, STAGES["reading"]))
    st.progress(_share(view), text=f"{stage} …{_time_left(view)}")
    st.html(
        f"<p class='sc-note'>{_('You can close this page; the themes are kept.')}</p>",
    )
    _draw_stop(settings, view)


@changes
def _draw_stop(settings: Settings, view: JobView) -> None:
    st.button(
        _("Stop"),
        key="themes-stop",
        disabled=view.state == "cancelling",
        on_click=_cancel,
        args=(settings, view.job.id),
    )


def _is_of(view: JobView, key: str) -> bool:
    return view.job.kind == KIND and view.job.title.endswith(f"/{key}")


def _share(view: JobView) -> float:
    """Return the share that is done: learning is most of it."""
    begun = {"waiting": 0.0, "reading": 0.02, "encoding": 0.08, "saving": 0.9}
    if view.job.stage != "training":
        return begun.get(view.job.stage, 0.0)
    total = view.progress.total or 1
    return 0.2 + 0.7 * min(1.0, (view.progress.step or 0) / total)


def _time_left(view: JobView) -> str:
    eta = view.progress.eta
    if view.job.stage != "training" or eta is None:
        return ""
    minutes = max(1, round(eta / 60))
    return " " + _("about {minutes} min to go").format(minutes=number(minutes))


def _cancel(settings: Settings, id: str) -> None:
    try:
        job_queue(settings).cancel(id)
    except SubclustError as error:
        st.toast(error_words(error))
