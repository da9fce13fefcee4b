"""Which libraries, models and labelled sets are being worked on, and by what."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from subclust.core.exceptions import InputError, InUseError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.core.storage import StoragePath
from subclust.jobs import Job, JobStore, is_alive, job_state
from subclust.jobs.store import WITH_SETTINGS, option
from subclust.labelled.sets.record import SET_PREFIX, set_reference
from subclust.text.ingest.harvest import HarvestState
from subclust.text.library.folder import library_names
from subclust.text.library.imports import is_locked, read_imports
from subclust.text.library.names import library_id, name_of
from subclust.text.library.versions import building_lock

Kind = Literal["library", "model", "set"]

GOING_ON = ("queued", "running", "cancelling")
"""States of jobs that use something."""

_NEEDED: dict[Kind, str] = {
    "library": N_(
        "The library {name!r} is needed by jobs that wait or run ({jobs}); wait until they are "
        "done, or cancel them first."
    ),
    "model": N_(
        "The model {name} is needed by jobs that wait or run ({jobs}); wait until they are "
        "done, or cancel them first."
    ),
    "set": N_(
        "The labelled set {name} is needed by jobs that wait or run ({jobs}); wait until they "
        "are done, or cancel them first."
    ),
}


@dataclass(frozen=True)
class Use:
    """One thing that is being worked on.

    Parameters
    ----------
    kind : {"library", "model", "set"}
    name : str
        Of a model ``METHOD/NAME``.
    job : str
        Id of the job that uses it; empty where a command in a terminal does.
    version : int or None
        Of a set; None where the newest is taken.
    """

    kind: Kind
    name: str
    job: str = ""
    version: int | None = None


def uses(settings: Settings) -> list[Use]:
    """List what is being worked on, by jobs that wait or run and by commands in terminals.

    Parameters
    ----------
    settings : Settings
        Its folders of jobs, libraries and harvests are looked at.
    """
    jobs = [
        job
        for job in JobStore(settings.jobs_dir).jobs()
        if job_state(job, is_alive(job)) in GOING_ON
    ]
    found = [use for job in jobs for use in _of_job(job, settings)]
    by_jobs = {use.name for use in found if use.kind == "library"}
    for name in _in_terminals(settings):
        if name not in by_jobs:  # whose jobs hold the same locks
            found.append(Use("library", name))
    return found


def who_uses(settings: Settings, kind: Kind, name: str, version: int | None = None) -> list[Use]:
    """List who works on a library, a model or a labelled set.

    Parameters
    ----------
    kind : {"library", "model", "set"}
    name : str
        Of a model ``METHOD/NAME``.
    version : int, optional
        Of a set; whoever takes the newest uses each of them, and by default all count.
    """
    return [
        use
        for use in uses(settings)
        if (use.kind, use.name) == (kind, name)
        and (version is None or use.version in (None, version))
    ]


def check_unused(
    settings: Settings, kind: Kind, name: str, version: int | None = None, *, job: str = ""
) -> None:
    """Refuse to remove, rename or replace what is being worked on.

    Parameters
    ----------
    settings, kind, name, version
        As for `who_uses`.
    job : str
        Id of the job that asks, if one does.

    Raises
    ------
    InUseError
        If anything works on it.
    """
    found = [use for use in who_uses(settings, kind, name, version) if not job or use.job != job]
    if not found:
        return
    called = name_of(settings.library_dir, name) if kind == "library" else name
    if not found[0].job:
        raise InUseError(
            "A command in a terminal is using the library {name!r}; wait until it has "
            "finished, or stop it first.",
            name=called,
        )
    jobs = ", ".join(dict.fromkeys(use.job for use in found))
    raise InUseError(_NEEDED[kind], name=called, jobs=jobs)


def models_needed(settings: Settings) -> dict[str, str]:
    """Return, for each model as ``METHOD/NAME`` that a job needs, the job in words."""
    return {use.name: f"the job {use.job}" for use in uses(settings) if use.kind == "model"}


def _of_job(job: Job, settings: Settings) -> Iterator[Use]:
    if job.argv[:1] == ("library",):  # it is embedded anew, or its duplicates are merged
        yield Use("library", job.title, job.id)
    elif library := option(job.argv, "--library"):
        yield Use("library", library_id(settings.library_dir, library), job.id)
    if job.argv[:1] and job.argv[0] in WITH_SETTINGS and len(job.argv) > 1:
        method = job.title.partition("/")[0] if "/" in job.title else job.argv[1]
        if base := option(job.argv, "--base"):
            yield Use("model", base if "/" in base else f"{method}/{base}", job.id)
        name = option(job.argv, "--name")
        if name and job.argv[0] == "train":  # it will be saved under this name
            yield Use("model", f"{method}/{name}", job.id)
    for word in job.argv:
        # Commands are typed as "--data set:NAME"; the API writes "--data=set:NAME".
        given = word.rpartition("=")[2] if word.startswith("--") else word
        if given.startswith(SET_PREFIX):
            try:
                name, version = set_reference(given)
            except InputError:  # of a job that will say so itself
                continue
            yield Use("set", name, job.id, version)


def _in_terminals(settings: Settings) -> Iterator[str]:
    folder = settings.library_dir
    if isinstance(folder, StoragePath):
        return
    for name in library_names(folder):
        at_work = any(one.is_running for one in read_imports(folder, name))
        if at_work or is_locked(building_lock(folder, name)):
            yield name
    for state in HarvestState.all(settings.harvests_dir):
        if not state.finished and is_locked(settings.harvests_dir / f"{state.name}.lock"):
            yield state.library
