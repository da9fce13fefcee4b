"""The imports, harvests and other jobs of libraries: their list, and the open one."""

import streamlit as st

from subclust.core.exceptions import LiveSourceError, SubclustError
from subclust.core.settings import Settings
from subclust.jobs import job_queue
from subclust.jobs.store import option
from subclust.jobs.view import JobView, job_view
from subclust.text.ingest.harvest import HarvestState
from subclust.text.ingest.import_record import read_account
from subclust.ui import state
from subclust.ui.components.data_folder import (
    changes,
    draw_damaged,
    draw_damaged_jobs,
    draw_read_only,
)
from subclust.ui.components.markup import draw_verdict
from subclust.ui.components.resources import library_name
from subclust.ui.components.words import duration, error_words, plain, way_out_words
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.jobs import (
    EVERY,
    JobList,
    change_queue,
    current_views,
    draw_forget,
    draw_heading,
    draw_log,
    every,
    facts_words,
    listed_words,
    waiting_words,
)
from subclust.ui.library.records import draw_harvest_report, draw_import_report, rest_words
from subclust.ui.library.shown import (
    IMPORT,
    draw_group_link,
    opened_job,
    show_job,
    show_library,
    show_view,
)
from subclust.ui.library.sources import live_label
from subclust.ui.library.upkeep import draw_undo_job
from subclust.ui.starting import let_others_first

_OF_LIBRARIES = ("reembed", "merge")
KINDS = ("import", "harvest", *_OF_LIBRARIES)
"""Of the jobs that this page shows."""

PHASES = {
    "reading": N_("Reading {file}"),
    "encoding": N_("Reading and encoding {file}"),
    "storing": N_("Storing passages of {file}"),
    "comparing": N_("Looking for near-duplicates in {file}"),
    "preparing": N_("Everything is imported and can be searched; preparing the first search"),
}
"""Of an import."""


def draw_jobs(settings: Settings) -> None:
    """Draw the list beside the open job; both follow what happens."""
    draw_damaged_jobs(settings)
    draw_damaged(HarvestState.damaged(settings.harvests_dir), "job")
    jobs = JobList("library", KINDS, N_("Imports"), _job_title, opened_job, show_job)
    if not jobs.draw(settings, _draw_job):
        st.info(_("No imports yet. Add documents, and follow their import here."))
        st.button(
            _("Add documents"), key="library-first-import", on_click=show_view, args=(IMPORT,)
        )


def draw_strip(settings: Settings) -> None:
    """Draw on the other views which jobs run, with the way to them."""
    with st.container(key="library-strip"):
        run_every = every(current_views(settings, KINDS))
        st.fragment(_draw_strip, run_every=run_every)(settings)


def _draw_strip(settings: Settings) -> None:
    let_others_first()
    try:
        views = [view for view in current_views(settings, KINDS) if not view.has_ended]
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    before = st.session_state.get(state.LIBRARY_RUNNING, ())
    now = st.session_state[state.LIBRARY_RUNNING] = tuple(view.job.id for view in views)
    if set(before) - set(now):
        st.rerun()  # a job that ended changed a library
    if not views:
        return
    told = _n("{count} job is running: ", "{count} jobs are running: ", len(views))
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.text(f"{told}{_job_title(views[0])} ({listed_words(views[0], '')})", width="content")
        st.button(
            _("Show the job"), key="library-strip-look", on_click=show_job, args=(views[0].job.id,)
        )


def _draw_job(settings: Settings, view: JobView) -> None:
    """Draw a job: its progress while it runs, its result once it has ended."""
    if not view.has_ended:
        with st.container(key="library-live"):
            st.fragment(_draw_live, run_every=EVERY)(settings, view.job.id)
        draw_read_only("job")
        return
    draw_heading(view, _job_title(view))
    st.caption(plain(facts_words(view)))
    _draw_end(settings, view)
    try:
        if view.job.kind == "import":
            draw_import_report(settings, view)
        elif view.job.kind == "harvest":
            draw_harvest_report(view, _harvest_of(settings, view))
    except SubclustError as error:
        st.warning(plain(error_words(error)))
    deleted = _("Deletes its report and its log; what is in the library stays")
    draw_forget(settings, view, "library", deleted, show_job)
    draw_log(view)


def _draw_live(settings: Settings, id: str) -> None:
    let_others_first()
    try:
        queue = job_queue(settings)
        view = job_view(queue.store, id, queue.launcher)
        wait = queue.estimate_wait(id) if view.state == "queued" else None
        counts = _counts(settings, view)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    draw_heading(view, _job_title(view))
    st.progress(view.progress.fraction, text=plain(_progress_words(view, wait)))
    if counts:
        st.markdown(plain(" · ".join(counts)))
    st.caption(plain(facts_words(view)))
    if view.job.stage == "preparing":
        draw_group_link(_library_of(view))
    _draw_stop(settings, view)
    st.caption(_("You can close this page; the work continues."))


@changes("job")
def _draw_stop(settings: Settings, view: JobView) -> None:
    id, stopping = view.job.id, view.state == "cancelling"
    with st.container(horizontal=True):
        st.button(
            _("Pause"),
            key=f"library-pause-{id}",
            disabled=stopping,
            on_click=change_queue,
            args=(settings, lambda queue: queue.cancel(id, pause=True)),
            help=_("What is stored stays; you can resume the job later"),
        )
        st.button(
            _("Cancel"),
            key=f"library-cancel-{id}",
            disabled=stopping and not view.job.paused,
            on_click=change_queue,
            args=(settings, lambda queue: queue.cancel(id)),
            help=_("What is stored stays in the library"),
        )


def _draw_end(settings: Settings, view: JobView) -> None:
    """Draw how a job ended, and what can be done next."""
    library = _library_of(view)
    if view.state == "finished":
        with st.container(horizontal=True, vertical_alignment="center", key="library-next"):
            draw_group_link(library)
            st.button(
                _("Open the library"),
                key=f"library-to-{view.job.id}",
                on_click=show_library,
                args=(library,),
            )
            draw_undo_job(settings, library, view)
        return
    if view.state == "failed":
        reason = view.job.error or _("It failed without an error message. See the log below.")
        draw_verdict(error_words(reason), "sc-failed")
        if way_out := way_out_words(reason, view.job.way_out):
            st.markdown(plain(way_out))
    else:
        draw_verdict(_stopped_words(view))
    draw_read_only("job")
    _draw_resume(settings, view)


@changes("job")
def _draw_resume(settings: Settings, view: JobView) -> None:
    id = view.job.id
    with st.container(horizontal=True, vertical_alignment="center", key="library-next"):
        st.button(
            _("Resume"),
            key=f"library-resume-{id}",
            type="primary",
            on_click=change_queue,
            args=(settings, lambda queue: queue.resume(id), lambda: show_job(id)),
        )
        draw_undo_job(settings, _library_of(view), view)


def _library_of(view: JobView) -> str:
    """Return the library that a job writes to."""
    if view.job.kind in _OF_LIBRARIES:
        return view.job.title
    return option(view.job.argv, "--library") or view.job.title.partition("/")[0]


def _job_title(view: JobView) -> str:
    """Return what a job is called."""
    library, argv = library_name(_library_of(view)), view.job.argv
    if view.job.kind == "reembed":
        if argv[1:2] == ("rollback",):
            return _("{library}: going back to the previous encoder").format(library=library)
        return _("{library}: recomputing the embeddings").format(library=library)
    if view.job.kind == "merge":
        return _("{library}: merging duplicates").format(library=library)
    if view.job.kind == "harvest":
        what = live_label(argv[1] if len(argv) > 1 else "")
    else:
        what = view.job.title.partition("/")[2] or view.job.title
    return _("{what} into {library}").format(what=what, library=library)


def _progress_words(view: JobView, wait: float | None) -> str:
    """Return what a job does now and how long it still takes."""
    if view.state == "queued":
        return waiting_words(view, wait)
    if view.state == "cancelling":
        return _("Stopping: what is stored stays in the library")
    progress = view.progress
    stage = _stage(view)
    if progress.total and progress.step is not None:
        told = _("{stage}: {step} of about {total}").format(
            stage=stage, step=number(progress.step), total=number(progress.total)
        )
        if progress.eta:
            told += _(", about {time} left").format(time=duration(round(progress.eta) or 1))
        return told
    if progress.step:
        return _("{stage}: {step} so far").format(stage=stage, step=number(progress.step))
    return stage


def _stage(view: JobView) -> str:
    if view.job.kind == "harvest":
        return _("Fetching and storing records")
    if view.job.kind == "reembed":
        return _("Computing embeddings")
    if view.job.kind == "merge":
        return _("Merging duplicates")
    phase = PHASES.get(str(view.progress.last.get("phase", "")))
    return _(phase).format(file=view.progress.last.get("file", "")) if phase else _("Starting")


def _counts(settings: Settings, view: JobView) -> list[str]:
    """Return how much was read and stored until now."""
    last = view.progress.last
    if view.job.kind == "import" and "n_documents" in last:
        return [
            _n("{count} document read", "{count} documents read", last["n_documents"]),
            _n("{count} passage stored", "{count} passages stored", last["n_stored"]),
            *rest_words(last["n_unchanged"], last["n_refused"]),
        ]
    state = _harvest_of(settings, view) if view.job.kind == "harvest" else None
    if state is None:
        return []
    return [
        _n("{count} page fetched", "{count} pages fetched", state.n_pages),
        _n("{count} record stored", "{count} records stored", state.n_imported),
        *rest_words(state.n_unchanged, state.n_refused),
    ]


def _stopped_words(view: JobView) -> str:
    """Return how a job ended early, and what stays."""
    told = {
        "paused": _("It is paused. You can resume it."),
        "cancelled": _("It was cancelled."),
    }.get(
        view.state,
        _(
            "It was interrupted: its process ended without a message. You can resume it, and "
            "nothing is imported twice."
        ),
    )
    account = read_account(view.folder) if view.job.kind == "import" else None
    if account is None:
        return told
    stays = _n(
        "{count} passage is in the library and stays there.",
        "{count} passages are in the library and stay there.",
        account.n_stored,
    )
    return f"{told} {stays}"


def _harvest_of(settings: Settings, view: JobView) -> HarvestState | None:
    """Read the state of a harvest; None where it has none, and starts from the beginning."""
    try:
        return HarvestState.load(settings.harvests_dir, view.job.title)
    except LiveSourceError:
        return None
