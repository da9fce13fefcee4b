"""``python -m subclust jobs``."""

import argparse
import json
import sys
import time
from typing import Any

from subclust.checkpoints import CheckpointStore, checked
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.jobs import (
    ENDED,
    Job,
    JobQueue,
    JobStore,
    JobView,
    job_view,
    job_views,
    launcher_of,
)

WAIT_SECONDS = 0.5

ACTIONS = {
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``jobs``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help_text in ACTIONS.items():
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


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says; whatever it is, start the jobs whose turn it is.

    Raises
    ------
    SubclustError
        If there is no such job, or it is not in a state for that.
    """
    store = JobStore(settings.jobs_dir)
    queue = JobQueue(store, launcher_of(settings))
    queue.advance()
    match arguments.action:
        case "list":
            _list(arguments, queue)
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
            print(json.dumps({"removed": arguments.id}) if arguments.json else "Removed.")
            return
        case "log":
            _log(arguments, job_view(store, arguments.id, queue.launcher))
            return
        case "wait":
            job = _wait(queue, arguments.id, arguments.timeout)
        case _:
            job = store.load(arguments.id)
    queue.advance()
    _show(arguments, job_view(store, job.id, queue.launcher))
    if arguments.action == "wait" and queue.state(job) != "finished":
        if job.error:
            raise InputError(job.error)
        raise InputError("The job {job} was {state}.", job=job.id, state=queue.state(job))


def _list(arguments: argparse.Namespace, queue: JobQueue) -> None:
    views, damaged = job_views(queue.store, queue.launcher), queue.store.damaged()
    if arguments.json:
        jobs = [view.to_dict() for view in views]
        print(json.dumps({"jobs": jobs, "damaged": [one.to_dict() for one in damaged]}))
        return
    for view in views:
        print(f"{view.job.id:40} {view.state:10} {_how_far(view)}".rstrip())
    print(*damaged, sep="\n", end="\n" if damaged else "")


def _show(arguments: argparse.Namespace, view: JobView) -> None:
    if arguments.json:
        print(json.dumps(view.to_dict(curves=arguments.action == "show")))
        return
    print("\n".join(f"{key}: {value}" for key, value in view.to_dict().items()))


def _log(arguments: argparse.Namespace, view: JobView) -> None:
    said = view.log_tail(arguments.lines)
    print(json.dumps({"id": view.job.id, "log": said}) if arguments.json else said)


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
        queue.advance()
    return job


def _resume_here(queue: JobQueue, job: Job) -> None:
    if queue.state(job) in ("running", "cancelling"):
        raise InputError("The job {job} is running already.", job=job.id)
    from subclust.cli import main

    words = [word for word in job.argv if word != "--resume"]
    if main(words if words[:1] == ["tune"] else [*words, "--resume"]) != 0:  # tune always resumes
        sys.exit(1)


def _how_far(view: JobView) -> str:
    last: dict[str, Any] = view.progress.last
    told = f"step {last['step']} of {last['total']}" if "step" in last and "total" in last else ""
    if view.position is not None:
        return f"place {view.position} in the queue"
    if view.state in ("running", "cancelling") and view.progress.stage != "training":
        return f"{view.progress.stage}  {told}"
    return told
