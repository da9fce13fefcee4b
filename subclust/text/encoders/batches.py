"""How many texts go through a model at once, and how many threads a piece of work is worth."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray
from subclust.core.records.progress import Progress

TOKENS_PER_BATCH = 8192
"""Word pieces, padding counted, that go through a model at once."""

TOKENS_IN_CACHE = 2048
"""So many for a processor: what the layers pass on then stays in its caches."""

_many = 1


def _token_batches(lengths: FloatArray, budget: int) -> Iterator[npt.NDArray[np.intp]]:
    """Divide texts into batches of at most so many word pieces, the longest texts first.

    Parameters
    ----------
    lengths : ndarray of shape (n_texts,)
        Word pieces of each text.
    budget : int
        Word pieces, padding counted; a text that is longer goes alone.

    Yields
    ------
    ndarray of shape (n_batch,)
        Positions of texts; each text is in one batch.
    """
    order = np.argsort(-lengths, kind="stable")
    n_done = 0
    while n_done < len(order):
        longest = max(int(lengths[order[n_done]]), 1)
        batch = order[n_done : n_done + max(1, budget // longest)]
        yield batch
        n_done += len(batch)


def in_token_batches(
    lengths: FloatArray,
    budget: int,
    embedding_dim: int,
    embed: Callable[[npt.NDArray[np.intp]], FloatArray],
    progress: Progress | None,
    n_at_once: int = 1,
) -> FloatArray:
    """Embed texts batch by batch, and put the vectors in the order of the texts.

    Parameters
    ----------
    lengths, budget
        As for `_token_batches`.
    embedding_dim : int
    embed : callable
        Given the positions of a batch, (n_batch,), it gives their vectors, (n_batch,
        embedding_dim).
    progress : callable or None
        Called as ``progress(n_done, n_total)`` after each batch.
    n_at_once : int
        Batches that are embedded at a time, each on a thread of its own: faster than one batch
        after another on all threads, which wait for each other at each step. `embed` must then
        be one that threads may share.

    Returns
    -------
    ndarray of shape (n_texts, embedding_dim)
        float32.
    """
    result = np.empty((len(lengths), embedding_dim), dtype=np.float32)
    n_done = 0
    batches = list(_token_batches(lengths, budget))
    with closing(_embedded(batches, embed, n_at_once)) as found:
        for batch, vectors in zip(batches, found, strict=True):
            result[batch] = vectors
            n_done += len(batch)
            if progress is not None:
                progress(n_done, len(lengths))
    return result


def _embedded(
    batches: Sequence[npt.NDArray[np.intp]],
    embed: Callable[[npt.NDArray[np.intp]], FloatArray],
    n_at_once: int,
) -> Generator[FloatArray]:
    if min(n_at_once, len(batches)) < 2:
        yield from map(embed, batches)
        return
    # Threads started in here inherit a thread count of one.
    with one_thread(), ThreadPoolExecutor(n_at_once) as pool:
        yield from pool.map(embed, batches)


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
