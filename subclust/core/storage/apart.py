"""Calling a function in a process of its own, which is ended where it takes too much."""

import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import psutil

from subclust.core.exceptions import SubclustError

_PAUSE = 0.02
_MODULE = "subclust.core.storage.apart"


class TooSlowError(SubclustError):
    """The process was ended since it took longer than it may."""


class TooMuchMemoryError(SubclustError):
    """The process was ended since it took more memory than it may."""


def call_apart(
    function: Callable[..., Any], *, seconds: float, most_bytes: int, **arguments: Any
) -> Any:
    """Call a function in a process of its own.

    Parameters
    ----------
    function : callable
        Of a module's top level.
    seconds : float
        It is ended after that.
    most_bytes : int
        Of memory; it is ended where it takes more.
    **arguments
        Its parameters. They and what it returns go through pickle, as in `multiprocessing`: both
        ends are this program, and neither reads what anybody else has written.

    Returns
    -------
    object
        What it returns.

    Raises
    ------
    TooSlowError
    TooMuchMemoryError
        Also where the system ends it for want of memory.
    SubclustError
        Whatever the function raises.
    RuntimeError
        If it fails otherwise.
    """
    # Files, not pipes: a pipe holds 64 KB, and nobody reads it while the child is watched.
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as told,
        tempfile.TemporaryFile() as wrong,
    ):
        pickle.dump((function, arguments), given)
        given.seek(0)
        process = psutil.Popen(
            [sys.executable, "-m", _MODULE], stdin=given, stdout=told, stderr=wrong
        )
        try:
            _wait(process, seconds, most_bytes)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        told.seek(0)
        wrong.seek(0)
        if process.returncode == 0:
            return pickle.load(told)
        if process.returncode == 3:
            raise pickle.load(told)
        # -9 is the system's doing, for want of memory: where we kill it, `_wait` has raised.
        if process.returncode in (4, -9):
            raise TooMuchMemoryError("It needed more memory than there is.")
        raise RuntimeError(wrong.read().decode("utf-8", "replace"))


def _wait(process: psutil.Popen, seconds: float, most_bytes: int) -> None:
    until = time.monotonic() + seconds
    while process.poll() is None:
        try:
            if process.memory_info().rss > most_bytes:
                raise TooMuchMemoryError(
                    "It needed more than {most_bytes} MB of memory.", most_bytes=most_bytes >> 20
                )
        except psutil.NoSuchProcess:  # ended meanwhile
            continue
        if time.monotonic() > until:
            raise TooSlowError("It took more than {seconds:.0f} seconds.", seconds=seconds)
        time.sleep(_PAUSE)


def main() -> int:
    """Call the function, and write what it returns, or the error, to the standard output."""
    function, arguments = pickle.load(sys.stdin.buffer)
    try:
        value = function(**arguments)
    except SubclustError as error:
        pickle.dump(error, sys.stdout.buffer)
        return 3
    except MemoryError:
        return 4
    pickle.dump(value, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
