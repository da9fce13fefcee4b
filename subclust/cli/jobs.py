"""``python -m subclust jobs``, and how other commands become jobs."""

import argparse
import json
import shlex
import sys
import time
from datetime import datetime
from typing import Any

from subclust.checkpoints import CheckpointStore, checked
from subclust.cli.printing import progress_bar, said, show, tell
from subclust.core.exceptions import InputError
from subclust.core.messages import N_, Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.jobs import (
    ENDED,
    PROGRESS_FILE,
    Job,
    JobQueue,
    JobStore,
    JobView,
    Stage,
    job_queue,
    job_view,
    job_views,
)
from subclust.jobs.record import JobState

WAIT_SECONDS = 0.5

_ACTIONS = {
    "list": "all training runs and searches, and their state",
    "show": "one run, with its progress and curves",
    "cancel": "ask a run to save its state and stop; one that waits is taken from the queue",
    "pause": "the same, for a run that is to go on later with 'resume'",
    "resume": "queue a run again that was stopped, failed or lost; it goes on from its state",
    "clone": "queue the same run under another name, with other settings",
    "remove": "forget a run that has ended, with its log and its saved state",
    "log": "the last lines of what a run said",
    "wait": "wait until a run has ended; the exit status is 0 if it finished",
}


_STATES: dict[JobState, str] = {
    "queued": N_("queued"),
    "running": N_("running"),
    "cancelling": N_("cancelling"),
    "paused": N_("paused"),
    "finished": N_("finished"),
    "failed": N_("failed"),
    "cancelled": N_("cancelled"),
    "lost": N_("lost"),
}

_FACTS = {
    "title": N_("Title"),
    "argv": N_("Command"),
    "parent": N_("Cloned from"),
    "device": N_("Device"),
    "host": N_("Machine"),
    "pid": N_("Process"),
    "memory_mb": N_("Memory in MB"),
    "created": N_("Created"),
    "started": N_("Started"),
    "finished": N_("Ended"),
    "error": N_("Error"),
    "way_out": N_("What may help"),
}
"""Of the fields of a job that `jobs show` prints: what people call them."""

_STAGES: dict[Stage, str] = {
    "waiting": N_("waiting"),
    "reading": N_("reading"),
    "encoding": N_("encoding"),
    "training": N_("training"),
    "judging": N_("judging"),
    "saving": N_("saving"),
    "preparing": N_("preparing the first search"),
}


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``jobs``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help_text in _ACTIONS.items():
        action = actions.add_parser(name, help=help_text)
        if name != "list":
            action.add_argument("id")
        if name == "resume":
            action.add_argument(
                "--here", action="store_true", help="in this terminal, without the queue"
            )
        if name == "clone":
            action.add_argument("--name", required=True, help="of the new checkpoint")
            action.add_argument(
                "--set",
                action="append",
                default=[],
                metavar="KEY=VALUE",
                help="replace one value, such as batch_passages=32; may be given several times",
            )
        if name == "log":
            action.add_argument("--lines", type=int, default=40, metavar="N", help="by default 40")
        if name == "wait":
            action.add_argument(
                "--timeout", type=float, metavar="SECONDS", help="by default for ever"
            )
        action.add_argument("--json", action="store_true", help="print one object")


def run_jobs(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says; whatever it is, start the jobs whose turn it is.

    Raises
    ------
    SubclustError
        If there is no such job, or it is not in a state for that.
    """
    queue = job_queue(settings)
    store = queue.store
    queue.advance()
    match arguments.action:
        case "list":
            views, damaged = job_views(store, queue.launcher), store.damaged()
            jobs = [view.to_dict() for view in views]
            value = {"jobs": jobs, "damaged": [one.to_dict() for one in damaged]}
            lines = [*map(_line, views), *map(str, damaged)]
            show(arguments, value, *(lines or [Message("No jobs yet.")]))
            return
        case "cancel":
            job = queue.cancel(arguments.id)
        case "pause":
            job = queue.cancel(arguments.id, pause=True)
        case "resume" if arguments.here:
            job = store.load(arguments.id)
            _resume_here(queue, job)
        case "resume":
            job = queue.resume(arguments.id)
        case "clone":
            job = _clone(arguments, queue, settings)
        case "remove":
            queue.remove(arguments.id)
            show(arguments, {"removed": arguments.id}, Message("Removed."))
            return
        case "log":
            said = job_view(store, arguments.id, queue.launcher).log_tail(arguments.lines)
            show(arguments, {"id": arguments.id, "log": said}, said)
            return
        case "wait":
            job = _wait(queue, arguments.id, arguments.timeout)
        case _:
            job = store.load(arguments.id)
    queue.advance()
    view = job_view(store, job.id, queue.launcher)
    show(arguments, view.to_dict(curves=arguments.action == "show"), *_facts(view))
    if arguments.action == "wait" and queue.state(job) != "finished":
        if job.error:
            raise InputError(job.error)
        state = Message(_STATES[queue.state(job)])
        raise InputError("The job {job} was {state}.", job=job.id, state=state)


def submit(
    arguments: argparse.Namespace, settings: Settings, **job: Any
) -> tuple[dict[str, Any], str]:
    """Have a command done in the background.

    Parameters
    ----------
    arguments : Namespace
    settings : Settings
    **job : Any
        As `JobQueue.submit` takes it; by default the words are those that were typed, with the
        library's id, which no renaming moves.

    Returns
    -------
    dict and str
        What `show` prints: the job's id and its place in the queue.
    """
    queue = job_queue(settings)
    words = job.pop("argv", None) or _words_by_id(arguments)
    words = [word for word in words if word != "--json"]
    made = queue.submit(words, device=settings.resolve_device(), **job)
    queue.advance()
    if (trouble := queue.store.load(made.id).error) is not None:
        tell(trouble)
    return {"job": made.id, "position": queue.position(made.id)}, made.id


def progress_of(arguments: argparse.Namespace, settings: Settings, what: str) -> Progress:
    """Draw the progress, or write it to the record of the job that this process does."""
    if arguments.job is None:
        return progress_bar(what)
    file = JobStore(settings.jobs_dir).path(arguments.job) / PROGRESS_FILE
    first: list[tuple[int, float]] = []

    def write(done: int, total: int | None) -> None:
        # The rate counts from the first report: an earlier run may have done what came before.
        first.append((done, time.monotonic()))
        del first[1:]
        new, seconds = done - first[0][0], time.monotonic() - first[0][1]
        eta = None if not new or total is None else seconds / new * (total - done)
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"step": done, "total": total, "eta": eta}) + "\n")

    return write


def _words_by_id(arguments: argparse.Namespace) -> list[str]:
    words = list(arguments.words)
    for number, word in enumerate(words):
        if word == "--library" and number + 1 < len(words):
            words[number + 1] = arguments.library
        elif word.startswith("--library="):
            words[number] = f"--library={arguments.library}"
    return words


def _clone(arguments: argparse.Namespace, queue: JobQueue, settings: Settings) -> Job:
    changes = {}
    for setting in arguments.set:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise InputError("--set needs key=value, but got {setting!r}.", setting=setting)
        changes[key.strip()] = value
    job, name = queue.store.load(arguments.id), checked(arguments.name)
    method = job.argv[1] if job.kind == "train" and len(job.argv) > 1 else None
    if method is not None and name in CheckpointStore.of(settings).names(method):
        raise InputError(
            "{method} already has a checkpoint named {name}; choose another name with --name.",
            method=method,
            name=name,
        )
    return queue.clone(job.id, changes, name)


def _wait(queue: JobQueue, id: str, timeout: float | None) -> Job:
    began = time.monotonic()
    while queue.state(job := queue.store.load(id)) not in ENDED:
        if timeout is not None and time.monotonic() - began > timeout:
            raise InputError(
                "The job {id} has not ended after {timeout:g} seconds; wait longer.",
                id=id,
                timeout=timeout,
            )
        time.sleep(WAIT_SECONDS)
        # Nobody else may be there to start the job, or those before it.
        queue.advance()
    return job


def _resume_here(queue: JobQueue, job: Job) -> None:
    if queue.state(job) in ("running", "cancelling"):
        raise InputError("The job {job} is already running.", job=job.id)
    from subclust.cli import main

    words = [word for word in job.argv if word != "--resume"]
    if main(words if words[:1] == ["tune"] else [*words, "--resume"]) != 0:  # tune always resumes
        sys.exit(1)


def _facts(view: JobView) -> list[str]:
    """Return what a person wants to know of a job; ``--json`` has every field."""
    values = view.to_dict() | {"argv": shlex.join(view.job.argv)}
    for name in ("created", "started", "finished"):
        if values[name] is not None:
            values[name] = datetime.fromtimestamp(values[name]).isoformat(" ", "seconds")
    known = {name: values[name] for name in _FACTS if values[name]}
    return [
        _line(view),
        *(f"{said(_FACTS[name])}: {said(str(one))}" for name, one in known.items()),
    ]


def _line(view: JobView) -> str:
    last: dict[str, Any] = view.progress.last
    step: str = ""
    if view.position is not None:
        step = Message("place {position} in the queue", position=view.position)
    else:
        if "step" in last and "total" in last:
            step = Message("step {step} of {total}", step=last["step"], total=last["total"])
        if view.state in ("running", "cancelling") and view.progress.stage != "training":
            step = Message("{stage}  {step}", stage=said(_STAGES[view.progress.stage]), step=step)
    return f"{view.job.id:40} {said(_STATES[view.state]):10} {said(step)}".rstrip()
