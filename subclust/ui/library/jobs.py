"""The imports, harvests and new encodings of this machine: their list, and one of them."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs.view import JobView, job_views
from subclust.text.ingest.harvest_state import HarvestState
from subclust.ui.components.damaged import draw_damaged, draw_damaged_jobs
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.first_served import let_others_first
from subclust.ui.i18n.language import _, _n, number
from subclust.ui.library.job import draw_job
from subclust.ui.library.job_words import job_title, listed, listed_words
from subclust.ui.library.shown import IMPORT, show_job, show_view, shown_job

_ENDED_SHOWN = 8
_EVERY, _EVERY_AT_REST = 2.0, 6.0
_SEEN = "library-job-states"
_ALL = "library-all-jobs"


def current_views(settings: Settings) -> list[JobView]:
    """Start what may start, and view the jobs of this page, in the order they are listed."""
    queue = job_queue(settings)
    queue.advance()
    return listed(job_views(queue.store, queue.launcher))


def draw_jobs(settings: Settings) -> None:
    """Draw the list beside the chosen job; both keep up with what happens."""
    draw_damaged_jobs(settings)
    draw_damaged(HarvestState.damaged(settings.harvests_dir))
    views = current_views(settings)
    if not views:
        st.info(_("Nothing has been imported on this page yet."))
        st.button(
            _("Add documents"), key="library-first-import", on_click=show_view, args=(IMPORT,)
        )
        return
    chosen = next((view for view in views if view.job.id == shown_job()), views[0])
    st.session_state[_SEEN] = _states(views, chosen)
    active = any(not view.has_ended for view in views)
    left, right = st.columns([4, 9], gap="large")
    with left, st.container(key="library-jobs"):
        st.fragment(_draw_list, run_every=_EVERY if active else _EVERY_AT_REST)(
            settings, chosen.job.id
        )
    with right:
        draw_job(settings, chosen)


def draw_strip(settings: Settings) -> None:
    """Say on the other views what goes on, with the way to it; nothing where nothing does."""
    active = any(not view.has_ended for view in current_views(settings))
    with st.container(key="library-strip"):
        every = _EVERY if active else _EVERY_AT_REST
        st.fragment(_draw_strip, run_every=every)(settings)


def _draw_strip(settings: Settings) -> None:
    let_others_first(settings)
    try:
        views = [view for view in current_views(settings) if not view.has_ended]
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    before = st.session_state.get("library-strip-of")
    now = tuple(view.job.id for view in views)
    st.session_state["library-strip-of"] = now
    if before is not None and set(before) - set(now):
        st.rerun()  # what has ended has changed a library
    if not views:
        return
    told = _n("{count} job is at work: ", "{count} jobs are at work: ", len(views))
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.text(f"{told}{job_title(views[0])} ({listed_words(views[0], '')})", width="content")
        st.button(
            _("Look at it"), key="library-strip-look", on_click=show_job, args=(views[0].job.id,)
        )


def _draw_list(settings: Settings, chosen: str) -> None:
    let_others_first(settings)
    try:
        views = current_views(settings)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    here = next((view for view in views if view.job.id == chosen), None)
    if here is None or _states(views, here) != st.session_state.get(_SEEN):
        st.rerun()  # The page around this list shows what is not so any more.
    ended = [view for view in views if view.has_ended][:_ENDED_SHOWN]
    shown = [
        view
        for view in views
        if st.session_state.get(_ALL)
        or not view.has_ended
        or view in ended
        or view.job.id == chosen
    ]
    st.html(f"<h2 class='sc-headline'>{_('Imports')}</h2>")
    for view in shown:
        with st.container(border=True, gap="xsmall", key=f"run-card-{view.job.id}"):
            if st.button(
                job_title(view),
                key=f"run-open-{view.job.id}",
                type="tertiary",
                on_click=show_job,
                args=(view.job.id,),
                help=_("Look at this one") if view.job.id != chosen else None,
            ):
                st.rerun()
            st.html(f"<p class='sc-facts-line'>{listed_words(view, chosen)}</p>")
    if len(shown) < len(views):
        st.button(
            _("Show all {count}").format(count=number(len(views))),
            key="library-show-all",
            on_click=lambda: st.session_state.update({_ALL: True}),
        )


def _states(views: list[JobView], chosen: JobView) -> tuple[object, ...]:
    """Return what the page around the list depends on."""
    return (any(not view.has_ended for view in views), chosen.job.id, chosen.state)
