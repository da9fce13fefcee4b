"""How probable it is that each hit is about the question.

The first hits know better than the question what it is about: a passage on the treatment of autism
need not say "autism", but it is like others that do. So what is learnt is not a reading of the
texts, but how likenesses among hits, and between them and the question, go with being about it:
one model sees each hit beside the question and beside the first hits, a second one sees as well
what the first thinks of the hits around it. ``python -m benchmarks relevance --train`` makes both.
"""

import io
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import Float64Array
from subclust.core.trees import FlatTrees
from subclust.grouping.naming.words import is_function_word, root

MIN_RELEVANCE = 0.6
"""Least probability of the best hit of a question that a library seems to answer."""

MOST_LEARNED = 200
"""Most hits of one question among which the models learned to tell."""

STRICTNESSES: dict[str, float] = {"all": np.inf, "looser": 1.2, "usual": 0.7, "stricter": 0.4}
"""How much recall counts beside precision where the cut is chosen, see `cut_of`."""

N_FIRST, N_NEAREST, N_NEIGHBOURS, N_CLOSE = 5, 10, 10, 8
"""Hits that stand for the question: the first by both their ranks, the nearest by one likeness;
and hits beside each other: those whose mean likeness counts, and those whose probability does."""

ABSENT = 1_000
"""Rank of a hit that one of the two searches did not find."""

_EVEN = 60
"""Added to ranks whose reciprocals are summed, so that the first do not outweigh all others."""

FEW = 10
"""Passages about a question below which a library is said to have little on it."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Trees:
    """Boosted regression trees whose sum is a log-odds.

    Parameters
    ----------
    feature, left, right : ndarray of shape (n_trees, n_nodes), integers
        What a node asks, and where those at most at its threshold and the others go on; a leaf
        sends all to itself.
    threshold, value : ndarray of shape (n_trees, n_nodes)
        The value counts at leaves.
    baseline : float
    depth : int
        Questions on the longest way to a leaf.
    """

    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    value: FloatArray
    baseline: float
    depth: int

    def probabilities(self, features: Float64Array) -> Float64Array:
        """Compute the probability, 0 to 1, of each row of features (n_rows, n_features)."""
        values = self._flat.values(features)
        return np.asarray(expit(self.baseline + values.sum(1)))

    @cached_property
    def _flat(self) -> FlatTrees:
        return FlatTrees.of(self.feature, self.threshold, self.left, self.right, self.value)


@dataclass(frozen=True)
class RelevanceModel:
    """Estimates which hits are about the question.

    Parameters
    ----------
    encoder_revision : str
        Of the encoder whose vectors it learnt from; likenesses of others have scales of their own.
    alone : Trees
        Sees each hit beside the question and the first hits.
    together : Trees
        Sees as well what the first one thinks of the hits around.
    """

    encoder_revision: str
    alone: Trees
    together: Trees

    def estimate(
        self,
        question: str,
        vector: FloatArray,
        texts: Sequence[str],
        embeddings: FloatArray,
        ranks: tuple[IntArray, IntArray],
    ) -> Float64Array:
        """Estimate how probable it is that each hit is about the question.

        Parameters
        ----------
        question : str
        vector : ndarray of shape (embedding_dim,)
            Of the question, of length 1.
        texts : sequence of n_hits str
        embeddings : ndarray of shape (n_hits, embedding_dim)
            Each of length 1.
        ranks : ndarrays of shape (n_hits,)
            As for `hit_features`.

        Returns
        -------
        ndarray of shape (n_hits,)
            0 to 1; higher is more probable.
        """
        if not len(texts):
            return np.zeros(0)
        words, coverage = word_vectors(question, texts)
        likenesses = likenesses_of(embeddings, vector, words)
        features = hit_features(likenesses, coverage, ranks)
        first = self.alone.probabilities(features)
        around = spread_features([between for between, _ in likenesses], first)
        return self.together.probabilities(np.column_stack([features, around]))

    def to_bytes(self) -> bytes:
        """Write the model as a compressed NumPy archive."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {"encoder_revision": np.array(self.encoder_revision)}
        for name in ("alone", "together"):
            trees = getattr(self, name)
            arrays |= {f"{name}.{part}": getattr(trees, part) for part in Trees.__annotations__}
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> "RelevanceModel":
        """Read what `to_bytes` wrote."""
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            parts = {
                name: Trees(
                    **{
                        part: stored[f"{name}.{part}"][()]
                        if part in ("baseline", "depth")
                        else stored[f"{name}.{part}"]
                        for part in Trees.__annotations__
                    }
                )
                for name in ("alone", "together")
            }
            return cls(str(stored["encoder_revision"]), **parts)


@cache
def shipped_model() -> RelevanceModel:
    """Return the model that ships with Subclust."""
    return RelevanceModel.from_bytes(
        resources.files(__package__).joinpath("relevance.npz").read_bytes()
    )


def cut_of(probabilities: Float64Array, strictness: str = "usual") -> float:
    """Choose from which probability on the hits of a question are about it.

    The cut is where the expected F-measure is highest: of the k most probable hits it is
    ``(1 + b²) · sum of their probabilities / (k + b² · sum of all)``. So it is lower where many
    hits may be about the question, but none surely, than where some are and the others are not.

    D. D. Lewis: Evaluating and optimizing autonomous text classification systems. SIGIR 1995.

    Parameters
    ----------
    probabilities : ndarray of shape (n_hits,)
        0 to 1.
    strictness : {"all", "looser", "usual", "stricter"}
        Names b in `STRICTNESSES`.

    Returns
    -------
    float
        0 to 1; at most the highest of the probabilities.

    Raises
    ------
    InputError
        If there is no such strictness.
    """
    if strictness not in STRICTNESSES:
        raise InputError(
            "The strictness must be one of {names}, but is {strictness!r}.",
            names=", ".join(STRICTNESSES),
            strictness=strictness,
        )
    if strictness == "all" or not len(probabilities):
        return 0.0
    weight = STRICTNESSES[strictness] ** 2
    best = np.sort(probabilities)[::-1]
    found = np.cumsum(best) / (np.arange(1, len(best) + 1) + weight * best.sum())
    return float(best[int(found.argmax())])


def nearest_cosine(vector: FloatArray, embeddings: FloatArray) -> float | None:
    """Compute the mean cosine of a question with the passages nearest to it.

    Parameters
    ----------
    vector : ndarray of shape (embedding_dim,)
        Of the question, of length 1.
    embeddings : ndarray of shape (n_hits, embedding_dim)
        Of the hits, each of length 1.

    Returns
    -------
    float or None
        -1 to 1, of the `N_NEAREST` nearest or of all where there are fewer; None without hits.
    """
    if not len(embeddings):
        return None
    return float(np.sort(embeddings @ vector)[::-1][:N_NEAREST].mean())


def likenesses_of(
    embeddings: FloatArray, vector: FloatArray, words: sparse.csr_matrix
) -> list[tuple[Float64Array, Float64Array]]:
    """Compute the likenesses that `hit_features` takes, by meaning and by words."""
    n_hits = len(embeddings)
    by_words = np.asarray((words @ words.T).todense())
    exact = embeddings.astype(np.float64)
    return [
        (exact @ exact.T, exact @ vector),
        (by_words[:n_hits, :n_hits], by_words[:n_hits, n_hits]),
    ]


def word_vectors(question: str, texts: Sequence[str]) -> tuple[sparse.csr_matrix, Float64Array]:
    """Compute TF-IDF vectors of hits and question, with no other documents than the hits.

    Parameters
    ----------
    question : str
    texts : sequence of n_hits str

    Returns
    -------
    vectors : sparse matrix of shape (n_hits + 1, n_words)
        L2-normalised; the question is last. Rows are 0 where a text has no word that counts.
    coverage : ndarray of shape (n_hits,)
        Share, 0 to 1, of the question's inverse document frequencies whose words a hit holds.
    """
    words = [*map(_words_of_passage, texts), counted_words(question)]
    column: defaultdict[str, int] = defaultdict()
    column.default_factory = column.__len__
    columns = [column[word] for some in words for word in some]
    rows = np.repeat(np.arange(len(words)), [len(some) for some in words])
    shape = (len(words), max(len(column), 1))
    counts = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape)
    return weigh(counts)


def weigh(counts: sparse.csr_matrix) -> tuple[sparse.csr_matrix, Float64Array]:
    """Weigh counts of words (n_hits + 1, n_words), the question last, for `word_vectors`."""
    n_hits = counts.shape[0] - 1
    counts.sum_duplicates()
    holding = np.bincount(counts[:n_hits].indices, minlength=counts.shape[1])
    weight = np.log((1 + n_hits) / (1 + holding)) + 1
    asked = np.unique(counts[n_hits].indices)
    held = (counts[:n_hits][:, asked] > 0) @ weight[asked]
    coverage = held / max(weight[asked].sum(), 1e-9)
    vectors = counts.copy()
    vectors.data = (1 + np.log(vectors.data)) * weight[vectors.indices]
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(1)).ravel())
    return sparse.diags(1 / np.maximum(lengths, 1e-9)) @ vectors, coverage


def hit_features(
    likenesses: Sequence[tuple[Float64Array, Float64Array]],
    coverage: Float64Array,
    ranks: tuple[IntArray, IntArray],
) -> Float64Array:
    """Compute what the first of the two models sees of each hit.

    Parameters
    ----------
    likenesses : sequence of (between, asked)
        By meaning and by words: cosines of hits with each other, (n_hits, n_hits), and with the
        question, (n_hits,). Hits stand in any order.
    coverage : ndarray of shape (n_hits,)
        Of `word_vectors`.
    ranks : ndarrays of shape (n_hits,)
        From 1, by words and by meaning; `ABSENT` where a search did not find the hit.

    Returns
    -------
    ndarray of shape (n_hits, 26)
    """
    found = np.sum([np.where(rank < ABSENT, 1 / (_EVEN + rank), 0) for rank in ranks], axis=0)
    first = np.zeros(len(coverage))
    first[np.argsort(-found, kind="stable")[:N_FIRST]] = 1
    features = [
        part for between, asked in likenesses for part in _beside_question(between, asked, first)
    ]
    best = np.full(len(coverage), coverage.max())
    return np.column_stack([*features, coverage, best, *(np.log(rank) for rank in ranks)])


def _beside_question(
    between: Float64Array, asked: Float64Array, first: Float64Array
) -> list[Float64Array]:
    """Compute the eleven features of one likeness: to the question, and to what is near to it."""
    n_hits = len(asked)
    order = np.argsort(-asked, kind="stable")
    nearest = np.isin(np.arange(n_hits), order[:N_NEAREST]).astype(float)
    soft = np.exp((asked - asked.max()) * 12)
    to_first, to_nearest, to_soft = (_to_mean(between, w) for w in (first, nearest, soft))
    near = _neighbour_mean(between, N_NEIGHBOURS)
    top = np.full(n_hits, asked[order[:N_NEAREST]].mean())
    return [
        to_first,
        to_first - to_first.max(),
        to_nearest,
        to_soft,
        to_soft - to_soft.max(),
        between[:, order[:N_FIRST]].max(1),
        near,
        near - near.max(),
        asked,
        asked - asked[order[:N_FIRST]].mean(),
        top,
    ]


def spread_features(betweens: Sequence[Float64Array], probability: Float64Array) -> Float64Array:
    """Compute what the second model sees besides: what the first one thinks of the hits around.

    Parameters
    ----------
    betweens : sequence of two ndarrays of shape (n_hits, n_hits)
        Cosines of hits with each other, by meaning and by words.
    probability : ndarray of shape (n_hits,)
        Of the first model.

    Returns
    -------
    ndarray of shape (n_hits, 14)
    """
    p = probability
    n_hits = len(p)
    features = []
    for between in betweens:
        about, not_about = _to_mean(between, p), _to_mean(between, 1 - p)
        apart = between.copy()
        np.fill_diagonal(apart, -np.inf)
        close = np.argsort(-apart, axis=1, kind="stable")[:, : min(N_CLOSE, max(n_hits - 1, 1))]
        features += [
            about,
            about - about.max(),
            about - not_about,
            p[close].mean(1),
            p[close].max(1),
        ]
    best = np.sort(p)[::-1][:N_NEAREST].mean()
    rank = np.empty(n_hits)
    rank[np.argsort(-p, kind="stable")] = np.arange(1, n_hits + 1)
    return np.column_stack(
        [*features, p, np.full(n_hits, p.mean()), np.full(n_hits, best), np.log(rank)]
    )


def _to_mean(between: Float64Array, weights: Float64Array) -> Float64Array:
    """Compute the cosine of each hit with the weighted mean of all, from their Gram matrix."""
    to = between @ weights
    return np.asarray(to / np.sqrt(max(float(weights @ to), 1e-9)))


def _neighbour_mean(between: Float64Array, n: int) -> Float64Array:
    apart = between.copy()
    np.fill_diagonal(apart, 0)
    means: Float64Array = np.sort(apart, axis=1)[:, -n:].mean(1)
    return means


def counted_words(text: str) -> list[str]:
    """List the roots of the words of a text that mean something, in their order."""
    return [reduced for word in _WORD.findall(text.lower()) if (reduced := counted(word))]


@lru_cache(5_000)
def _words_of_passage(text: str) -> tuple[str, ...]:
    return tuple(counted_words(text))


@lru_cache(50_000)
def counted(word: str) -> str | None:
    """Return the root of a word in small letters that means something, None of any other."""
    return None if is_function_word(word) else root(word)
