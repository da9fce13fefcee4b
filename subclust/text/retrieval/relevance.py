"""How probable it is that each hit is about the question.

The first hits know better than the question what it is about: a passage on the treatment of autism
need not say "autism", but it is like others that do. So what is learnt is not a reading of the
texts, but how likenesses among hits, and between them and the question, go with being about it:
one model sees each hit beside the question and beside the first hits, a second one sees as well
what the first thinks of the hits around it. ``python -m benchmarks relevance --train`` makes both.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray, Query
from subclust.core.records.arrays import BoolArray, Float64Array
from subclust.core.records.boilerplate import without_labels
from subclust.core.trees import BoostedTrees
from subclust.text.encoders.base import Encoder
from subclust.text.retrieval.fusion import fuse
from subclust.text.retrieval.hit_features import (
    N_NEAREST,
    hit_features,
    likenesses_of,
    spread_features,
    with_both,
)
from subclust.text.retrieval.hit_words import word_vectors, words_in

MIN_RELEVANCE = 0.6
"""Least probability of the best hit of a question that a library seems to answer."""

MIN_NEAREST = 0.35
"""Least `nearest_cosine` of such a question: hits may belong together and yet be far from it.
Chosen on validation, where both bounds together tell best if the article asked for is there."""

SURELY_NEAR = 0.48
"""`nearest_cosine` from which a question is answered however unlikely each hit is to be of the one
article about it: "ancient Greek philosophy" is in the lives of all who taught it. On validation no
question whose article is missing comes so near for this alone."""

SURE_BY_TITLE, SURE_BY_WORDS, SURE_ALONE = 0.2, 0.4, 0.55
"""Cosine with its question from which one hit alone answers it: one with all words of the question
in its title and headings, one with all of them there and in its text, and any. A list of some
dozen records has one or two on a subject, where articles have many passages. Chosen on titles of
abstracts and on validation; see `benchmarks.small_libraries`."""

SURE = 0.9
"""Least probability of such a hit, where the models say that nothing answers the question."""

ALL_ABOUT = 0.2
"""Mean probability of the tenth of given passages that is least about the question, from which on
all count as about it, so that little is lost where they are; chosen on validation."""

MOST_LEARNED = 200
"""Most hits of one question among which the models learned to tell."""

STRICTNESSES: dict[str, float] = {"all": np.inf, "looser": 1.2, "usual": 0.65, "stricter": 0.4}
"""How much recall counts beside precision where the cut is chosen, see `cut_of`. With the usual
one, 85% of the right hits of validation questions are grouped."""

FEW = 10
"""Passages about a question below which a library is said to have little on it."""


@dataclass(frozen=True)
class RelevanceModel:
    """Estimates which hits are about the question.

    Parameters
    ----------
    encoder_revision : str
        Of the encoder whose vectors it learnt from; likenesses of others have scales of their own.
    alone : BoostedTrees
        Sees each hit beside the question and the first hits.
    together : BoostedTrees
        Sees as well what the first one thinks of the hits around.
    """

    encoder_revision: str
    alone: BoostedTrees
    together: BoostedTrees

    def estimate(
        self,
        question: str,
        vector: FloatArray,
        texts: Sequence[str],
        embeddings: FloatArray,
        ranks: tuple[IntArray, IntArray],
        scores: Float64Array,
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
        scores : ndarray of shape (n_hits,)
            As for `hit_features`.

        Returns
        -------
        ndarray of shape (n_hits,)
            0 to 1; higher is more probable.
        """
        if not len(texts):
            return np.zeros(0)
        words, coverage = word_vectors(question, texts)
        likenesses = with_both(likenesses_of(embeddings, vector, words))
        features = hit_features(likenesses, coverage, ranks, scores)
        first = self.alone.probabilities(features)
        around = spread_features(likenesses, first)
        return self.together.probabilities(np.column_stack([features, around]))

    def estimate_unranked(
        self, question: str, vector: FloatArray, texts: Sequence[str], embeddings: FloatArray
    ) -> Float64Array:
        """Estimate it of passages that no search has ranked, by their ranks among themselves.

        Parameters
        ----------
        question, vector, texts, embeddings
            As for `estimate`.

        Returns
        -------
        ndarray of shape (n_hits,)
            0 to 1; higher is more probable.
        """
        if not len(texts):
            return np.zeros(0)
        ranks, scores = ranked(question, vector, texts, embeddings)
        return self.estimate(question, vector, texts, embeddings, ranks, scores)

    @staticmethod
    def answers(probabilities: Float64Array, nearest: float | None) -> bool:
        """Return whether hits seem to answer their question.

        Parameters
        ----------
        probabilities : ndarray of shape (n_hits,)
            Of `estimate`, for at most `MOST_LEARNED` hits.
        nearest : float or None
            Of `nearest_cosine`.
        """
        if nearest is None or nearest < MIN_NEAREST:
            return False
        likely = bool(probabilities.max(initial=0.0) >= MIN_RELEVANCE)
        return likely or (nearest >= SURELY_NEAR and len(probabilities) > 0)

    def to_bytes(self) -> bytes:
        """Write the model as a compressed NumPy archive."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {"encoder_revision": np.array(self.encoder_revision)}
        arrays |= self.alone.to_arrays("alone") | self.together.to_arrays("together")
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> "RelevanceModel":
        """Read what `to_bytes` wrote."""
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            parts = [BoostedTrees.of_arrays(stored, name) for name in ("alone", "together")]
            return cls(str(stored["encoder_revision"]), *parts)


@cache
def shipped_model() -> RelevanceModel:
    """Return the model of the hits of searches that ships with Subclust."""
    return _shipped("relevance.npz")


@cache
def given_model() -> RelevanceModel:
    """Return the model of passages that no search has found; most may be about the question."""
    return _shipped("given_relevance.npz")


def _shipped(name: str) -> RelevanceModel:
    return RelevanceModel.from_bytes(resources.files(__package__).joinpath(name).read_bytes())


def ranked(
    question: str, vector: FloatArray, texts: Sequence[str], embeddings: FloatArray
) -> tuple[tuple[IntArray, IntArray], Float64Array]:
    """Rank passages among themselves.

    Parameters
    ----------
    question, vector, texts, embeddings
        As for `RelevanceModel.estimate`.

    Returns
    -------
    ranks : ndarrays of shape (n_hits,)
        By words and by meaning, from 1.
    scores : ndarray of shape (n_hits,)
    """
    words, _ = word_vectors(question, texts)
    by_words = np.asarray((words[:-1] @ words[-1].T).todense(), dtype=np.float64)[:, 0]
    by_meaning = embeddings.astype(np.float64) @ vector
    ranks = (_places(by_words), _places(by_meaning))
    return ranks, fuse(by_words, by_meaning, embeddings, words[:-1])


def settled(probabilities: Float64Array, all_about: float = ALL_ABOUT) -> Float64Array:
    """Return probabilities of given passages, 1 for all where hardly any seem to be strangers.

    Parameters
    ----------
    probabilities : ndarray of shape (n_hits,)
    all_about : float
        As `ALL_ABOUT`.
    """
    least = np.sort(probabilities)[: max(1, len(probabilities) // 10)]
    is_whole = len(probabilities) > 0 and float(least.mean()) >= all_about
    return np.ones(len(probabilities)) if is_whole else probabilities


def with_relevance(
    query: Query, encoder: Encoder, texts: Sequence[str], embeddings: FloatArray
) -> Query:
    """Return a query with its `relevance`, for passages that no search has found for it.

    Where hardly any of them seem to be about something else, all count as about the query.

    Parameters
    ----------
    query : Query
    encoder : Encoder
        Where nothing is known of it, the query is returned as it is.
    texts : sequence of n_passages str
    embeddings : ndarray of shape (n_passages, at least embedding_dim)
        Those by the encoder stand last.
    """
    model = given_model()
    if model.encoder_revision != encoder.revision or not query.subject.strip():
        return query
    vector = encoder.encode_asked(query.subject)
    # Where scores are equal, ranks go by place, which must not depend on the order that is given.
    order = sorted(range(len(texts)), key=lambda row: texts[row])
    texts, own = [texts[row] for row in order], embeddings[order, -encoder.embedding_dim :]
    own = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6)
    found = model.estimate_unranked(query.subject, vector, texts, own)
    known = dict(zip(map(without_labels, texts), settled(found).tolist(), strict=True))
    return replace(query, relevance=known)


def _places(scores: Float64Array) -> IntArray:
    """Return the rank of each from 1, the highest score first."""
    places = np.empty(len(scores), dtype=np.int64)
    places[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return places


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


def judge_hits(
    model: RelevanceModel,
    question: str,
    vector: FloatArray,
    titles: Sequence[str],
    texts: Sequence[str],
    embeddings: FloatArray,
    ranks: tuple[IntArray, IntArray],
    scores: Float64Array,
) -> tuple[Float64Array, bool]:
    """Estimate how probable it is that each hit is about the question, and whether any answers it.

    Parameters
    ----------
    model : RelevanceModel
    question, vector, texts, embeddings, ranks, scores
        As for `RelevanceModel.estimate`, hits in the order of their scores.
    titles : sequence of n_hits str
        As for `sure_hits`.

    Returns
    -------
    probabilities : ndarray of shape (n_hits,)
        0 to 1; higher is more probable.
    answered : bool
    """

    def estimated(most: int) -> Float64Array:
        first = (ranks[0][:most], ranks[1][:most])
        return model.estimate(
            question, vector, texts[:most], embeddings[:most], first, scores[:most]
        )

    found = estimated(len(texts))
    # Among many more hits than the model learned from, even the best seem less likely.
    best = found if len(texts) <= MOST_LEARNED else estimated(MOST_LEARNED)
    if model.answers(best, nearest_cosine(vector, embeddings)):
        return found, True
    sure = sure_hits(question, titles, texts, embeddings.astype(np.float64) @ vector)
    return np.where(sure, np.maximum(found, SURE), found), bool(sure.any())


def sure_hits(
    question: str, titles: Sequence[str], texts: Sequence[str], cosines: Float64Array
) -> BoolArray:
    """Return which hits answer their question each by itself.

    Parameters
    ----------
    question : str
    titles : sequence of n_hits str
        With the headings above.
    texts : sequence of n_hits str
    cosines : ndarray of shape (n_hits,)
        With the question.

    Returns
    -------
    ndarray of shape (n_hits,), bool
    """
    asked = words_in(question)

    def holding(parts: Sequence[str]) -> BoolArray:
        return np.array([bool(asked) and asked <= words_in(one) for one in parts], dtype=bool)

    in_title = holding(titles) & (cosines >= SURE_BY_TITLE)
    whole = [f"{title}\n{text}" for title, text in zip(titles, texts, strict=True)]
    return np.asarray(
        in_title | holding(whole) & (cosines >= SURE_BY_WORDS) | (cosines >= SURE_ALONE)
    )


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
