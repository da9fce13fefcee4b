"""Jobs without torch, and servers that start them; each a program.

``slow_job.py work FOLDER ID`` is the worker; what it does stands in the job's words:
``steps N`` writes N lines of progress, a twentieth of a second each, goes on where it was, and
heeds the stop file; ``polite N`` also gives way to others; ``stubborn N`` sleeps N seconds and
heeds nothing.
``slow_job.py serve FOLDER`` calls ``advance`` until it is killed; with ``once`` behind, one time;
with ``dies``, it is killed between starting a worker and noting its number.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from subclust.core.exceptions import InputError, TrainingStopped
from subclust.core.settings import Settings
from subclust.jobs import Job, JobQueue, JobStore, LocalLauncher, Worker, register
from subclust.jobs.process import give_way


class SlowLauncher(LocalLauncher):
    """Starts this file's workers."""

    def command(self, job: Job) -> list[str]:
        return [sys.executable, __file__, "work", str(self.settings.data_dir), job.id]


class DyingLauncher(SlowLauncher):
    """Starts a worker and dies before anybody knows."""

    def start(self, job: Job, store: JobStore) -> Job:
        super().start(job, store)
        os._exit(9)


def queue_of(folder: Path, launcher: type[LocalLauncher] = SlowLauncher) -> JobQueue:
    settings = Settings(data_dir=folder, device="cpu")
    return JobQueue(JobStore(settings.jobs_dir), launcher(settings))


def submit(queue: JobQueue, name: str, *argv: str) -> Job:
    return queue.submit(argv or ("steps", "1"), title=f"slow/{name}", device="cpu")


def tell(folder: Path, *words: object) -> None:
    with (folder / "ran.txt").open("a") as stream:
        stream.write(" ".join(map(str, words)) + "\n")


def work(folder: Path, id: str) -> None:
    queue = queue_of(folder)
    job, again = register(queue.store, id)
    what, number = job.argv
    with Worker(queue.store, job, on_exit=queue.advance).working() as worker:
        if what == "polite":  # the others do not, or a busy machine would let them wait for long
            give_way()
        tell(folder, "begin", id, "again" if again else "anew")
        print("At work", os.nice(0), os.environ["OMP_NUM_THREADS"], flush=True)
        worker.stage("training")
        if what == "stubborn":
            time.sleep(float(number))
        else:
            steps(worker.folder, int(number))
        tell(folder, "end", id)
    queue.advance()


def steps(folder: Path, total: int) -> None:
    path = folder / "progress.jsonl"
    done = path.read_bytes().count(b"\n") if path.exists() else 0
    for step in range(done + 1, total + 1):
        with path.open("a") as stream:
            stream.write(f'{{"step": {step}, "total": {total}, "loss": 1.0, "eta": 1.0}}\n')
        if (folder / "stop").exists():
            raise TrainingStopped("Stopped.")
        time.sleep(0.05)


def serve(folder: Path, how: str) -> None:
    queue = queue_of(folder, DyingLauncher if how == "dies" else SlowLauncher)
    while True:
        queue.advance()
        if how == "once":
            time.sleep(60)
        time.sleep(0.05)


if __name__ == "__main__":
    role, place, *rest = sys.argv[1:]
    if role == "work":
        with suppress(TrainingStopped, InputError):
            work(Path(place), rest[0])
    else:
        serve(Path(place), rest[0] if rest else "on")
