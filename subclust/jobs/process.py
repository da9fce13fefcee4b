"""What the operating system tells of a process, with or without ``/proc``."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PROC = Path("/proc")

_NICENESS = 15
"""Of training: a query's embedding beside it then takes at most half as long again."""


def process_start(pid: int) -> float | None:
    """Return when a process started; None where it is not there, or has died and is not yet buried.

    Returns
    -------
    float or None
        Clock ticks since boot where there is ``/proc``, else seconds since the epoch: compared
        only with what the same machine gave before.
    """
    if (PROC / "self").exists():
        try:
            # The second field, a name in parentheses, may itself contain spaces and parentheses.
            # The state follows it, and the start time is field 22 of proc(5).
            fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
            return None if fields[0] in "ZX" else float(fields[19])
        except (OSError, IndexError, ValueError):
            return None
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else float(process.create_time())
    except psutil.Error:
        return None


def memory_of(pid: int) -> float | None:
    """Return how much memory a process and its children hold, in MB; None where it is not there."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return None
    held = 0.0
    for member in family:
        with suppress(psutil.Error):
            held += member.memory_info().rss / 1e6
    return held or None


def killed_for_memory() -> int | None:
    """Count the processes that the system has ended since it started because memory ran out.

    None where the system does not tell.
    """
    try:
        for line in (PROC / "vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return None


def host_name() -> str:
    """Name this machine, as process numbers mean nothing on another one."""
    return socket.gethostname()


def n_cores() -> int:
    """Count the cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def give_way() -> None:
    """Let other processes go first."""
    with suppress(OSError, psutil.Error):
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)
        else:
            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)


@contextmanager
def giving_way() -> Iterator[None]:
    """Let other processes go first meanwhile; where that may be undone, it is afterwards.

    Linux counts each thread of a process by itself, also those that compute for another one.
    """
    if not hasattr(os, "setpriority") or not (PROC / "self" / "task").is_dir():
        yield
        return
    before = {id_: os.getpriority(os.PRIO_PROCESS, id_) for id_ in _threads()}
    usual = min(before.values())
    for id_, niceness in before.items():
        _set_niceness(id_, max(niceness, _NICENESS))
    try:
        yield
    finally:
        # Threads started meanwhile have inherited the low priority.
        for id_ in _threads():
            _set_niceness(id_, before.get(id_, usual))


def _threads() -> list[int]:
    return [int(path.name) for path in (PROC / "self" / "task").iterdir()]


def _set_niceness(thread: int, niceness: int) -> None:
    with suppress(OSError):  # it has ended, or only others may go first again
        os.setpriority(os.PRIO_PROCESS, thread, niceness)


def end_process(pid: int, *, kill: bool) -> None:
    """Ask a process to end, or end it; with its children where it leads a session of its own."""
    wanted = getattr(signal, "SIGKILL", signal.SIGTERM) if kill else signal.SIGTERM
    with suppress(OSError):
        # Otherwise its group also holds the terminal or program that started it.
        if hasattr(os, "getsid") and os.getsid(pid) == pid:
            os.killpg(pid, wanted)
        else:
            os.kill(pid, wanted)
