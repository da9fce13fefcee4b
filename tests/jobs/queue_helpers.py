"""A launcher that starts nothing, and programs that other processes run."""

from dataclasses import replace

from subclust.core.exceptions import SettingsError
from subclust.jobs import Job, JobQueue, JobStore, LocalLauncher


class Nobody:
    """Starts no job: for what happens to a queue in which none runs."""

    backend, one_per_device = "local", True

    def is_alive(self, job):
        return False


class PaperLauncher:
    """Keeps a list of what it would have started; `alive` are the ids whose process is there."""

    backend = "local"
    one_per_device = True
    gone = LocalLauncher.gone

    def __init__(self):
        self.started: list[str] = []
        self.cancelled: list[tuple[str, bool]] = []
        self.alive: set[str] = set()
        self.refuses: set[str] = set()

    def start(self, job: Job, store: JobStore) -> Job:
        if job.id in self.refuses:
            raise SettingsError("No memory is left; close other programs.")
        self.started.append(job.id)
        self.alive.add(job.id)
        return replace(job, pid=1000 + len(self.started), process_started=1.0, heartbeat=1.0)

    def is_alive(self, job: Job) -> bool:
        return job.id in self.alive

    def cancel(self, job: Job, *, kill: bool = False) -> None:
        self.cancelled.append((job.id, kill))
        if kill:
            self.alive.discard(job.id)

    def ends(self, store: JobStore, id: str, outcome: str = "finished") -> None:
        """Have the worker of a job end."""
        store.end(store.load(id), outcome)
        self.alive.discard(id)


def submit(queue: JobQueue, name: str, device: str = "cpu", **told: object) -> Job:
    argv = ("train", "qs3m", "--data", "x.csv", "--name", name)
    return queue.submit(argv, title=f"qs3m/{name}", device=device, **told)
