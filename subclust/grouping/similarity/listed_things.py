"""Which passages go with which of the things that a question lists, learnt from headings."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from subclust.core.records import FloatArray

WEIGHT = 0.5
"""Of the likeness by listed things beside the usual scores; chosen on validation."""

_SPREAD = 0.3
"""Deviation over pairs that the likeness has where the things tell passages well apart."""

SHIPPED = Path(__file__).with_suffix(".npz")
_ENCODER = "encoder"


@dataclass(frozen=True)
class ListedThings:
    r"""Tells which of the listed things a passage is about, or that it is about none of them.

    With :math:`\vec x` the base encoder's vector of a passage beside what sets it apart from the
    other hits, and :math:`\vec t_k` the vectors of the things, passage and thing fit by

    .. math::
        z_k = \vec x^\top W (\vec t_k + H \vec t_k), \qquad z_0 = \vec x^\top \vec v + b

    with :math:`z_0` for none of them. It learnt from sections of articles, with their headings as
    the things: all of them, some of them, and some beside headings of other articles.

    Parameters
    ----------
    passages : ndarray of shape (2 * embedding_dim, embedding_dim)
    things : ndarray of shape (embedding_dim, embedding_dim)
    none : ndarray of shape (2 * embedding_dim,)
    none_shift : ndarray of shape ()
    """

    passages: FloatArray
    things: FloatArray
    none: FloatArray
    none_shift: FloatArray

    def likeness(self, vectors: FloatArray, things: FloatArray) -> FloatArray:
        """Compute how surely two passages go with the same of the things.

        Parameters
        ----------
        vectors : ndarray of shape (n_passages, embedding_dim)
            By the base encoder, each of length 1.
        things : ndarray of shape (n_things, embedding_dim)
            Likewise.

        Returns
        -------
        ndarray of shape (n_passages, n_passages)
            Cosines of what the passages are about, less their mean over the pairs; 0 on the
            diagonal. Near 0 everywhere where nearly all passages are about none of the things.
        """
        apart = vectors - vectors.mean(axis=0)
        lengths = np.linalg.norm(apart, axis=1, keepdims=True)
        seen = np.concatenate([vectors, apart / np.maximum(lengths, 1e-6)], axis=1)
        fits = seen @ self.passages @ (things + things @ self.things).T
        none = seen @ self.none + self.none_shift
        every = np.concatenate([fits, none[:, None]], axis=1)
        about = np.exp(every - every.max(axis=1, keepdims=True))
        unit = about / np.linalg.norm(about, axis=1, keepdims=True)
        alike = unit @ unit.T
        np.fill_diagonal(alike, 0.0)
        n_pairs = max(len(alike) * (len(alike) - 1), 1)
        alike = (alike - alike.sum() / n_pairs) / _SPREAD
        np.fill_diagonal(alike, 0.0)
        return np.asarray(alike, dtype=np.float32)

    def save(self, file: Path, encoder_revision: str) -> None:
        """Write the arrays, with the encoder that they go with."""
        arrays = {one.name: getattr(self, one.name).astype(np.float16) for one in fields(self)}
        np.savez_compressed(
            file, allow_pickle=False, **arrays, **{_ENCODER: np.array(encoder_revision)}
        )
        _found.cache_clear()


def load_listed(encoder_revision: str, file: Path = SHIPPED) -> ListedThings | None:
    """Load what goes with an encoder; None where there is nothing."""
    return _found(file).get(encoder_revision)


@lru_cache(maxsize=4)
def _found(file: Path) -> Mapping[str, ListedThings]:
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as found:
        arrays = {one.name: found[one.name].astype(np.float32) for one in fields(ListedThings)}
        return {str(found[_ENCODER]): ListedThings(**arrays)}
