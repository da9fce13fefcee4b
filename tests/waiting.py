"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def wait_until(holds: Callable[[], Found], seconds: float = 60.0, pause: float = 0.02) -> Found:
    """Ask again and again until something holds, and return what was found."""
    until = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < until, "it took too long"
        time.sleep(pause)
    return found
