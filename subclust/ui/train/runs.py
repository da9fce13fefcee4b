"""The training runs of this machine: their list, and the one that is looked at."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs.view import JobView, job_views
from subclust.ui.components.damaged import draw_damaged_jobs
from subclust.ui.components.error_words import error_words
from subclust.ui.components.queue import job_queue
from subclust.ui.first_served import let_others_first
from subclust.ui.i18n.language import _, number
from subclust.ui.train.run import draw_run
from subclust.ui.train.run_words import listed, listed_words, run_title
from subclust.ui.train.shown import show_run, shown_run

KINDS = ("train", "tune", "bench-convergence")
"""Of the jobs that this page shows; imports and harvests have theirs, and so have themes."""

_ENDED_SHOWN = 8
_SEEN = "train-run-states"
_ALL = "train-all-runs"


def current_views(settings: Settings) -> list[JobView]:
    """Start what may start, and view all runs, in the order they are listed."""
    queue = job_queue(settings)
    queue.advance()
    views = job_views(queue.store, queue.launcher)
    return listed([view for view in views if view.job.kind in KINDS])


def draw_runs(settings: Settings) -> None:
    """Draw the list beside the chosen run; both keep up with what happens."""
    draw_damaged_jobs(settings)
    views = current_views(settings)
    if not views:
        st.info(_("No training has been started on this machine yet. Begin with a new training."))
        return
    chosen = next((view for view in views if view.job.id == shown_run()), views[0])
    st.session_state[_SEEN] = _states(views, chosen)
    active = any(not view.has_ended for view in views)
    left, right = st.columns([4, 9], gap="large")
    with left, st.container(key="train-list"):
        st.fragment(_draw_list, run_every=3.0 if active else 6.0)(settings, chosen.job.id)
    with right:
        draw_run(settings, chosen)


def _draw_list(settings: Settings, chosen: str) -> None:
    let_others_first(settings)
    try:
        views = current_views(settings)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    here = next((view for view in views if view.job.id == chosen), None)
    if here is None or _states(views, here) != st.session_state.get(_SEEN):
        st.rerun()  # The page around this list shows what is not so any more.
    ended = [view for view in views if view.has_ended]
    shown = (
        views
        if st.session_state.get(_ALL)
        else [
            view
            for view in views
            if not view.has_ended or view in ended[:_ENDED_SHOWN] or view.job.id == chosen
        ]
    )
    st.html(f"<h2 class='sc-headline'>{_('Trainings')}</h2>")
    for view in shown:
        with st.container(border=True, gap="xsmall", key=f"run-card-{view.job.id}"):
            if st.button(
                run_title(view),
                key=f"run-open-{view.job.id}",
                type="tertiary",
                on_click=show_run,
                args=(view.job.id,),
                help=_("Look at this one") if view.job.id != chosen else None,
            ):
                st.rerun()
            st.html(f"<p class='sc-facts-line'>{listed_words(view, chosen)}</p>")
    if len(shown) < len(views):
        st.button(
            _("Show all {count}").format(count=number(len(views))),
            key="train-show-all",
            on_click=lambda: st.session_state.update({_ALL: True}),
        )


def _states(views: list[JobView], chosen: JobView) -> tuple[object, ...]:
    """Return what the page around the list depends on."""
    return (any(not view.has_ended for view in views), chosen.job.id, chosen.state)
