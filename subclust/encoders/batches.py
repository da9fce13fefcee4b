"""Texts of like length together, as many at once as the memory and the caches like."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from subclust.records import FloatArray

TOKENS_PER_BATCH = 8192
"""Word pieces, padding counted, that go through a model at once."""


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
