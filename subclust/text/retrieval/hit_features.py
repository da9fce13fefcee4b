"""What is known of hits beside their question and beside each other, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import Float64Array

ABSENT = 1_000
"""Rank of a hit that one of the two searches did not find."""

N_NEAREST = 10
"""Hits nearest to the question by one likeness, which stand for it."""

_FIRST, _MANY = 5, 15
"""First hits that stand for the question."""

_NEIGHBOURS, _CLOSE = 10, 8
"""Hits beside each other: those whose likeness counts, and those whose probability does."""

_EVEN = 60
"""Added to ranks whose reciprocals are summed, so that the first do not outweigh all others."""

_SHARPNESS = 3
"""Power of the likeness by which neighbours are weighed, and of probabilities that are sure."""

_STEPS = 3
"""Times that probabilities spread to neighbours of neighbours."""

_LEAST = 1e-9


@dataclass(frozen=True)
class Likeness:
    """How alike hits and their question are, in one way.

    Parameters
    ----------
    between : ndarray of shape (n_hits, n_hits)
        Cosines of hits with each other.
    asked : ndarray of shape (n_hits,)
        Cosines of hits with the question.
    """

    between: Float64Array
    asked: Float64Array

    @cached_property
    def order(self) -> IntArray:
        """For each hit the others, the most alike first; shape (n_hits, at most 10)."""
        apart = self.between.copy()
        np.fill_diagonal(apart, -np.inf)
        n_others = min(_NEIGHBOURS, max(len(apart) - 1, 1))
        return np.asarray(np.argsort(-apart, axis=1, kind="stable")[:, :n_others])

    @cached_property
    def _weights(self) -> Float64Array:
        near = np.take_along_axis(self.between, self.order, 1)
        weights = np.maximum(near, 1e-6) ** _SHARPNESS
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def around(self, values: Float64Array) -> Float64Array:
        """Compute the mean of values over the neighbours of each hit, by their likeness."""
        return np.asarray((self._weights * values[self.order]).sum(1))

    def to_mean(self, weights: Float64Array) -> Float64Array:
        """Compute the cosine of each hit with the weighted mean of all."""
        to = self.between @ weights
        return np.asarray(to / np.sqrt(max(float(weights @ to), _LEAST)))

    @cached_property
    def _ridge(self) -> Float64Array:
        between = self.between
        n_hits = len(between)
        centred = between - between.mean(0) - between.mean(1)[:, None] + between.mean()
        centred = centred / max(np.trace(centred) / n_hits, _LEAST)
        return np.asarray(np.linalg.solve(centred + np.eye(n_hits), centred))

    def foretold(self, values: Float64Array) -> Float64Array:
        """Compute what kernel ridge regression on all other hits says of each one's value."""
        own = np.minimum(np.diag(self._ridge), 0.999)
        mean = values.mean()
        apart = values - mean
        return np.asarray(mean + (self._ridge @ apart - own * apart) / (1 - own))


def likenesses_of(
    embeddings: FloatArray, vector: FloatArray, words: sparse.csr_matrix
) -> list[Likeness]:
    """Compute the likenesses of hits by meaning and by words.

    Parameters
    ----------
    embeddings : ndarray of shape (n_hits, embedding_dim)
    vector : ndarray of shape (embedding_dim,)
        Of the question.
    words : sparse matrix of shape (n_hits + 1, n_words)
        Of `subclust.text.retrieval.hit_words.word_vectors`.
    """
    n_hits = len(embeddings)
    by_words = np.asarray((words @ words.T).todense())
    exact = embeddings.astype(np.float64)
    return [
        Likeness(exact @ exact.T, exact @ vector),
        Likeness(by_words[:n_hits, :n_hits], by_words[:n_hits, n_hits]),
    ]


def with_both(likenesses: Sequence[Likeness]) -> list[Likeness]:
    """Return the likenesses by meaning and by words, and their mean."""
    meaning, words = likenesses
    both = Likeness((meaning.between + words.between) / 2, (meaning.asked + words.asked) / 2)
    return [meaning, words, both]


def hit_features(
    likenesses: Sequence[Likeness],
    coverage: Float64Array,
    ranks: tuple[IntArray, IntArray],
    scores: Float64Array,
) -> Float64Array:
    """Compute what the first of the two models sees of each hit.

    Parameters
    ----------
    likenesses : sequence of three Likeness
        By meaning, by words and by both. Hits stand in any order.
    coverage : ndarray of shape (n_hits,)
        Of `subclust.text.retrieval.hit_words.word_vectors`.
    ranks : ndarrays of shape (n_hits,)
        From 1, by words and by meaning; `ABSENT` where a search did not find the hit.
    scores : ndarray of shape (n_hits,)
        By which the hits are ordered; higher is better.

    Returns
    -------
    ndarray of shape (n_hits, 47)
    """
    meaning, words, both = likenesses
    n_hits = len(coverage)
    found = np.sum([np.where(rank < ABSENT, 1 / (_EVEN + rank), 0) for rank in ranks], axis=0)
    first = np.zeros(n_hits)
    first[np.argsort(-found, kind="stable")[:_FIRST]] = 1
    features = [part for one in (meaning, words) for part in _beside_question(one, first)]
    features += [coverage, np.full(n_hits, coverage.max()), *(np.log(rank) for rank in ranks)]
    order = np.argsort(-scores, kind="stable")
    place = np.empty(n_hits)
    place[order] = np.arange(1, n_hits + 1)
    best, many = (place <= _FIRST).astype(float), (place <= _MANY).astype(float)
    soft = np.exp((scores - scores.max()) * 2)
    features += [scores, scores - scores.max(), scores - scores[order[:_FIRST]].mean()]
    features += [np.log(place), *(one.to_mean(best) for one in likenesses)]
    features += [one.to_mean(weights) for weights in (many, soft) for one in (meaning, words)]
    features += [one.around(meaning.asked) for one in (meaning, words)]
    features += [one.around(words.asked) for one in (meaning, words)]
    features += [meaning.around(coverage), both.foretold(soft)]
    of_all = (np.log(n_hits), meaning.asked.std(), meaning.between.mean(), words.between.mean())
    return np.column_stack([*features, *(np.full(n_hits, value) for value in of_all)])


def _beside_question(likeness: Likeness, first: Float64Array) -> list[Float64Array]:
    """Compute the eleven features of one likeness: to the question, and to what is near to it."""
    between, asked = likeness.between, likeness.asked
    n_hits = len(asked)
    order = np.argsort(-asked, kind="stable")
    nearest = np.isin(np.arange(n_hits), order[:N_NEAREST]).astype(float)
    soft = np.exp((asked - asked.max()) * 12)
    to_first, to_nearest, to_soft = (likeness.to_mean(w) for w in (first, nearest, soft))
    near = _neighbour_mean(between)
    top = np.full(n_hits, asked[order[:N_NEAREST]].mean())
    return [
        to_first,
        to_first - to_first.max(),
        to_nearest,
        to_soft,
        to_soft - to_soft.max(),
        between[:, order[:_FIRST]].max(1),
        near,
        near - near.max(),
        asked,
        asked - asked[order[:_FIRST]].mean(),
        top,
    ]


def spread_features(likenesses: Sequence[Likeness], probability: Float64Array) -> Float64Array:
    """Compute what the second model sees besides: what the first one thinks of the hits around.

    Parameters
    ----------
    likenesses : sequence of three Likeness
        As for `hit_features`.
    probability : ndarray of shape (n_hits,)
        Of the first model.

    Returns
    -------
    ndarray of shape (n_hits, 31)
    """
    p = probability
    n_hits = len(p)
    features = []
    for one in likenesses[:2]:
        about, not_about = one.to_mean(p), one.to_mean(1 - p)
        close = one.order[:, :_CLOSE]
        features += [about, about - about.max(), about - not_about]
        features += [p[close].mean(1), p[close].max(1)]
    best = np.sort(p)[::-1]
    rank = np.empty(n_hits)
    rank[np.argsort(-p, kind="stable")] = np.arange(1, n_hits + 1)
    features += [p, np.full(n_hits, p.mean()), np.full(n_hits, best[:N_NEAREST].mean())]
    features += [np.log(rank), *(one.around(p) for one in likenesses)]
    both, wider = likenesses[2], p
    for _ in range(_STEPS):
        wider = (p + both.around(wider)) / 2
    sure, unlikely = p**_SHARPNESS + 1e-6, (1 - p) ** _SHARPNESS + 1e-6
    features += [wider, *(one.to_mean(sure) for one in likenesses)]
    features += [both.to_mean(sure) - both.to_mean(unlikely)]
    features += [one.foretold(p) for one in likenesses]
    of_all = [best[min(place, n_hits - 1)] for place in (2, 9, 24, 49)]
    of_all += [p.sum(), p.std()]
    return np.column_stack([*features, *(np.full(n_hits, value) for value in of_all)])


def _neighbour_mean(between: Float64Array) -> Float64Array:
    apart = between.copy()
    np.fill_diagonal(apart, 0)
    n = min(_NEIGHBOURS, len(apart))
    means: Float64Array = np.partition(apart, -n, axis=1)[:, -n:].mean(1)
    return means
