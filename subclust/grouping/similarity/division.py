"""By what a question wants its hits divided, told by its vector."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from subclust.core.records import FloatArray

Way = Literal["subjects", "aspects", "usual"]
"""By whom or what passages are about, by what they say of it, or as the method divides anyway."""

WAYS: tuple[Way, ...] = get_args(Way)

SURE = 0.7
"""Least probability of another way than the usual one."""

SHIPPED = Path(__file__).parent / "division.npz"
_ENCODER = "encoder"


@dataclass(frozen=True)
class DivisionGate:
    """A small network that tells by a question's vector how to divide.

    Where several hits come from one document, "by topic" asks across the documents; where each
    hit is a document of its own, topics are what they are about. So it is told which is the case.

    Parameters
    ----------
    question, question_shift : ndarray of shape (embedding_dim, width), (width,)
        Scaled by the training as `tanh` wants it.
    hidden, hidden_shift : ndarray of shape (2 * width + 1, hidden_dim), (hidden_dim,)
    out, out_shift : ndarray of shape (hidden_dim, 3), (3,)
    thresholds : ndarray of shape (2,)
        Scores at which groups merge when their number is automatic, by subjects and by aspects.
    """

    question: FloatArray
    question_shift: FloatArray
    hidden: FloatArray
    hidden_shift: FloatArray
    out: FloatArray
    out_shift: FloatArray
    thresholds: FloatArray

    def probabilities(self, question: FloatArray, *, shared_documents: bool) -> FloatArray:
        """Return the probability of each of `WAYS`.

        Parameters
        ----------
        question : ndarray of shape (..., embedding_dim)
            By the base encoder, of length 1.
        shared_documents : bool
            Whether several hits come from one document.

        Returns
        -------
        ndarray of shape (..., 3)
        """
        read = np.tanh(question @ self.question + self.question_shift)
        flag = np.full((*read.shape[:-1], 1), float(shared_documents), dtype=np.float32)
        seen = np.concatenate([read, read * flag, flag], axis=-1)
        logits = np.maximum(seen @ self.hidden + self.hidden_shift, 0) @ self.out + self.out_shift
        odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=-1, keepdims=True), dtype=np.float32)

    def way(self, question: FloatArray, *, shared_documents: bool) -> Way:
        """Return how to divide: the usual way, unless another one is probable enough."""
        found = self.probabilities(question, shared_documents=shared_documents)
        best = int(found[:2].argmax())
        return WAYS[best] if found[best] >= SURE else "usual"

    def threshold(self, way: Way) -> float:
        """Return the score at which groups of another way than the usual one merge."""
        return float(self.thresholds[WAYS.index(way)])

    def save(self, file: Path, encoder_revision: str) -> None:
        """Write the arrays, with the encoder that they go with."""
        arrays = {one.name: getattr(self, one.name) for one in fields(self)}
        np.savez_compressed(
            file, allow_pickle=False, **arrays, **{_ENCODER: np.array(encoder_revision)}
        )
        forget()


def load_gate(encoder_revision: str, file: Path = SHIPPED) -> DivisionGate | None:
    """Load the gate that goes with an encoder; None where there is none."""
    return _gates(file).get(encoder_revision)


@lru_cache(maxsize=4)
def _gates(file: Path) -> Mapping[str, DivisionGate]:
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as found:
        gate = DivisionGate(**{one.name: found[one.name] for one in fields(DivisionGate)})
        return {str(found[_ENCODER]): gate}


def forget() -> None:
    """Read the files again when they are next asked for."""
    _gates.cache_clear()
