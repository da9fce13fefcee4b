"""Libraries in memory, of the passages of labelled queries, and questions that are put to them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from benchmarks.rank_fusion import RRF_K
from subclust.core.records import ClusteringInstance, FloatArray, IntArray
from subclust.core.records.arrays import Float64Array
from subclust.text.retrieval.fusion import fuse
from subclust.text.retrieval.hit_features import (
    ABSENT,
    Likeness,
    hit_features,
    likenesses_of,
    with_both,
)
from subclust.text.retrieval.hit_words import counted, counted_words, weigh
from subclust.text.retrieval.relevance import sure_hits
from subclust.text.retrieval.retriever import FUSION_DEPTH


@dataclass(frozen=True)
class Sight:
    """What the models see of the hits of one question.

    Parameters
    ----------
    rows : ndarray of shape (n_hits,)
        Of the library, best hit first.
    features : ndarray of shape (n_hits, n_features)
    likenesses : list of Likeness
        By meaning and by words.
    """

    rows: IntArray
    features: Float64Array
    likenesses: list[Likeness]


@dataclass(frozen=True)
class Found:
    """What words and meaning find, before it is one ranking.

    Parameters
    ----------
    rows : ndarray of shape (n_hits,)
        Of the library, ascending.
    bm25, cosines : ndarray of shape (n_hits,)
    by_words, by_meaning : ndarray of shape (n_hits,)
        Ranks, from 1; `ABSENT` where a search did not find the hit.
    """

    rows: IntArray
    bm25: Float64Array
    cosines: Float64Array
    by_words: IntArray
    by_meaning: IntArray


class Shelf:
    """A library in memory, of all passages of some articles.

    Parameters
    ----------
    embeddings : sequence of n_articles ndarray of shape (n_passages, embedding_dim)
    """

    def __init__(
        self, instances: Sequence[ClusteringInstance], embeddings: Sequence[FloatArray]
    ) -> None:
        self.instances = instances
        self.article = np.repeat(np.arange(len(instances)), [len(one) for one in embeddings])
        self.texts = [one.text for instance in instances for one in instance.passages]
        self.embeddings = np.concatenate(embeddings).astype(np.float32)
        self._column: dict[str, int] = {}
        columns: list[int] = []
        ends = [0]
        for instance in instances:
            for passage in instance.passages:
                columns += [
                    self._column.setdefault(word, len(self._column))
                    for word in counted_words(passage.text)
                ]
                ends.append(len(columns))
        shape = (len(self.article), len(self._column))
        self.counts = sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape)
        self.counts.sum_duplicates()
        self._bm25 = _bm25(self.counts)

    def see(
        self, question: str, vector: FloatArray, n_hits: int, without: int | None = None
    ) -> Sight:
        """Ask a question by words and by meaning, as the product does, and look at the hits.

        Parameters
        ----------
        vector : ndarray of shape (embedding_dim,)
        n_hits : int
            At most so many.
        without : int, optional
            An article that is left out of the library.
        """
        found = self.find(question, vector, max(n_hits, FUSION_DEPTH), without)
        words, _ = self.word_vectors(question, found.rows)
        scores = fuse(found.bm25, found.cosines, self.embeddings[found.rows], words[:-1])
        best = np.argsort(-scores, kind="stable")[:n_hits]
        rows = found.rows[best]
        vectors, coverage = self.word_vectors(question, rows)
        likenesses = likenesses_of(self.embeddings[rows], vector, vectors)
        ranks = (found.by_words[best], found.by_meaning[best])
        return Sight(
            rows,
            hit_features(with_both(likenesses), coverage, ranks, scores[best]),
            likenesses,
        )

    def surely_answers(self, question: str, sight: Sight) -> bool:
        """Return whether one of the hits answers the question by itself; they have no titles."""
        texts = [self.texts[row] for row in sight.rows]
        asked = sight.likenesses[0].asked
        return bool(sure_hits(question, [""] * len(texts), texts, asked).any())

    def by_ranks(self, question: str, vector: FloatArray, n_hits: int) -> IntArray:
        """Return the rows that the rank fusion of earlier versions has first, best first."""
        n, words = len(self.article), self.bm25(dict.fromkeys(self.columns(question), 1.0))
        cosine = (self.embeddings @ vector).astype(np.float64)
        fused = 1 / (RRF_K + _ranks(words, n, 0.0)) + 1 / (RRF_K + _ranks(cosine, n, -1.0))
        return np.argsort(-fused, kind="stable")[:n_hits]

    def find(
        self, question: str, vector: FloatArray, depth: int, without: int | None = None
    ) -> Found:
        """Look a question up by words and by meaning, so many hits of each.

        Parameters
        ----------
        question, vector, without
            As for `see`.
        """
        cosine = (self.embeddings @ vector).astype(np.float64)
        words = self.bm25(dict.fromkeys(self.columns(question), 1.0))
        if without is not None:
            own = self.article == without
            cosine, words = np.where(own, -1.0, cosine), np.where(own, 0.0, words)
        by_words, by_meaning = _ranks(words, depth, 0.0), _ranks(cosine, depth, -1.0)
        rows = np.flatnonzero((by_words < ABSENT) | (by_meaning < ABSENT))
        known = by_words[rows] < ABSENT
        least = words[rows][known].min() if known.sum() >= depth else 0.0
        bm25 = np.where(known, words[rows], least)
        return Found(rows, bm25, cosine[rows], by_words[rows], by_meaning[rows])

    def bm25(self, weights: Mapping[int, float]) -> Float64Array:
        """Compute the BM25 of all passages for words, by column, and their weights."""
        return np.asarray(self._bm25[:, list(weights)] @ np.array(list(weights.values()))).ravel()

    def word_vectors(self, question: str, rows: IntArray) -> tuple[sparse.csr_matrix, Float64Array]:
        """Compute what `subclust.text.retrieval.hit_words.word_vectors` does, of some rows."""
        asked = self.columns(question)
        n_words = self.counts.shape[1]
        of_question = sparse.csr_matrix(
            (np.ones(len(asked)), ([0] * len(asked), asked)), (1, n_words)
        )
        counts = sparse.vstack([self.counts[rows], of_question]).tocsc()
        return weigh(counts[:, np.flatnonzero(np.diff(counts.indptr))].tocsr())

    def columns(self, question: str) -> list[int]:
        """List the columns of the words of a question that some passage has."""
        return [self._column[w] for w in counted_words(question) if w in self._column]


def _bm25(counts: sparse.csr_matrix) -> sparse.csc_matrix:
    """Weigh counts of words (n_passages, n_words) so that BM25 is a sum of columns."""
    n_passages = counts.shape[0]
    length = np.asarray(counts.sum(1)).ravel()
    holding = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.log(1 + (n_passages - holding + 0.5) / (holding + 0.5))
    found = counts.tocoo()
    long = 1.2 * (0.25 + 0.75 * length / max(length.mean(), 1.0))
    weights = idf[found.col] * found.data * 2.2 / (found.data + long[found.row])
    return sparse.csc_matrix((weights, (found.row, found.col)), counts.shape)


def _ranks(scores: Float64Array, depth: int, least: float) -> IntArray:
    """Return the rank, from 1, of each of the best scores above the least; `ABSENT` of others."""
    best = np.argsort(-scores, kind="stable")[:depth]
    best = best[scores[best] > least]
    ranks = np.full(len(scores), ABSENT, dtype=np.int64)
    ranks[best] = np.arange(1, len(best) + 1)
    return ranks


def question_on(instance: ClusteringInstance, form: str, random: np.random.Generator) -> str:
    """Write a question that an article answers.

    Parameters
    ----------
    form : {"title", "part", "reversed", "words", "lead"}
        The title; "HEADING of TITLE"; "title heading" in small letters; the title and two words of
        a passage; the first sentence of the lead.
    """
    title = instance.query.text
    headings = sorted({passage.label or "" for passage in instance.passages})
    heading = headings[random.integers(len(headings))]
    if form == "part":
        return f"{heading} of {title}"
    if form == "reversed":
        return f"{title} {heading}".lower()
    if form == "words":
        passage = instance.passages[random.integers(len(instance.passages))]
        words = [w for w in re.findall(r"[a-z]{4,}", passage.text.lower()) if counted(w)]
        two = random.permutation(len(words))[:2]
        return " ".join([title, *(words[place] for place in two)]).lower()
    if form == "lead":
        sentence = (instance.query.description or "").split(". ")[0][:300]
        return sentence if len(sentence) > 20 else title
    return title
