"""How many threads a piece of work is worth."""

from collections.abc import Iterator
from contextlib import contextmanager

_many = 1


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on the calling thread alone.

    Two threads that share a few milliseconds of work wait for each other at each step, and where a
    training has a core, the work takes as long as the thread beside it: 40 times as long was seen.
    """
    import torch

    global _many
    n_threads = torch.get_num_threads()
    if n_threads == 1:
        yield
        return
    _many = n_threads
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(n_threads)


def many_threads() -> int:
    """Let the calling thread have help again, if it began while another was in `one_thread`.

    The number of threads belongs to each thread, and a new one takes over what is set just then.

    Returns
    -------
    int
        Threads that it has now.
    """
    import torch

    if torch.get_num_threads() < _many:
        torch.set_num_threads(_many)
    return int(torch.get_num_threads())
