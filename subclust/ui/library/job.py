"""One import or harvest: how far it is, what can be done with it, and what came of it."""

import html
from collections.abc import Callable

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import JobQueue
from subclust.jobs.view import JobView, job_view
from subclust.text.ingest.import_record import read_account
from subclust.ui.components.error_words import error_words, way_out_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes, draw_read_only
from subclust.ui.first_served import let_others_first
from subclust.ui.i18n.language import _
from subclust.ui.library.job_words import (
    counts_words,
    job_title,
    library_of,
    progress_words,
    state_words,
    stopped_words,
)
from subclust.ui.library.report import draw_harvest_report, draw_import_report
from subclust.ui.library.shown import show_job, show_library
from subclust.ui.library.taken_back import draw_job_take_back
from subclust.ui.train.run_words import facts_words

_EVERY = 1.5
_LOG_LINES = 60


def draw_job(settings: Settings, view: JobView) -> None:
    """Draw a job: while it goes on its progress, and once it has ended what came of it."""
    if not view.has_ended:
        with st.container(key="library-live"):
            st.fragment(_draw_live, run_every=_EVERY)(settings, view.job.id)
        draw_read_only()
        return
    st.html(_heading(view))
    st.html(f"<p class='sc-facts-line'>{facts_words(view)}</p>")
    _draw_end(settings, view)
    try:
        if view.job.kind == "import":
            draw_import_report(view)
        elif view.job.kind == "harvest":
            draw_harvest_report(settings, view)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
    _draw_forget(settings, view)
    with st.expander(_("Log"), key=f"library-log-{view.job.id}"):
        st.code(
            view.log_tail(_LOG_LINES) or _("It has said nothing yet."),
            language=None,
            height=280,
            wrap_lines=True,
        )


def _draw_live(settings: Settings, id: str) -> None:
    let_others_first(settings)
    try:
        queue = job_queue(settings)
        view = job_view(queue.store, id, queue.launcher)
        wait = queue.estimate_wait(id) if view.state == "queued" else None
        counts = counts_words(settings, view)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    st.html(_heading(view))
    st.progress(view.progress.fraction, text=plain(progress_words(view, wait)))
    if counts:
        st.html(f"<p class='sc-said'>{html.escape(counts)}</p>")
    st.html(f"<p class='sc-facts-line'>{facts_words(view)}</p>")
    _draw_stop(settings, view)
    st.html(
        f"<p class='sc-note'>{html.escape(_('You can close this page; the work goes on.'))}</p>"
    )


@changes
def _draw_stop(settings: Settings, view: JobView) -> None:
    """Offer to pause or to cancel a job."""
    id, stopping = view.job.id, view.state == "cancelling"
    with st.container(horizontal=True):
        st.button(
            _("Pause"),
            key=f"library-pause-{id}",
            disabled=stopping,
            on_click=act,
            args=(settings, lambda queue: queue.cancel(id, pause=True)),
            help=_("What is stored stays; it goes on where it was when you say so"),
        )
        st.button(
            _("Cancel"),
            key=f"library-cancel-{id}",
            disabled=stopping and not view.job.paused,
            on_click=act,
            args=(settings, lambda queue: queue.cancel(id)),
            help=_("What is stored stays in the library"),
        )


def _draw_end(settings: Settings, view: JobView) -> None:
    """Say how it ended, and offer what can be done next."""
    id = view.job.id
    if view.state == "finished":
        with st.container(horizontal=True, vertical_alignment="center", key="library-next"):
            st.page_link(
                "pages/explore.py",
                label=_("Group this library"),
                query_params={"library": library_of(view)},
            )
            st.button(
                _("Look into the library"),
                key=f"library-to-{id}",
                on_click=show_library,
                args=(library_of(view),),
            )
            draw_job_take_back(settings, library_of(view), view)
        return
    account = read_account(view.folder) if view.job.kind == "import" else None
    if view.state == "failed":
        reason = view.job.error or _("It failed without a word; the log below may tell why.")
        st.html(f"<p class='sc-verdict sc-failed'>{html.escape(error_words(reason))}</p>")
        if way_out := way_out_words(reason, view.job.way_out):
            st.html(f"<p class='sc-said'>{html.escape(way_out)}</p>")
    else:
        st.html(f"<p class='sc-verdict'>{html.escape(stopped_words(view, account))}</p>")
    draw_read_only()
    _draw_ways_on(settings, view)


@changes
def _draw_ways_on(settings: Settings, view: JobView) -> None:
    """Offer to go on with a job that was broken off, or to take back what it brought."""
    id = view.job.id
    with st.container(horizontal=True, vertical_alignment="center", key="library-next"):
        st.button(
            _("Go on where it was"),
            key=f"library-resume-{id}",
            type="primary",
            on_click=act,
            args=(settings, lambda queue: queue.resume(id)),
            kwargs={"shown": id},
        )
        draw_job_take_back(settings, library_of(view), view)


@changes
def _draw_forget(settings: Settings, view: JobView) -> None:
    id = view.job.id
    st.button(
        _("Take it off this list"),
        key=f"library-forget-{id}",
        type="tertiary",
        on_click=act,
        args=(settings, lambda queue: queue.remove(id)),
        kwargs={"shown": ""},
        help=_("Its report and its log are deleted; what is in the library stays"),
    )


def act(settings: Settings, do: Callable[[JobQueue], object], *, shown: str | None = None) -> None:
    """Do something with the queue and start what may start; a refusal is told; for callbacks.

    Parameters
    ----------
    settings : Settings
    do : callable
        Given the queue.
    shown : str, optional
        Id of the job to look at afterwards.
    """
    try:
        queue = job_queue(settings)
        do(queue)
        queue.advance()
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    if shown is not None:
        show_job(shown)


def _heading(view: JobView) -> str:
    return (
        f"<h2 class='sc-run-title'>{html.escape(job_title(view))}"
        f"<span class='sc-state'>{html.escape(state_words(view))}</span></h2>"
    )
