"""Scores of hits that share no documents, by what a question names or asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.records import FloatArray

SHARPNESS = 10.0
"""Of the choice between the things that a question names."""

SHIPPED = Path(__file__).with_suffix(".npz")
_ENCODER = "encoder"

# Must be the value of the training, `benchmarks.dividing.learn_metric`.
_SCALE = 4.0

_LARGE = 10_000
"""Numbers of an array from which on it is kept in 8 bits."""

_STEPS = "_steps"

Encode = Callable[[Sequence[str]], FloatArray]
"""Encodes texts by the base encoder; (n_texts, embedding_dim), each of length 1."""


@dataclass(frozen=True)
class QuestionMetric:
    r"""A low-rank metric whose weights a question sets, where it asks for what is known.

    With :math:`z` the centred vectors of the base encoder, :math:`P` the directions and
    :math:`w(q)` positive weights that a small network reads from the question, it is the mean over
    several networks, trained alike from different starts, of

    .. math::
        s_{ij} = w_0 b_{ij} + w_1 n_{ij} + w_2 \cos(\sqrt{w_{3:}} P z_i, \sqrt{w_{3:}} P z_j)

    where :math:`b` compares subjects and :math:`n` the things that the question names, each
    standardised over the hit set. Other networks tell, by their mean, whether a question asks for a
    division like those of the training. Of any other one, :math:`s = b + n`.

    Parameters
    ----------
    directions : ndarray of shape (n_networks, embedding_dim, rank)
    question : ndarray of shape (n_networks, embedding_dim, width)
    question_shift : ndarray of shape (n_networks, width)
    weights, weights_shift : ndarray of shape (n_networks, width, 3 + rank), (n_networks, 3 + rank)
    scales : ndarray of shape (3,)
        Of the first three weights.
    known, known_shift : ndarray of shape (n_networks, embedding_dim, width), (n_networks, width)
    known_out, known_out_shift : ndarray of shape (n_networks, width), (n_networks,)
    thresholds : ndarray of shape (2,)
        Scores at which groups merge when their number is automatic, of other questions and of
        known ones.
    """

    directions: FloatArray
    question: FloatArray
    question_shift: FloatArray
    weights: FloatArray
    weights_shift: FloatArray
    scales: FloatArray
    known: FloatArray
    known_shift: FloatArray
    known_out: FloatArray
    known_out_shift: FloatArray
    thresholds: FloatArray

    def knows(self, question: FloatArray) -> bool:
        """Return whether a question asks for a division like those of the training.

        Parameters
        ----------
        question : ndarray of shape (embedding_dim,)
            By the base encoder, of length 1.
        """
        read = np.tanh(_SCALE * (question @ self.known + self.known_shift))
        return float(((read * self.known_out).sum(axis=1) + self.known_out_shift).mean()) > 0

    def scores(
        self, question: FloatArray, base: FloatArray, subjects: FloatArray, named: FloatArray | None
    ) -> FloatArray:
        """Score all pairs.

        Parameters
        ----------
        question : ndarray of shape (embedding_dim,)
        base : ndarray of shape (n_passages, embedding_dim)
            Centred over the hit set, of length 1 each.
        subjects : ndarray of shape (n_passages, n_passages)
        named : ndarray of shape (n_passages, n_passages), optional
            Of `shares_of_things`, where the question names some.

        Returns
        -------
        ndarray of shape (n_passages, n_passages)
        """
        about = standardised(subjects)
        things = np.zeros_like(about) if named is None else standardised(named)
        if not self.knows(question):
            return about + things
        read = np.tanh(_SCALE * (question @ self.question + self.question_shift))
        weights = np.logaddexp(0, (read[:, None] @ self.weights)[:, 0] + self.weights_shift)
        moved = (base @ self.directions) * np.sqrt(weights[:, None, 3:])
        moved /= np.maximum(np.linalg.norm(moved, axis=2, keepdims=True), 1e-4)
        first, second, third = (self.scales * weights[:, :3]).T
        # One product of all networks' vectors side by side is the mean of their cosines.
        moved *= np.sqrt(third / len(third))[:, None, None]
        beside = np.concatenate(moved, axis=1)
        scores = first.mean() * about + second.mean() * things + beside @ beside.T
        return np.asarray(scores, dtype=np.float32)

    def threshold(self, question: FloatArray) -> float:
        """Return the score at which groups merge."""
        return float(self.thresholds[int(self.knows(question))])

    def save(self, file: Path, encoder_revision: str) -> None:
        """Write the arrays, with the encoder that they go with.

        The largest are rounded to 8 bits, each column in steps of its own, the others to 16.
        """
        arrays: dict[str, Any] = {}
        for name in (one.name for one in fields(self)):
            array = getattr(self, name)
            if array.size >= _LARGE:
                steps = np.maximum(np.abs(array).max(axis=-2, keepdims=True), 1e-9) / 127
                arrays[name + _STEPS] = steps.astype(np.float32)
                arrays[name] = np.rint(array / steps).astype(np.int8)
            else:
                arrays[name] = array.astype(np.float16)
        np.savez_compressed(
            file, allow_pickle=False, **arrays, **{_ENCODER: np.array(encoder_revision)}
        )
        forget()


def shares_of_things(vectors: FloatArray, things: FloatArray) -> FloatArray:
    """Return how surely two passages go with the same thing.

    Parameters
    ----------
    vectors : ndarray of shape (n_passages, embedding_dim)
        Not centred.
    things : ndarray of shape (n_things, embedding_dim)

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        0 to 1; higher is closer.
    """
    nearness = vectors @ things.T
    nearness = SHARPNESS * (nearness - nearness.mean(axis=0))
    shares = np.exp(nearness - nearness.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(shares @ shares.T, dtype=np.float32)


def standardised(scores: FloatArray) -> FloatArray:
    """Return scores of mean 0 and deviation 1 over the pairs, 0 on the diagonal."""
    n_passages = len(scores)
    apart = scores - np.diag(np.diagonal(scores))
    apart = apart - apart.sum() / max(n_passages * (n_passages - 1), 1)
    np.fill_diagonal(apart, 0.0)
    return np.asarray(apart / (apart.std() + 1e-6), dtype=np.float32)


def load_metric(encoder_revision: str, file: Path = SHIPPED) -> QuestionMetric | None:
    """Load the metric that goes with an encoder; None where there is none."""
    return _metrics(file).get(encoder_revision)


@lru_cache(maxsize=4)
def _metrics(file: Path) -> Mapping[str, QuestionMetric]:
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as found:
        names = [one.name for one in fields(QuestionMetric)]
        metric = QuestionMetric(**{name: _read(found, name) for name in names})
        return {str(found[_ENCODER]): metric}


def _read(found: Mapping[str, Any], name: str) -> FloatArray:
    array = np.asarray(found[name], dtype=np.float32)
    return array * found[name + _STEPS] if name + _STEPS in found else array


def forget() -> None:
    """Read the files again when they are next asked for."""
    _metrics.cache_clear()
