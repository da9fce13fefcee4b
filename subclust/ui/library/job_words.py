"""What an import, a harvest or a new encoding of a library is doing, in words."""

from collections.abc import Sequence
from typing import Any

from subclust.core.exceptions import LiveSourceError
from subclust.core.settings import Settings
from subclust.figures import in_words
from subclust.jobs.view import JobView
from subclust.jobs.words import option
from subclust.text.ingest.harvest_state import HarvestState
from subclust.text.ingest.import_record import ImportAccount
from subclust.text.sources.live import LIVE
from subclust.ui.components.resources import library_name
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.library.live_words import label_of
from subclust.ui.train import run_words as train_run_words
from subclust.ui.train.run_words import STATES

KINDS = ("import", "harvest", "reembed")
"""Of the jobs that this page shows."""

PHASES = {
    "reading": N_("Reading {file}"),
    "encoding": N_("Reading and preparing {file}"),
    "storing": N_("Storing passages of {file}"),
    "comparing": N_("Looking for near-duplicates in {file}"),
    "preparing": N_("Everything is in the library; preparing the first search"),
}
"""Of each phase of an import, the words for it."""


def library_of(view: JobView) -> str:
    """Name the library that a job writes to."""
    if view.job.kind == "reembed":
        return view.job.title
    return option(view.job.argv, "--library") or view.job.title.partition("/")[0]


def job_title(view: JobView) -> str:
    """Name a job for people."""
    library, argv = library_name(library_of(view)), view.job.argv
    if view.job.kind == "reembed":
        if argv[1:2] == ("rollback",):
            return _("{library}: back to the language model before").format(library=library)
        return _("{library}: preparing it anew").format(library=library)
    if view.job.kind == "harvest":
        source = argv[1] if len(argv) > 1 else ""
        label = label_of(LIVE[source]) if source in LIVE else source
        return _("{what} into {library}").format(what=label, library=library)
    what = view.job.title.partition("/")[2] or view.job.title
    return _("{what} into {library}").format(what=what, library=library)


def state_words(view: JobView) -> str:
    """Say in a few words how a job stands."""
    word = _(STATES[view.state])
    if view.state == "cancelling" and view.job.paused:
        return _("pausing")
    if view.state == "queued" and view.position is not None:
        return _("{state}, place {place} in the queue").format(state=word, place=view.position)
    if view.state == "running" and view.progress.total:
        return f"{word}, {view.progress.fraction:.0%}"
    return word


def listed_words(view: JobView, chosen: str) -> str:
    """Say in a line of the list how a job stands, since when, and whether it is the one shown."""
    facts = [_("shown here")] if view.job.id == chosen else []
    facts.append(state_words(view))
    if view.job.finished is not None and view.has_ended:
        facts.append(moment(view.job.finished))
    return " · ".join(facts)


def progress_words(view: JobView, wait: float | None = None) -> str:
    """Return what a job does now and how long it still takes.

    Parameters
    ----------
    view : JobView
    wait : float, optional
        Seconds until a waiting one begins.
    """
    if view.state == "queued":
        if wait is None:
            return _("Waiting for its turn: another job is using this machine")
        return _(
            "Waiting for its turn: another job is using this machine; it begins in about {time}"
        ).format(time=in_words(round(wait) or 1))
    if view.state == "cancelling":
        return _("Stopping: what is stored stays in the library")
    last = view.progress.last
    said = _begins(view, last)
    if view.progress.total and view.progress.step is not None:
        told = _("{stage}: {step} of about {total}").format(
            stage=said, step=number(view.progress.step), total=number(view.progress.total)
        )
        if view.progress.eta:
            told += _(", about {time} to go").format(time=in_words(round(view.progress.eta) or 1))
        return told
    if view.progress.step:
        return _("{stage}: {step} so far").format(stage=said, step=number(view.progress.step))
    return said


def counts_words(settings: Settings, view: JobView) -> str:
    """Return how much was read, encoded and stored until now."""
    last = view.progress.last
    if view.job.kind == "import" and "n_documents" in last:
        parts = [
            _n("{count} document read", "{count} documents read", last["n_documents"]),
            _n("{count} passage stored", "{count} passages stored", last["n_stored"]),
        ]
        parts += rest_words(last["n_unchanged"], last["n_refused"])
        return " · ".join(parts)
    if view.job.kind == "harvest":
        state = harvest_of(settings, view)
        if state is not None:
            parts = [
                _n("{count} page fetched", "{count} pages fetched", state.n_pages),
                _n("{count} passage stored", "{count} passages stored", state.n_imported),
            ]
            return " · ".join(parts + rest_words(state.n_unchanged, state.n_refused))
    return ""


def rest_words(n_unchanged: int, n_refused: int) -> list[str]:
    """Return what was not imported, where there is any."""
    parts = []
    if n_unchanged:
        parts.append(_n("{count} there already", "{count} there already", n_unchanged))
    if n_refused:
        parts.append(_n("{count} refused", "{count} refused", n_refused))
    return parts


def report_line(n_read: int, n_imported: int, n_unchanged: int, n_refused: int) -> str:
    """Say "n read, m imported, k refused"."""
    parts = [
        _n("{count} read", "{count} read", n_read),
        _n("{count} imported", "{count} imported", n_imported),
    ]
    if n_unchanged:
        parts.append(_n("{count} there already", "{count} there already", n_unchanged))
    parts.append(_n("{count} refused", "{count} refused", n_refused))
    return ", ".join(parts)


def account_line(account: ImportAccount) -> str:
    """Return what became of all files of an import that were read to their end."""
    names = ("n_read", "n_imported", "n_unchanged", "n_refused")
    return report_line(*(account.total(name) for name in names))


def stopped_words(view: JobView, account: ImportAccount | None) -> str:
    """Say of a job that has ended before its end what stays, and what can be done."""
    stays = ""
    if account is not None:
        stays = _n(
            "{count} passage is in the library and stays there.",
            "{count} passages are in the library and stay there.",
            account.n_stored,
        )
    match view.state:
        case "paused":
            said = _("It is paused and goes on when you say so.")
        case "cancelled":
            said = _("It was cancelled.")
        case _:
            said = _(
                "It was interrupted: its process is gone and left no word. It can go on where it "
                "was, and nothing comes into the library twice."
            )
    return f"{said} {stays}".strip()


def harvest_of(settings: Settings, view: JobView) -> HarvestState | None:
    """Read how far a harvest has come; None where nothing is known."""
    try:
        return HarvestState.load(settings.harvests_dir, view.job.title)
    except LiveSourceError:  # it begins anew when it goes on
        return None


def listed(views: Sequence[JobView]) -> list[JobView]:
    """Return this page's jobs: those running, those waiting, then the ended, newest first."""
    return train_run_words.listed([view for view in views if view.job.kind in KINDS])


def _begins(view: JobView, last: dict[str, Any]) -> str:
    if view.job.kind == "harvest":
        return _("Fetching and storing records")
    if view.job.kind == "reembed":
        return _("Preparing passages")
    phase = str(last.get("phase", ""))
    if phase not in PHASES:
        return _("Getting ready")
    return _(PHASES[phase]).format(file=last.get("file", ""))
