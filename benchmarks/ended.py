"""What a command has started ends with the command."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Let SIGTERM leave the block as an exception, so that each ``finally`` ends what it started.

    The handler that was there before comes back after it. Python lets no other than the main
    thread set one; elsewhere nothing changes.

    Raises
    ------
    SystemExit
        With 128 plus the number of the signal, where it comes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
