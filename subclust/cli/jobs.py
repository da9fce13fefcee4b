"""``python -m subclust jobs``."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from subclust.exceptions import InputError
from subclust.jobs import Job, JobStore, is_alive, job_state
from subclust.settings import Settings
from subclust.training.trainer import PROGRESS_FILE, STOP_FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``jobs``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help_text in (
        ("list", "all training runs and searches, and their state"),
        ("show", "one run, with its last progress"),
        ("cancel", "ask a run to save its state and stop"),
        ("resume", "go on with a run that was stopped or lost"),
    ):
        action = actions.add_parser(name, help=help_text)
        if name != "list":
            action.add_argument("id")
        action.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List, show, cancel or resume."""
    store = JobStore(settings.jobs_dir)
    if arguments.action == "list":
        rows = [_facts(store, job) for job in store.jobs()]
        if arguments.json:
            print(json.dumps({"jobs": rows}))
        for row in [] if arguments.json else rows:
            print(f"{row['id']:40} {row['state']:10} {_progress(row)}")
        return
    job = store.load(arguments.id)
    if arguments.action == "cancel":
        if job_state(job, is_alive(job)) != "running":
            raise InputError(f"The job {job.id} is not running, so there is nothing to cancel.")
        (store.path(job.id) / STOP_FILE).touch()
    elif arguments.action == "resume":
        _resume(job)
    row = _facts(store, store.load(job.id)) if store.path(job.id).exists() else {"id": job.id}
    print(json.dumps(row) if arguments.json else "\n".join(f"{k}: {v}" for k, v in row.items()))


def _resume(job: Job) -> None:
    if is_alive(job) and job.outcome is None:
        raise InputError(f"The job {job.id} is running already.")
    from subclust.cli import main

    words = [word for word in job.argv if word != "--resume"]
    if main(words if words[:1] == ["tune"] else [*words, "--resume"]) != 0:  # tune always resumes
        sys.exit(1)


def _facts(store: JobStore, job: Job) -> dict[str, Any]:
    path = store.path(job.id) / PROGRESS_FILE
    last: dict[str, Any] = {}
    if path.is_file():
        for line in reversed(path.read_text(encoding="utf-8").splitlines()):
            try:
                last = json.loads(line)
                break
            except ValueError:  # the line being written when the process was killed
                continue
    return {**asdict(job), "state": job_state(job, is_alive(job)), "progress": last}


def _progress(row: dict[str, Any]) -> str:
    last = row["progress"]
    return f"step {last['step']} of {last['total']}" if last else ""
