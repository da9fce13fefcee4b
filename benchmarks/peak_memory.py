"""How much memory a piece of work takes at its highest, above what was taken before it."""

import gc
import re
import threading
from pathlib import Path
from typing import Self

import psutil

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")
_BETWEEN_LOOKS = 0.002


class PeakMemory:
    """A context manager that watches the memory of this process, or that of a CUDA device.

    On Linux the kernel itself keeps the highest value; elsewhere a thread looks every two
    milliseconds, and a shorter peak escapes it.

    Parameters
    ----------
    device : str
        ``"cuda"`` for what torch has allocated there; otherwise the process's resident memory.

    Attributes
    ----------
    megabytes : float
        After the work: the highest minus what was taken when it began, at least 0. Megabytes of
        10**6 bytes.
    """

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
        self.megabytes = 0.0

    def __enter__(self) -> Self:
        """Begin to watch."""
        gc.collect()
        self._watcher: _Watcher | None = None
        if self.device == "cuda":
            import torch

            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            self._before = torch.cuda.memory_allocated()
            return self
        self._before = psutil.Process().memory_info().rss
        self._kernel = _reset_kernel_peak()
        if not self._kernel:
            self._watcher = _Watcher()
            self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Note the highest."""
        if self.device == "cuda":
            import torch

            torch.cuda.synchronize()
            highest = torch.cuda.max_memory_allocated()
        elif self._watcher is not None:
            highest = self._watcher.highest_after_all()
        else:
            highest = _kernel_peak()
        self.megabytes = max(0, highest - self._before) / 1e6


def resident_peak() -> int:
    """Return the peak memory of this process in bytes; elsewhere what it takes now."""
    try:
        return _kernel_peak()
    except (OSError, LookupError):
        return int(psutil.Process().memory_info().rss)


class _Watcher(threading.Thread):
    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process()
        self._highest = 0
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(_BETWEEN_LOOKS):
            self._look()

    def highest_after_all(self) -> int:
        self._over.set()
        self.join()
        self._look()
        return self._highest

    def _look(self) -> None:
        self._highest = max(self._highest, self._process.memory_info().rss)


def _reset_kernel_peak() -> bool:
    try:
        _RESET.write_text("5")
        _kernel_peak()
    except (OSError, LookupError):
        return False
    return True


def _kernel_peak() -> int:
    found = re.search(r"^VmHWM:\s+(\d+) kB", _STATUS.read_text(), re.MULTILINE)
    if found is None:
        raise LookupError("the kernel does not tell the highest resident memory")
    return int(found[1]) * 1024
