"""The app as ``serve`` runs it, on a free port, and the memory that it takes."""

import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

import psutil

from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import PROJECT_ROOT, Settings

_TO_START = 180.0
_TO_END = 20.0


class Served:
    """A running app.

    Parameters
    ----------
    pid : int
        Of the waiting parent.
    """

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self.pid = pid

    def megabytes(self) -> float:
        """Add up the resident memory of the server's processes; megabytes of 10**6 bytes.

        Pages that two processes share count twice.
        """
        total = 0
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(self.pid)
            for process in (parent, *parent.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    total += process.memory_info().rss
        return total / 1e6


class MemoryWatch(threading.Thread):
    """A context manager that looks twice a second how much memory a server takes.

    Attributes
    ----------
    highest : float
        Megabytes; pages that its processes share count twice.
    """

    def __init__(self, served: Served) -> None:
        super().__init__(daemon=True)
        self.served = served
        self.highest = served.megabytes()
        self._over = threading.Event()

    def run(self) -> None:
        """Look, again and again."""
        while not self._over.wait(0.5):
            self.highest = max(self.highest, self.served.megabytes())

    def __enter__(self) -> Self:
        """Begin to watch."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Look a last time."""
        self._over.set()
        self.join()
        self.highest = max(self.highest, self.served.megabytes())


@contextmanager
def serving(settings: Settings) -> Iterator[Served]:
    """Serve the app over the folders of the settings; it ends with the block.

    Yields
    ------
    Served

    Raises
    ------
    BenchmarkError
        If it does not start.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "subclust", "serve", "--port", str(port), "--host", "127.0.0.1"],
        cwd=PROJECT_ROOT,
        env=settings.to_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    served = Served(f"http://127.0.0.1:{port}", process.pid)
    try:
        _wait_until_healthy(served.url, process)
        yield served
    finally:
        children: list[psutil.Process] = []
        with suppress(psutil.NoSuchProcess):
            children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TO_END)
        for left in [one for one in children if one.is_running()]:
            with suppress(psutil.NoSuchProcess):
                left.kill()


def _wait_until_healthy(url: str, process: "subprocess.Popen[bytes]") -> None:
    patience = time.monotonic() + _TO_START
    while time.monotonic() < patience:
        if process.poll() is not None:
            break
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=5).close()
            return
        time.sleep(0.2)
    raise BenchmarkError(
        "The app did not start; start it with 'python -m subclust serve' to see why."
    )
