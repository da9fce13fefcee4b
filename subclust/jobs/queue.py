"""The queue of background jobs: one at a time per device, oldest first, each started once.

A job that has brought its result and only prepares what may be needed later holds its device no
longer.
"""

import os
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from subclust.core.access import acting, may_change
from subclust.core.exceptions import ClusterError, DamagedJobError, InputError, SubclustError
from subclust.core.limits import may_use
from subclust.core.quotas import check_trainings, quota
from subclust.jobs.duty import has_worker
from subclust.jobs.launch import Launcher
from subclust.jobs.record import (
    ENDED,
    STOP_FILE,
    Job,
    JobState,
    is_claimed,
    job_state,
    read_progress,
)
from subclust.jobs.store import (
    WITH_SETTINGS,
    JobStore,
    count_of,
    library_of,
    missing_job,
    unique_id,
    with_settings,
)
from subclust.jobs.turns import positions, waiting_jobs

TERM_AFTER = 3.5
KILL_AFTER = 4.5
"""Seconds after a cancel that the worker does not heed; it ends by itself after two."""
_SAVING_SECONDS = 60.0


class JobQueue:
    """Submits jobs, starts those whose turn it is, and ends them.

    A job is claimed under the store's lock before it is started, and the worker registers itself
    under the same lock; so nothing is started twice, whoever calls `advance` and wherever a caller
    is killed: a claim that no process follows is void after a while.

    Methods raise an `InputError` where the state of a job does not allow what is asked.

    Parameters
    ----------
    is_worker : bool
        Whether this process is the one that is `on_duty`.
    """

    def __init__(self, store: JobStore, launcher: Launcher, *, is_worker: bool = False) -> None:
        self.store = store
        self.launcher = launcher
        self.is_worker = is_worker

    def submit(
        self,
        argv: Sequence[str],
        *,
        kind: str = "train",
        title: str,
        device: str,
        data: Mapping[str, Any] | None = None,
        parent: str | None = None,
        cwd: str | None = None,
    ) -> Job:
        """Queue a command; `advance` starts it.

        Parameters
        ----------
        argv : sequence of str
            Words after ``python -m subclust``.
        kind, title, device, data, parent
            As in `Job`.
        cwd : str, optional
            Folder from which file names among the words are read; by default this process's.
        """
        person = acting()
        with self.store.locked():
            jobs = self.store.jobs()
            self._refuse_taken(jobs, kind, title)
            if kind in WITH_SETTINGS:
                mine = [
                    job for job in jobs if job.kind in WITH_SETTINGS and job.owner == person.name
                ]
                check_trainings(sum(self.state(job) not in ENDED for job in mine))
            wanted = title if kind == "train" else f"{kind}-{title}"
            job = Job(
                unique_id(wanted, lambda id: self.store.path(id).exists()),
                # The job runs these words; with --queue it would only queue itself again.
                tuple(word for word in argv if word != "--queue"),
                created=time.time(),
                kind=kind,
                title=title,
                device=device,
                queued_at=_last(jobs),
                parent=parent,
                data=data,
                cwd=cwd or os.getcwd(),
                gpus=count_of(argv, "--gpus"),
                cpus=count_of(argv, "--cpus"),
                owner=person.name,
                teams=person.teams,
                most_passages=quota().passages,
            )
            self.store.save(job)
        return job

    def _refuse_taken(self, jobs: Iterable[Job], kind: str, title: str) -> None:
        for job in jobs:
            if (job.kind, job.title) != (kind, title):
                continue
            told = {"title": title, "job": job.id}
            if self.state(job) not in ENDED:
                raise InputError(
                    "A job for {title} is already waiting or running ({job}); choose "
                    "another name, or cancel that job.",
                    **told,
                )
            if kind == "train" and job.is_unfinished:
                raise InputError(
                    "The training of {title} is unfinished ({job}); resume or remove it, or "
                    "choose another name.",
                    **told,
                )

    def advance(self) -> list[Job]:
        """Start what may start, end what did not heed a cancel, and say why a job was lost.

        Whoever calls: the app, the server's waiting parent, every command, a job that ends. Where
        a worker is on duty, only that one starts anything.

        Returns
        -------
        list of Job
            Those that this call started.
        """
        if not may_change("job"):  # the server's waiting parent does it
            return []
        if not self.is_worker and has_worker(self.store.folder):
            return []
        self._tidy()
        started = []
        while (job := self._claim()) is not None:
            started.append(self._start(job))
        return started

    def cancel(self, id: str, *, pause: bool = False) -> Job:
        """Ask a job to stop; one that waits is cancelled at once.

        The worker reads it each half second, saves its state if it comes to the end of a step, and
        ends after two seconds in any case; `advance` ends one that does not.

        Parameters
        ----------
        pause : bool
            Whether it is to go on later: it stops in the same way, and is called paused.
        """
        self._check_seen(id)
        now = time.time()

        def ask(job: Job) -> Job:
            match self.state(job):
                case "queued" | "lost":
                    ended = replace(job, outcome="cancelled", finished=now, cancel_asked=now)
                    return replace(ended, paused=pause)
                case "running":
                    return replace(job, cancel_asked=now, paused=pause)
                case "cancelling" | "paused":
                    return replace(job, paused=job.paused and pause)
            raise InputError("The job {job} is not running, so there is nothing to cancel.", job=id)

        job = self.store.update(id, ask)
        if job.outcome is None:
            # The training loop reads no record; after each step it looks for this file.
            (self.store.path(id) / STOP_FILE).touch()
        elif job.backend_id is not None:  # a cluster may be about to begin it
            self.launcher.cancel(job, kill=True)
        return job

    def resume(self, id: str) -> Job:
        """Queue an ended job again; it goes on from its last saved state."""
        self._check_seen(id)

        def again(job: Job) -> Job:
            match self.state(job):
                case "running" | "cancelling":
                    raise InputError("The job {job} is already running.", job=id)
                case "queued":
                    raise InputError("The job {job} is already in the queue.", job=id)
                case "finished":
                    raise InputError(
                        "The job {job} is finished; clone it to train with other settings.", job=id
                    )
            return replace(job.queued_again(_last(self.store.jobs())), restarts=0)

        job = self.store.update(id, again)
        (self.store.path(id) / STOP_FILE).unlink(missing_ok=True)
        return job

    def clone(self, id: str, settings: Mapping[str, str], name: str) -> Job:
        """Queue the same command under another name, with some settings replaced.

        Parameters
        ----------
        settings : mapping of str to str
            As for ``--set``, such as ``{"epochs": "2"}``.
        """
        self._check_seen(id)
        job = self.store.load(id)
        argv = with_settings(job.argv, settings, name)
        return self.submit(
            argv,
            kind=job.kind,
            title=f"{argv[1]}/{name}",
            device=job.device or "cpu",
            data=job.data,
            parent=job.id,
            cwd=job.cwd,
        )

    def remove(self, id: str) -> None:
        """Forget a job that has ended, or whose record is damaged, with its log and its state."""
        with suppress(DamagedJobError):
            self._check_seen(id)
            if self.state(self.store.load(id)) not in ENDED:
                raise InputError("The job {job} has not ended; cancel it first.", job=id)
        self.store.remove(id)

    def _check_seen(self, id: str) -> None:
        """Refuse a job of a library that who acts may not know of, as one that is not there."""
        if not may_use(library_of(self.store.load(id))):
            raise missing_job(id, self.store.jobs())

    def state(self, job: Job) -> JobState:
        """Return the state of a job."""
        return job_state(job, self.launcher.is_alive(job))

    def waiting(self) -> list[Job]:
        """List the jobs that wait, those first whose turn comes first."""
        return waiting_jobs(self.store.jobs())

    def position(self, id: str) -> int | None:
        """Return a waiting job's place in the queue of its device, from 1; else None."""
        return positions(self.waiting()).get(id)

    def estimate_wait(self, id: str) -> float | None:
        """Estimate after how many seconds a waiting job begins.

        Running jobs tell how long they need; those before it are taken to need as long as finished
        ones of their kind did. None where it does not wait, or neither is known.
        """
        jobs = self.store.jobs()
        waiting = {job.id: job for job in waiting_jobs(jobs)}
        if id not in waiting:
            return None
        device = waiting[id].device
        total = 0.0
        for job in jobs:
            if job.device == device and self._holds_device(job):
                eta = read_progress(self.store.path(job.id), job).eta
                if eta is None:
                    return None
                total += eta
        for job in waiting.values():
            if job.id == id:
                break
            if job.device == device:
                took = [
                    other.finished - other.started
                    for other in jobs
                    if other.kind == job.kind and other.outcome == "finished"
                    if other.finished is not None and other.started is not None
                ]
                if not took:
                    return None
                total += statistics.median(took)
        return total

    def _holds_device(self, job: Job) -> bool:
        return job.stage != "preparing" and self.state(job) in ("running", "cancelling")

    def _claim(self) -> Job | None:
        """Claim the next job whose device is free."""
        # Looked at without the lock first: all pages and commands call this, mostly for nothing.
        if not waiting_jobs(self.store.jobs()):
            return None
        with self.store.locked():
            jobs, now = self.store.jobs(), time.time()
            waiting = waiting_jobs(jobs)
            claimed = {job.id for job in waiting if is_claimed(job, now)}
            busy: set[str | None] = set()
            if self.launcher.one_per_device:
                busy = {job.device for job in waiting if job.id in claimed} | {
                    job.device for job in jobs if self._holds_device(job)
                }
            for job in waiting:
                if job.id in claimed or job.device in busy:
                    continue
                job = replace(
                    job, claimed=now, attempts=job.attempts + 1, backend=self.launcher.backend
                )
                self.store.save(job)
                return job
        return None

    def _start(self, claimed: Job) -> Job:
        try:
            started = self.launcher.start(claimed, self.store)
        except ClusterError as error:
            told = error.sentence  # the claim is void after a while, and then it is tried again

            def later(now: Job) -> Job:
                # Meanwhile the claim may have expired and the job been claimed by somebody else,
                # or the worker may have registered.
                mine = now.claimed == claimed.claimed and now.pid is None
                return replace(now, error=told) if mine else now

            return self.store.update(claimed.id, later)
        except SubclustError as error:
            sentence = error.sentence

            def fail(now: Job) -> Job:
                if now.claimed != claimed.claimed or now.pid is not None or now.outcome:
                    return now
                return replace(now, outcome="failed", finished=time.time(), error=sentence)

            return self.store.update(claimed.id, fail)

        def note(now: Job) -> Job:
            if now.claimed != claimed.claimed:
                return now
            now = replace(
                now,
                backend_id=started.backend_id,
                device=started.device,
                gpus=started.gpus,
                cpus=started.cpus,
            )
            if now.pid is not None:  # the worker has registered itself, and may even have ended
                return now
            return replace(
                now,
                pid=started.pid,
                process_started=started.process_started,
                host=started.host,
                heartbeat=started.heartbeat,
                error=None,
            )

        return self.store.update(claimed.id, note)

    def _tidy(self) -> None:
        for job in self.store.jobs():
            if job.outcome is not None or (job.pid is None and job.backend_id is None):
                continue
            alive = self.launcher.is_alive(job)
            if alive and job.cancel_asked is not None:
                asked = time.time() - job.cancel_asked
                # A result that is being saved is let be, unless that never ends.
                if asked > (_SAVING_SECONDS if job.stage == "saving" else TERM_AFTER):
                    self.launcher.cancel(job, kill=asked > KILL_AFTER)
            # A lost job with an error has been dealt with before.
            elif not alive and (job.error is None or job.cancel_asked is not None):
                self._bury(job)

    def _bury(self, job: Job) -> None:
        def bury(now: Job) -> Job:
            # Checked again under the lock: the worker may have ended or restarted meanwhile.
            if (now.pid, now.backend_id) != (job.pid, job.backend_id) or now.outcome is not None:
                return now
            if self.launcher.is_alive(now):
                return now
            if now.cancel_asked is not None:
                return replace(now, outcome="cancelled", finished=time.time())
            return self.launcher.gone(now, self.store)

        with suppress(ClusterError):  # it may answer next time
            self.store.update(job.id, bury)


def _last(jobs: Sequence[Job]) -> float:
    """Return a time for a new job that is later than all others', whatever the clock."""
    return max([time.time(), *(job.queued_at + 1e-3 for job in jobs if job.queued_at is not None)])
