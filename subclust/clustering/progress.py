"""How far a clusterer is, told to whoever waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[int, int], None]
"""Called as ``progress(n_done, n_total)``."""

_listener: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(progress: Progress | None) -> Iterator[None]:
    """Have the progress of what is clustered meanwhile, in this thread, told to somebody.

    Parameters
    ----------
    progress : callable or None
        None tells nobody.
    """
    token = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(token)


def report(n_done: int, n_total: int) -> None:
    """Tell whoever waits, if somebody does: for clusterers whose work takes seconds."""
    progress = _listener.get()
    if progress is not None:
        progress(n_done, n_total)
