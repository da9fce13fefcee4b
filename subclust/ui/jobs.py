"""Background jobs as the pages show them: started, listed beside the open one, and in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import JobQueue, job_queue
from subclust.jobs.view import JobView, job_views
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.words import duration, error_words, moment, plain
from subclust.ui.i18n.language import N_, _, number
from subclust.ui.starting import let_others_first

STATES = {
    "queued": N_("waiting"),
    "running": N_("running"),
    "cancelling": N_("stopping"),
    "finished": N_("finished"),
    "failed": N_("failed"),
    "cancelled": N_("stopped"),
    "paused": N_("paused"),
    "lost": N_("interrupted"),
}
EVERY = 1.5
"""Seconds after which a running job is drawn again."""

AFTER_TRAINING = ("judging", "saving")
"""Stages in which the steps of a training are all done."""

_SILENT = 20.0
"""Seconds without a heartbeat after which a job may be stuck."""

_ENDED_SHOWN = 8
_LOG_LINES = 60
_EVERY_ACTIVE, _EVERY_AT_REST = 2.0, 6.0


def change_queue(
    settings: Settings,
    change: Callable[[JobQueue], object],
    then: Callable[[], object] | None = None,
) -> None:
    """Change the queue and start what can start; for callbacks.

    Parameters
    ----------
    settings : Settings
    change : callable
        Called with the queue; an error is shown as a toast.
    then : callable, optional
        Called if there was no error.
    """
    try:
        # There is no daemon: whoever looks at the queue also starts the jobs whose turn it is.
        queue = job_queue(settings)
        change(queue)
        queue.advance()
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    if then is not None:
        then()


def current_views(settings: Settings, kinds: Sequence[str]) -> list[JobView]:
    """Start what can start; return the jobs of these kinds: running, waiting, ended, newest first.

    Raises
    ------
    SubclustError
        If the jobs cannot be read.
    """
    queue = job_queue(settings)
    queue.advance()
    views = job_views(queue.store, queue.launcher)
    return sorted((view for view in views if view.job.kind in kinds), key=_place)


@dataclass(frozen=True)
class JobList:
    """The jobs of a page, listed beside the open one.

    Parameters
    ----------
    page : str
        Start of the names of its widgets.
    kinds : tuple of str
    heading : str
        Template of the heading above the list.
    title : callable
        Returns what a job is called.
    opened : callable
        Returns the id of the job that the visitor opened.
    open : callable
        Opens a job; for callbacks.
    """

    page: str
    kinds: tuple[str, ...]
    heading: str
    title: Callable[[JobView], str]
    opened: Callable[[], str]
    open: Callable[[str], None]

    def draw(self, settings: Settings, draw_job: Callable[[Settings, JobView], None]) -> bool:
        """Draw the list and the open job; both follow what happens. Return False without jobs."""
        views = current_views(settings, self.kinds)
        if not views:
            return False
        opened = next((view for view in views if view.job.id == self.opened()), views[0])
        st.session_state[f"{state.JOB_STATES}{self.page}"] = _states(views, opened)
        left, right = st.columns([4, 9], gap="large")
        with left, st.container(key=f"{self.page}-list"):
            # Not a decorator, because the interval depends on whether any job is active.
            st.fragment(self._draw_list, run_every=every(views))(settings, opened.job.id)
        with right:
            draw_job(settings, opened)
        return True

    def _draw_list(self, settings: Settings, opened: str) -> None:
        let_others_first()
        try:
            views = current_views(settings, self.kinds)
        except SubclustError as error:
            st.warning(plain(error_words(error)))
            return
        here = next((view for view in views if view.job.id == opened), None)
        if here is None or _states(views, here) != st.session_state.get(
            f"{state.JOB_STATES}{self.page}"
        ):
            st.rerun()  # the page around this list shows an earlier state
        show_all = f"{state.ALL_JOBS}{self.page}"
        ended = [view for view in views if view.has_ended]
        hidden = [] if st.session_state.get(show_all) else ended[_ENDED_SHOWN:]
        left_out = {view.job.id for view in hidden} - {opened}
        shown = [view for view in views if view.job.id not in left_out]
        st.header(_(self.heading), anchor=False)
        for view in shown:
            with st.container(border=True, gap="xsmall", key=f"run-card-{view.job.id}"):
                # A click in a fragment redraws it alone, but the open job beside it changes, too.
                if st.button(
                    plain(self.title(view)),
                    key=f"run-open-{view.job.id}",
                    type="tertiary",
                    on_click=self.open,
                    args=(view.job.id,),
                    help=None if view is here else _("Show this one"),
                ):
                    st.rerun()
                st.caption(plain(listed_words(view, opened)))
        if len(shown) < len(views):
            st.button(
                _("Show all {count}").format(count=number(len(views))),
                key=f"{self.page}-show-all",
                on_click=lambda: st.session_state.update({show_all: True}),
            )


def every(views: Sequence[JobView]) -> float:
    """Return after how many seconds a list of jobs is drawn again."""
    return _EVERY_AT_REST if all(view.has_ended for view in views) else _EVERY_ACTIVE


def draw_log(view: JobView) -> None:
    """Draw the end of a job's log."""
    with st.expander(_("Log"), key=f"job-log-{view.job.id}"):
        st.code(
            view.log_tail(_LOG_LINES) or _("No output yet."),
            language=None,
            height=280,
            wrap_lines=True,
        )


@changes("job")
def draw_forget(
    settings: Settings, view: JobView, page: str, deleted: str, show: Callable[[str], None]
) -> None:
    """Draw the button that takes an ended job off its list.

    Parameters
    ----------
    settings : Settings
    view : JobView
    page : str
        Start of the name of the button.
    deleted : str
        What goes and what stays; shown as help.
    show : callable
        Opens a job; called with "" once this one is gone.
    """
    id = view.job.id
    st.button(
        _("Remove from this list"),
        key=f"{page}-forget-{id}",
        type="tertiary",
        on_click=change_queue,
        args=(settings, lambda queue: queue.remove(id), lambda: show("")),
        help=deleted,
    )


def draw_heading(view: JobView, title: str) -> None:
    """Draw a job's title with its state beside it."""
    st.header(f"{plain(title)} :gray-badge[{plain(_state_words(view))}]", anchor=False)


def _state_words(view: JobView) -> str:
    """Return the state of a job in a few words."""
    word = _(STATES[view.state])
    if why_not_started(view):
        return _("{state}, cannot start yet").format(state=word)
    if view.state == "cancelling" and view.job.paused:
        return _("pausing")
    if view.state == "queued" and view.position is not None:
        return _("{state}, place {place} in the queue").format(state=word, place=view.position)
    progress = view.progress
    if view.state == "running" and progress.total and progress.stage not in AFTER_TRAINING:
        return f"{word}, {progress.fraction:.0%}"
    return word


def listed_words(view: JobView, opened: str) -> str:
    """Return the state of a job, since when, and whether it is the open one."""
    facts = [_("shown here")] if view.job.id == opened else []
    facts.append(_state_words(view))
    if view.job.finished is not None and view.has_ended:
        facts.append(moment(view.job.finished))
    return " · ".join(facts)


def waiting_words(view: JobView, wait: float | None) -> str:
    """Return why a queued job waits, and for how many seconds more where that is known."""
    if why_not_started(view):
        return _("Can't start yet. Retrying automatically.")
    if wait is None:
        return _("Waiting: another job is using this machine")
    return _("Waiting: another job is using this machine; it starts in about {time}").format(
        time=duration(round(wait) or 1)
    )


def why_not_started(view: JobView) -> str | None:
    """Return why a waiting job cannot start, None where it only waits."""
    return view.job.error if view.state == "queued" else None


def facts_words(view: JobView) -> str:
    """Return where a job computes, its memory, its last heartbeat and its times."""
    facts = []
    if view.device:
        told = _("on the processor") if view.device == "cpu" else _("on {device}")
        facts.append(told.format(device=view.device))
    if view.memory_mb is not None:
        facts.append(_("{count} MB of memory").format(count=number(view.memory_mb)))
    if view.heartbeat_age is not None:
        age = view.heartbeat_age
        facts.append(_("last heartbeat {count} s ago").format(count=number(age)))
        if age > _SILENT:
            facts.append(_("it may be stuck, or the machine is very busy"))
    if view.job.started is not None and not view.has_ended:
        facts.append(_("started {time}").format(time=moment(view.job.started)))
    if view.job.finished is not None and view.has_ended:
        facts.append(_("ended {time}").format(time=moment(view.job.finished)))
        if view.job.started is not None:
            took = duration(max(1, round(view.job.finished - view.job.started)))
            facts.append(_("took {time}").format(time=took))
    return " · ".join(facts)


def _place(view: JobView) -> tuple[int, float]:
    """Return the sort key of a job in a list."""
    rank = {"running": 0, "cancelling": 0, "queued": 1}.get(view.state, 2)
    if rank == 1:
        return rank, float(view.position or 0)
    return rank, -(view.job.finished or view.job.created or 0.0)


def _states(views: Sequence[JobView], opened: JobView) -> tuple[object, ...]:
    """Return what the page around a list depends on."""
    return (any(not view.has_ended for view in views), opened.job.id, opened.state)
