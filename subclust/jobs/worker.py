"""A process at work on a job: registered, giving signs of life, and heeding a cancel."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from subclust.core.exceptions import InputError, SubclustError, TrainingError, TrainingStopped
from subclust.jobs.failure import failure_of
from subclust.jobs.process import host_name
from subclust.jobs.record import SILENT_SECONDS, STOP_FILE, Job, Stage, is_alive
from subclust.jobs.store import JobStore

_POLL_SECONDS = 0.5
_BEAT_SECONDS = 2.0

_GRACE_SECONDS = 2.0
"""For the training to come to the end of a step and save its state, after a cancel."""

# What shells report for a program that an interrupt ended: 128 + SIGINT.
_STOPPED_STATUS = 130

_at_work: dict[Path, "Worker"] = {}


class Worker:
    """The present process and the job it does.

    A thread beats, and watches for a cancel, or for another process that has taken the job over.
    The training heeds the stop file after each step; what has not ended a few seconds after the
    cancel, in a long step or while texts are encoded, is ended by the thread: everything on disk is
    whole at any moment.

    Parameters
    ----------
    job : Job
        Whose record says that this process does it.
    on_exit : callable, optional
        Called before the thread ends the process.
    """

    def __init__(
        self, store: JobStore, job: Job, *, on_exit: Callable[[], object] | None = None
    ) -> None:
        self.store = store
        self.job = job
        self.on_exit = on_exit
        self.folder = store.path(job.id)
        self._ending = threading.Lock()
        self._past_cancel = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name=f"job {job.id}", daemon=True)

    def stage(self, stage: Stage) -> None:
        """Record the stage, where it is another one."""
        if self.job.stage == stage:
            return
        self.job = replace(self.job, stage=stage)

        def set_stage(now: Job) -> Job:
            # Another process may have taken the job over, and the record then belongs to it.
            return replace(now, stage=stage) if now.pid == self.job.pid else now

        self.store.update(self.job.id, set_stage, durable=False)

    def tell_batch(self, n_passages: int) -> None:
        """Record how many passages a step takes: fewer are offered where memory runs out."""

        def tell(now: Job) -> Job:
            mine = now.pid == self.job.pid
            return replace(now, batch_passages=n_passages) if mine else now

        self.job = replace(self.job, batch_passages=n_passages)
        self.store.update(self.job.id, tell, durable=False)

    def saving(self) -> None:
        """Record that the result is being saved: a cancel comes too late from here on."""
        with self._ending:
            self._past_cancel = True
        self.stage("saving")

    def end(self, outcome: str, error: BaseException | None = None) -> None:
        """Record how the job ended; what is recorded already stays."""
        with self._ending:
            self._past_cancel = True
            if error is None or outcome != "failed":
                self.store.end(self.job, outcome)
                return
            failure = failure_of(error, self.job.batch_passages)
            self.store.end(
                self.job,
                outcome,
                failure.sentence,
                way_out=failure.way_out,
                changes=dict(failure.changes),
            )

    def fail(self, error: Exception) -> NoReturn:
        """Record why the job failed, and raise the error, or a sentence where one tells more.

        Raises
        ------
        Exception
        """
        self.end("failed", error)
        failure = failure_of(error, self.job.batch_passages)
        if failure.is_fault or isinstance(error, SubclustError):
            raise error
        raise TrainingError(failure.whole) from error

    @contextmanager
    def working(self) -> Iterator["Worker"]:
        """Beat meanwhile, and record at the end how it went."""
        # One left by an earlier run would stop this one after its first step.
        (self.folder / STOP_FILE).unlink(missing_ok=True)
        _at_work[self.folder] = self
        self._thread.start()
        try:
            yield self
        except (TrainingStopped, KeyboardInterrupt):
            self.end("cancelled")
            raise
        except Exception as error:
            self.fail(error)
        except SystemExit as error:
            self.end("failed" if error.code else "finished", error)
            raise
        else:
            self.end("finished")
        finally:
            del _at_work[self.folder]
            self._over.set()
            self._thread.join()

    def _live(self) -> None:
        asked: float | None = None
        beaten = time.monotonic()
        while not self._over.wait(_POLL_SECONDS):
            try:
                job = self.store.find(self.job.id)
            except (SubclustError, OSError):  # the disk is gone; it may come back
                continue
            if job is None or job.outcome is not None:
                continue
            if not job.is_this_process:
                self._give_up()
                continue
            if self._told_to_stop(job):
                asked = asked or time.monotonic()
                if time.monotonic() - asked >= _GRACE_SECONDS:
                    self._leave()
            if time.monotonic() - beaten >= _BEAT_SECONDS:
                beaten = time.monotonic()
                with suppress(SubclustError, OSError):
                    self.store.beat(self.job)

    def _told_to_stop(self, job: Job) -> bool:
        stop = self.folder / STOP_FILE
        if job.cancel_asked is None:
            with suppress(OSError):
                return stop.exists()
            return False
        with suppress(OSError):
            stop.touch()  # training that begins only now has removed it
        return True

    def _give_up(self) -> None:
        """End the process, which was believed dead: the job is, or will be, done elsewhere."""
        with self._ending:
            # os._exit, because SystemExit would end this thread only. The lock keeps the main
            # thread from recording its end, or beginning to save its result, in between.
            if not self._past_cancel:
                print("The job is done elsewhere.", file=sys.stderr, flush=True)
                os._exit(_STOPPED_STATUS)

    def _leave(self) -> None:
        """End the process, unless the job has ended or is being saved."""
        with self._ending:
            if self._past_cancel:
                return
            with suppress(SubclustError, OSError):
                self.store.end(self.job, "cancelled")
            print("Stopped. What had been saved is kept.", file=sys.stderr, flush=True)
            if self.on_exit is not None:
                with suppress(Exception):  # the process ends, whatever becomes of the others
                    self.on_exit()
            os._exit(_STOPPED_STATUS)


@contextmanager
def at_work(
    store: JobStore, id: str, argv: tuple[str, ...], *, device: str | None = None
) -> Iterator[Worker]:
    """Do a job in this process, as the worker that has registered for it or as one of its own.

    Parameters
    ----------
    argv : tuple of str
        With which it can be resumed.

    Raises
    ------
    InputError
        If another process does it, or it waits in the queue.
    """
    worker = _at_work.get(store.path(id))
    if worker is None:
        with Worker(store, store.begin(id, argv, device=device)).working() as worker:
            yield worker
        return
    try:
        yield worker
    except (TrainingStopped, KeyboardInterrupt):
        worker.end("cancelled")
        raise
    except Exception as error:
        worker.fail(error)
    else:
        worker.end("finished")


def register(store: JobStore, id: str) -> tuple[Job, bool]:
    """Take up a job that was claimed for this process.

    Returns
    -------
    Job
        As it is recorded now.
    bool
        Whether it goes on with what an earlier process began.

    Raises
    ------
    InputError
        If another live process does it, it was cancelled, or nobody claimed it.
    """
    patience = time.monotonic() + SILENT_SECONDS + _BEAT_SECONDS
    while True:
        with store.locked():
            job = store.load(id)
            if job.outcome is None and job.cancel_asked is not None and job.is_this_process:
                store.save(replace(job, outcome="cancelled", finished=time.time()))
            if job.outcome is not None or job.cancel_asked is not None:
                raise InputError("The job {id} was ended before it could begin.", id=id)
            if job.claimed is None:
                raise InputError(
                    "The job {id} is not for this process; start it with 'python -m subclust jobs "
                    "resume {id}'.",
                    id=id,
                )
            if job.is_this_process or not is_alive(job):
                mine = job.by_this_process()
                store.save(mine)
                return mine, job.started is not None
            elsewhere = job.host != host_name()
        # One of a machine that died is believed dead only when it has been silent for a while.
        if not elsewhere or time.monotonic() > patience:
            raise InputError(
                "The job {job} is already being run by another process ({process}).",
                job=id,
                process=job.pid,
            )
        time.sleep(1.0)
