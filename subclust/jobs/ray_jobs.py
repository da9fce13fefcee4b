"""Jobs on the machines of a Ray cluster.

The same command goes out as a Ray job, and its worker does there what it does here: it registers in
the job's record, gives signs of life, writes its log, progress and state. So all machines of the
cluster must see the folders of jobs, sets, models and data under the names that they have here, and
have Subclust in the Python with which Ray was started. Ray decides which job runs when and where;
until a job's worker has begun, its record says that it is queued. A job whose machine dies is
submitted again, and goes on from its last saved state.
"""

import shlex
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from subclust.core.exceptions import ClusterError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.jobs.failure import RESUME, Failure, ended_by_system, one_line
from subclust.jobs.launch import THREADS, LocalLauncher
from subclust.jobs.ray_cluster import HERE, Cluster, RayCluster, RayJob
from subclust.jobs.record import LOG_FILE, RECORD_FILE, SILENT_SECONDS, Job, is_alive
from subclust.jobs.store import JobStore

_FRESH_SECONDS = 10.0
"""A job that gave a sign of life within them is alive, whatever the cluster says of it."""
MOST_RESTARTS = 5
NO_FOLDER_STATUS = 72
"""Exit status of a command whose machine does not see the job's folder."""
_NO_MACHINE_YET = "JOB_SUPERVISOR_ACTOR_START_TIMEOUT"
_MACHINE_LOST = (
    "JOB_SUPERVISOR_ACTOR_DIED",
    "JOB_SUPERVISOR_ACTOR_START_FAILURE",
    "JOB_SUPERVISOR_ACTOR_UNKNOWN_FAILURE",
)
_SHORT_OF_MEMORY = ("running low on memory", "out of memory", "out-of-memory", "oom")


class RayLauncher:
    """Starts jobs as Ray jobs, over HTTP.

    Parameters
    ----------
    settings : Settings
        With which the workers run; `jobs_backend` is the address of the cluster.
    cluster : Cluster, optional
        By default the one at that address.
    """

    backend = "ray"
    one_per_device = False

    def __init__(self, settings: Settings, cluster: Cluster | None = None) -> None:
        self.settings = settings
        self.cluster = cluster or RayCluster(settings.jobs_backend)
        self.local = LocalLauncher(settings)

    def start(self, job: Job, store: JobStore) -> Job:
        """Submit a claimed job; it gets a graphics card if there is any, unless it says so."""
        gpus, cpus = job.gpus, job.cpus or 1
        if gpus is None:
            gpus = int(self.settings.device != "cpu" and self.cluster.has_gpus())
        job = replace(job, gpus=gpus, cpus=cpus, device="cuda" if gpus else "cpu")
        id = _submission_id(job)
        self.cluster.submit(
            id,
            _entrypoint(job, store.path(job.id)),
            cpus=cpus,
            gpus=gpus,
            variables={
                **replace(self.settings, device="cuda" if gpus else "cpu").variables(),
                **dict.fromkeys(THREADS, str(cpus)),
            },
        )
        return replace(job, backend_id=id)

    def is_alive(self, job: Job) -> bool:
        """Return whether the job gives signs of life, or Ray says that it waits or runs."""
        if job.backend != self.backend:
            return is_alive(job)
        if job.outcome is not None:
            return False
        if job.pid is not None and _silence(job) < _FRESH_SECONDS:
            return True
        if job.backend_id is None:
            return False
        try:
            told = self.cluster.job(job.backend_id)
        except ClusterError:
            # A cluster that does not answer proves nothing about the job.
            return job.pid is None or _silence(job) < SILENT_SECONDS
        return told is not None and told.status in HERE

    def cancel(self, job: Job, *, kill: bool = False) -> None:
        """Have Ray end the job, in either case by SIGTERM and then SIGKILL."""
        if job.backend != self.backend:
            self.local.cancel(job, kill=kill)
        elif job.backend_id is not None:
            with suppress(ClusterError):
                self.cluster.stop(job.backend_id)

    def gone(self, job: Job, store: JobStore) -> Job:
        """Queue the job again where its machine died; else say why it is lost, or never began."""
        if job.backend != self.backend or job.backend_id is None:
            return self.local.gone(job, store)
        told = self.cluster.job(job.backend_id)
        failure = _why_gone(told, job, self.cluster.address)
        if told is not None and told.message:
            _say(store.path(job.id), f"The Ray cluster says: {told.message}")
        if failure is None:
            waited = told is not None and told.error_type == _NO_MACHINE_YET
            if not waited:
                _say(
                    store.path(job.id), "The machine that had the job is gone; it is queued again."
                )
            # At least a millisecond later: `_submission_id` is made of this time, and Ray never
            # starts a job of the same id twice.
            again = job.queued_again(max(time.time(), (job.queued_at or 0.0) + 1e-3))
            return replace(again, restarts=job.restarts + (not waited))
        job = replace(
            job, error=failure.sentence, way_out=failure.way_out, changes=dict(failure.changes)
        )
        return job if job.pid is not None else replace(job, outcome="failed", finished=time.time())


def _submission_id(job: Job) -> str:
    """Return what Ray calls a job: the same at each claim, another once it is queued again."""
    return f"subclust-{job.id}-{round((job.queued_at or 0.0) * 1000)}"


def _entrypoint(job: Job, folder: Path) -> str:
    """Return the shell command that does a job on a machine of the cluster.

    Parameters
    ----------
    job : Job
        With its graphics cards; with more than one, as many workers train together.
    folder : Path
        Of the job; what the command says goes to the log there.
    """
    folder = folder.absolute()
    log = shlex.quote(str(folder / LOG_FILE))
    missing = f"There is no {folder / RECORD_FILE} on this machine."
    # Not sys.executable, which need not exist on the machine of the cluster.
    words = ["python", "-m", "subclust", *job.argv]
    if (job.gpus or 0) > 1:
        workers = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.gpus}"]
        words = ["python", *workers, *words[1:]]
    # All of its workers must know; alone it would find out by itself.
    if job.started is not None and job.kind == "train" and "--resume" not in words:
        words.append("--resume")
    # The check comes first: without the folder, opening the log would end the shell with a status
    # that means nothing.
    lines = [
        f"test -f {shlex.quote(str(folder / RECORD_FILE))} || "
        f"{{ echo {shlex.quote(missing)}; exit {NO_FOLDER_STATUS}; }}",
        f"echo {shlex.quote(f'What the job says is in {folder / LOG_FILE}')}",
        f"exec >> {log} 2>&1",
        *([f"cd {shlex.quote(job.cwd)} || true"] if job.cwd else []),
        f"exec {shlex.join([*words, '--job', job.id])}",
    ]
    return "; ".join(lines)


def _why_gone(told: RayJob | None, job: Job, address: str) -> Failure | None:
    """Return why a job is gone without a word; None where it shall be queued again."""
    if told is not None and told.error_type == _NO_MACHINE_YET:
        return None
    if told is None or told.error_type in _MACHINE_LOST:
        if told is not None and any(word in told.message.lower() for word in _SHORT_OF_MEMORY):
            return ended_by_system(job)
        if job.restarts < MOST_RESTARTS:
            return None
        return Failure(
            Message(
                "The machine that ran the job failed, {restarts} times in a row.",
                restarts=job.restarts + 1,
            ),
            "Ask those who look after the cluster whether memory ran out, and resume the job.",
        )
    if told.status == "STOPPED":
        return Failure("Somebody stopped the job in the Ray cluster.", RESUME)
    match told.exit_code:
        case None:
            return Failure(
                Message(
                    "The Ray cluster at {address} could not start the job ({line}).",
                    address=address,
                    line=one_line(told.message),
                ),
                "Ask those who look after the cluster, and resume the job.",
            )
        case 0:
            return Failure("The job's command ended without a result; see its log.", RESUME)
        case 137 | -9:
            return ended_by_system(job)
        case code if code == NO_FOLDER_STATUS:
            return Failure(
                "The machine that was to do the job does not see the folder of the jobs.",
                "Have the data folder mounted under the same name on all machines of the cluster, "
                "and resume the job.",
            )
        # The shell's status for a command that it does not find.
        case 127:
            return Failure(
                "There is no Python where the Ray cluster started the job.",
                "Start Ray on each machine from a Python with Subclust in it, and resume the job.",
            )
        case code:
            return Failure(
                Message(
                    "The job's command ended before its work was done (status {code}).", code=code
                ),
                "See the end of its log for the reason; Subclust must be installed in the Python "
                "with which Ray was started on each machine.",
            )


def _silence(job: Job) -> float:
    """Return the seconds since the last heartbeat; clocks may differ either way."""
    return abs(time.time() - job.heartbeat) if job.heartbeat is not None else float("inf")


def _say(folder: Path, text: str) -> None:
    with suppress(OSError), (folder / LOG_FILE).open("a", encoding="utf-8") as log:
        log.write(f"{text.strip()}\n")
