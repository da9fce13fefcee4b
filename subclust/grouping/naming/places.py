"""Where groups are among the vectors, and candidates beside them."""

from dataclasses import dataclass

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.naming.headings import Headings

MEANING = (
    "likeness", "likeness beside rivals", "centred likeness", "centred beside rivals",
    "likeness to the query", "centred beside the best", "tightness",
)  # fmt: skip
LEARNT = (
    "heading", "heading beside rivals", "heading of the group", "heading beside the best",
    "nearest heading", "fits the hits",
)  # fmt: skip
"""Names of the columns: of vectors, and of what was learnt about them."""


@dataclass
class Places:
    """Where the groups are among the vectors, and what is learnt of it.

    Parameters
    ----------
    mean, centred : ndarray of shape (n_groups, dim)
        Mean passage of each group, as it is and without what the groups share; of length 1.
    query : ndarray of shape (dim,)
    tightness : ndarray of shape (n_groups,)
        Mean cosine of the passages to their mean.
    aimed : ndarray of shape (n_groups, dim) or None
        Where the heading of each group is to be looked for; None for encoders of which nothing was
        learnt.
    fits : ndarray of shape (n_bank,) or None
        How likely each general heading is in texts such as these; see `Headings.fits`.
    """

    mean: FloatArray
    centred: FloatArray
    query: FloatArray
    tightness: FloatArray
    aimed: FloatArray | None = None
    fits: FloatArray | None = None

    @classmethod
    def of(
        cls,
        embeddings: FloatArray,
        group_of: IntArray,
        n_groups: int,
        query: FloatArray,
        headings: Headings | None,
    ) -> "Places":
        """Compute the places of groups from the vectors of their passages."""
        # In double precision, so that the order of the passages does not reach the result.
        vectors = np.asarray(embeddings, dtype=np.float64)
        means = np.stack([vectors[group_of == group].mean(axis=0) for group in range(n_groups)])
        tight = np.linalg.norm(means, axis=1)
        mean, centred = unit(means), unit(means - means.mean(axis=0))
        places = cls(mean, centred, query, tight)
        if headings is not None:
            places.aimed = headings.aim(mean, centred, query)
            places.fits = headings.fits(unit(vectors.mean(axis=0)))
        return places

    def meaning(self, vectors: FloatArray, groups: IntArray) -> FloatArray:
        """Compute the columns of `MEANING`; shape (n_candidates, n_columns)."""
        likeness, centred = vectors @ self.mean.T, vectors @ self.centred.T
        own, own_centred = _own(likeness, groups), _own(centred, groups)
        return np.stack(
            [
                own,
                own - _rival(likeness, groups),
                own_centred,
                own_centred - _rival(centred, groups),
                vectors @ self.query,
                own_centred - _best(own_centred, groups),
                self.tightness[groups],
            ],
            axis=1,
        ).astype(np.float32)

    def learnt(self, scores: FloatArray, groups: IntArray) -> FloatArray:
        """Compute the columns of `LEARNT` from `Headings.scores`; (n_candidates, n_columns)."""
        own = _own(scores, groups)
        top = scores.max(axis=1)
        among = own - top - np.log(np.exp(scores - top[:, None]).sum(axis=1))
        columns = [own, own - _rival(scores, groups), among, own - _best(own, groups)]
        return np.stack(columns, axis=1).astype(np.float32)


def _own(values: FloatArray, groups: IntArray) -> FloatArray:
    return np.asarray(values[np.arange(len(values)), groups])


def _rival(values: FloatArray, groups: IntArray) -> FloatArray:
    """Return the largest value of another group, 0 where there is none."""
    if values.shape[1] < 2:
        return np.zeros(len(values), dtype=np.float32)
    others = values.astype(np.float64)
    others[np.arange(len(values)), groups] = -np.inf
    return np.asarray(others.max(axis=1))


def _best(own: FloatArray, groups: IntArray) -> FloatArray:
    """Return the largest value of each candidate's group."""
    best = np.full(int(groups.max(initial=0)) + 1, -np.inf)
    np.maximum.at(best, groups, own)
    return np.asarray(best[groups])


def unit(vectors: FloatArray) -> FloatArray:
    """Return vectors with length 1; of length 0 they stay so."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
