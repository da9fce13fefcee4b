"""``python -m subclust serve``, to be killed and started again, and a count of its workers."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil

from subclust.core.settings import PROJECT_ROOT
from subclust.jobs import ENDED, JobStore, is_alive, job_state

PATIENCE = 180.0

COUNT = """
import os, sys
words = sys.orig_argv
if "subclust" in words and words[-2:-1] == ["--job"]:
    with open(os.environ["COUNTED_WORKERS"], "a") as stream:
        stream.write(words[-1] + "\\n")
"""
"""Run by each Python process as it starts: a worker leaves the id of its job."""


def wait_until(holds, what, patience=PATIENCE):
    began = time.monotonic()
    while not (found := holds()):
        assert time.monotonic() - began < patience, f"{what} took too long"
        time.sleep(0.05)
    return found


class LastingServer:
    """The server over a data folder, on one port.

    Parameters
    ----------
    folder : Path
    environment : mapping of str to str
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.store = JobStore(folder / "jobs")
        self.process: subprocess.Popen | None = None
        (folder / "count").mkdir()
        (folder / "count" / "sitecustomize.py").write_text(COUNT)
        self.started = folder / "started.txt"
        paths = [str(folder / "count"), *sys.path]
        self.environment = environment | {
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "COUNTED_WORKERS": str(self.started),
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "subclust", "serve", "--port", str(self.port)]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                command,
                cwd=PROJECT_ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(self._answers, "the start")

    def kill(self, whom: str) -> None:
        """Send SIGKILL to the ``"group"``, the ``"parent"`` that waits, or the ``"app"`` alone."""
        if whom == "group":
            os.killpg(self.process.pid, signal.SIGKILL)
        elif whom == "parent":
            self.process.kill()
        else:
            for child in psutil.Process(self.process.pid).children():
                if any(word.endswith("asgi.py") for word in child.cmdline()):
                    child.kill()

    def wait_gone(self) -> None:
        """Wait until nothing of the server is left; its workers may be there."""
        self.process.wait(PATIENCE)
        wait_until(self._port_is_free, "the end", patience=30.0)

    def close(self) -> None:
        """End the server, and the workers that a failed test has left."""
        if self.process is not None and self.process.poll() is None:
            self.kill("group")
            self.process.wait(PATIENCE)
        for job in self.store.jobs():
            if is_alive(job):
                with suppress(OSError):
                    os.killpg(job.pid, signal.SIGKILL)

    def states(self) -> dict[str, str]:
        return {job.id: job_state(job, is_alive(job)) for job in self.store.jobs()}

    def has_ended(self) -> bool:
        return all(state in ENDED for state in self.states().values())

    def workers(self) -> list[str]:
        """Give the ids of the jobs that processes began, in their order, without those refused.

        A worker whose starter was killed before it could note its number may get company after a
        while; the second one finds that the first has the job, says so, and does nothing.
        """
        began = self.started.read_text().split() if self.started.exists() else []
        for id in set(began):
            log = self.store.path(id) / "log.txt"
            for _ in range(log.read_text().count("is already being run by another process")):
                began.reverse()
                began.remove(id)  # the later one
                began.reverse()
        return began

    def steps(self, id: str) -> list[int]:
        """Give the numbers of the steps that a job's worker told, in their order."""
        lines = (self.store.path(id) / "progress.jsonl").read_text().splitlines()
        return [int(line.partition('"step": ')[2].split(",")[0]) for line in lines]

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError((self.folder / "server.log").read_text()[-3000:])
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5).close()
            return True
        return False

    def _port_is_free(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) != 0
