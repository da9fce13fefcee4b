"""How a queued job is started: as a process of its own, or by Ray."""

import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from subclust.core.exceptions import SettingsError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.jobs.failure import RESUME, Failure, ended_by_system
from subclust.jobs.process import (
    end_process,
    host_name,
    killed_for_memory,
    n_cores,
    process_start,
)
from subclust.jobs.record import LOG_FILE, Job, is_alive
from subclust.jobs.store import JobStore

THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


class Launcher(Protocol):
    """Starts jobs and ends them.

    Attributes
    ----------
    backend : str
        As in `Job`.
    one_per_device : bool
        Whether the queue holds back all but one job of a device; else what is queued is started
        at once, and the backend has a queue of its own.
    """

    backend: str
    one_per_device: bool

    def start(self, job: Job, store: JobStore) -> Job:
        """Start a claimed job, and give it with what is known then of its process.

        Nothing is saved here. The job's worker registers itself, perhaps before this returns.

        Raises
        ------
        ClusterError
            If that may be tried again.
        SubclustError
            If it cannot be started.
        """
        ...

    def is_alive(self, job: Job) -> bool:
        """Return whether a started job still runs, or waits in the backend's own queue."""
        ...

    def cancel(self, job: Job, *, kill: bool = False) -> None:
        """End a job that did not heed its stop file: ask it to, or `kill` it."""
        ...

    def gone(self, job: Job, store: JobStore) -> Job:
        """Return a started job that is gone without a word as it shall be: lost, failed or queued.

        Nothing is saved here.

        Raises
        ------
        ClusterError
            If that cannot be known now.
        """
        ...


class LocalLauncher:
    """Starts a process in a session of its own, which outlives whoever started it.

    Parameters
    ----------
    settings : Settings
        With which the worker runs.
    """

    backend = "local"
    one_per_device = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def start(self, job: Job, store: JobStore) -> Job:
        """Start the worker; what it says goes to ``log.txt``."""
        folder = store.path(job.id)
        cwd = Path(job.cwd) if job.cwd and Path(job.cwd).is_dir() else Path.home()
        try:
            with (folder / LOG_FILE).open("ab") as log:
                process = subprocess.Popen(
                    self.command(job),
                    cwd=cwd,
                    env=self.environment(job),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise SettingsError(
                "The job {job} could not be started ({error}); free memory or disk space, and "
                "resume it.",
                job=job.id,
                error=error,
            ) from error
        # A child that died must not stay as if it were there.
        threading.Thread(target=process.wait, daemon=True).start()
        return replace(
            job,
            pid=process.pid,
            process_started=process_start(process.pid),
            host=host_name(),
            heartbeat=time.time(),
        )

    def command(self, job: Job) -> list[str]:
        """Return the worker's command line."""
        return [sys.executable, "-m", "subclust", *job.argv, "--job", job.id]

    def environment(self, job: Job) -> dict[str, str]:
        """Return the worker's environment: these settings, and all cores but one."""
        settings = self.settings
        # Matched against literals, so that mypy knows that the settings take it.
        match job.device:
            case "cpu" | "cuda" | "mps":
                settings = replace(settings, device=job.device)
        return worker_environment(settings)

    def is_alive(self, job: Job) -> bool:
        """Return whether the job's own process is there."""
        return is_alive(job)

    def cancel(self, job: Job, *, kill: bool = False) -> None:
        """Send SIGTERM, or SIGKILL, to the worker and its children."""
        if job.pid is not None and job.host in (None, host_name()) and is_alive(job):
            with suppress(OSError):
                end_process(job.pid, kill=kill)

    def gone(self, job: Job, store: JobStore) -> Job:
        """Return why the job was lost, as far as can be known; somebody has to resume it."""
        failure = _why_lost(job, killed_for_memory())
        return replace(
            job, error=failure.sentence, way_out=failure.way_out, changes=dict(failure.changes)
        )


def worker_environment(settings: Settings) -> dict[str, str]:
    """Return the environment of a process that computes in the background: all cores but one."""
    threads = str(max(1, n_cores() - 1))
    return {
        **settings.to_environment(),
        **dict.fromkeys(THREADS, threads),
        "PYTHONUNBUFFERED": "1",
    }


def _why_lost(job: Job, memory_kills: int | None) -> Failure:
    """Return why a job's process is gone without a word, as far as can be known."""
    before = job.memory_kills
    if before is not None and memory_kills is not None and memory_kills > before:
        return ended_by_system(job)
    return Failure(
        N_("The job's process is gone: it was killed, or the computer was switched off."), RESUME
    )
