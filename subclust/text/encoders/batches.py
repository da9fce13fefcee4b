"""Texts of like length together, as many at once as the memory and the caches like."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray
from subclust.core.records.progress import Progress

TOKENS_PER_BATCH = 8192
"""Word pieces, padding counted, that go through a model at once."""

TOKENS_IN_CACHE = 2048
"""So many for a processor: what the layers pass on then stays in its caches."""


def token_batches(lengths: FloatArray, budget: int) -> Iterator[npt.NDArray[np.intp]]:
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
) -> FloatArray:
    """Embed texts batch by batch, and put the vectors in the order of the texts.

    Parameters
    ----------
    lengths, budget
        As for `token_batches`.
    embedding_dim : int
    embed : callable
        Given the positions of a batch, (n_batch,), it gives their vectors, (n_batch,
        embedding_dim).
    progress : callable or None
        Called as ``progress(n_done, n_total)`` after each batch.

    Returns
    -------
    ndarray of shape (n_texts, embedding_dim)
        float32.
    """
    result = np.empty((len(lengths), embedding_dim), dtype=np.float32)
    n_done = 0
    for batch in token_batches(lengths, budget):
        result[batch] = embed(batch)
        n_done += len(batch)
        if progress is not None:
            progress(n_done, len(lengths))
    return result
