"""The passages that one passage is most like."""

from dataclasses import dataclass

import numpy as np

from subclust.core.records import FloatArray


@dataclass(frozen=True)
class Neighbour:
    """A passage that is close to another.

    Parameters
    ----------
    row : int
        Its position.
    score : float
        Higher is closer, on the scale of the scores.
    """

    row: int
    score: float


def nearest(scores: FloatArray, row: int, n: int = 5) -> tuple[Neighbour, ...]:
    """List the passages with the highest scores, best first, equal ones in the given order.

    Parameters
    ----------
    scores : ndarray of shape (n_passages,)
        Of one passage with all; higher is closer.
    row : int
        Its own position, which is left out.
    n : int
        At most so many.
    """
    order = np.argsort(-np.round(np.asarray(scores, dtype=np.float64), 6), kind="stable")
    return tuple(Neighbour(int(one), float(scores[one])) for one in order if one != row)[:n]
