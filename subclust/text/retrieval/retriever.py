"""A library and an encoder: from a query to its hits."""

import unicodedata
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.quotas import check_hits
from subclust.core.records import MAX_QUESTION, FloatArray, Hit, IntArray, Query, Ranking
from subclust.grouping.naming.sections import headings_above
from subclust.text.encoders.base import Encoder
from subclust.text.library import FoundPassages, PassageLibrary
from subclust.text.retrieval.fusion import fuse, standardised
from subclust.text.retrieval.hit_features import ABSENT
from subclust.text.retrieval.hit_words import word_vectors
from subclust.text.retrieval.operators import Understood, has_word, understood
from subclust.text.retrieval.relevance import (
    judge_hits,
    nearest_cosine,
    shipped_model,
)

RetrievalMode = Literal["fusion", "text", "vector"]
RETRIEVAL_MODES: tuple[str, ...] = get_args(RetrievalMode)

FUSION_DEPTH = 200
"""Hits of each part that are fused, or `top_k` where that is more."""


class Retriever:
    """Finds the passages that answer a query, by its words, by its meaning, or by both.

    Parameters
    ----------
    library : PassageLibrary
    encoder : Encoder
        The one whose vectors the library holds.
    """

    def __init__(self, library: PassageLibrary, encoder: Encoder) -> None:
        self.library = library
        self.encoder = encoder

    def search(
        self,
        query: Query,
        top_k: int = 200,
        mode: RetrievalMode = "fusion",
        *,
        collection: str | None = None,
        within: Sequence[str] | None = None,
    ) -> Ranking:
        """Find the hits of a query.

        Parameters
        ----------
        query : Query
            Its text is what is looked for, whatever its context: operators and fields in it are
            read, unless it has its words already. An embedding that it carries is used where its
            context is the title.
        top_k : int
            At most so many hits, at least 1.
        mode : {"fusion", "text", "vector"}
            BM25, cosine, or the fusion of both.
        collection : str, optional
            Only passages of that collection.
        within : sequence of str, optional
            Only passages of these ids, at least one.

        Returns
        -------
        Ranking
            Scores (higher is better) are BM25, cosine from -1 to 1, or those of `fuse`, and are
            comparable within one ranking only; 0 where the query has no words to rank by. Unless
            only words were looked up, it has its `nearest_cosine`, and `answered` where a bound is
            known for the encoder and the query has words that need not be in a hit.

        Raises
        ------
        InputError
            If the query has no word or is too long, `top_k` is below 1 or the mode is unknown.
        LibraryError
            If the library was made with another encoder.
        """
        query, asked = _read(query)
        if mode not in RETRIEVAL_MODES:
            raise InputError(
                "The retrieval mode must be one of {names}, but is {mode!r}.",
                names=", ".join(RETRIEVAL_MODES),
                mode=mode,
            )
        if top_k < 1:
            raise InputError("The number of hits must be at least 1, but is {top_k}.", top_k=top_k)
        check_hits(top_k)
        top_k = min(top_k, max(self.library.count(), 1))  # the table takes no number of any size
        self.library.check_encoder(self.encoder.name, self.encoder.revision)

        where = asked.sql
        if not has_word(asked.words):
            found = self.library.listed(where or "", top_k, collection=collection, ids=within)
            return _ranking(query, found, range(len(found)), found.scores, self.library)

        depth = max(top_k, FUSION_DEPTH) if mode == "fusion" else top_k

        def by_words() -> FoundPassages:
            return self.library.search_text(
                query.subject, depth, collection=collection, ids=within, where=where
            )

        vectors: list[FloatArray] = []

        def by_meaning() -> FoundPassages:
            vectors.append(self._vector(query))
            return self.library.search_vector(
                vectors[0], depth, collection=collection, ids=within, where=where
            )

        if mode == "fusion":
            # The words are looked up by another thread while this one encodes the query.
            with ThreadPoolExecutor(1, thread_name_prefix="text-search") as beside:
                words = beside.submit(by_words)
                meaning = by_meaning()
            parts = [words.result(), meaning]
        else:
            parts = [by_words() if mode == "text" else by_meaning()]
        if len(parts) == 1:
            found = parts[0]
            ranking = _ranking(query, found, range(len(found)), found.scores, self.library)
        else:
            ranking = self._fused(query, parts, vectors[0], top_k, depth)
        # What meets all that was asked for is not judged by its likeness to the words of it.
        return self._judged(ranking, parts, vectors[0]) if vectors and asked.is_open else ranking

    def _judged(
        self, ranking: Ranking, parts: Sequence[FoundPassages], vector: FloatArray
    ) -> Ranking:
        """Estimate which hits are about the query, where the encoder is one that this is known of.

        Ranks of the word search are absent where only meaning was compared.
        """
        cosine = nearest_cosine(vector, ranking.embeddings)
        model = shipped_model()
        if model.encoder_revision != self.encoder.revision or not ranking.hits:
            return replace(ranking, nearest_cosine=cosine)
        ids = [passage.id for passage in ranking.passages]
        by_words = _ranks(ids, parts[0] if len(parts) > 1 else None)
        by_meaning = _ranks(ids, parts[-1])
        texts = [passage.text for passage in ranking.passages]
        scores = np.array([hit.score for hit in ranking.hits])
        if len(parts) == 1:  # cosines, which have not the scale of `fuse`
            scores = standardised(scores)

        titles = [" ".join(headings_above(passage)) for passage in ranking.passages]
        ranks = (by_words, by_meaning)
        asked = ranking.query.subject, vector
        relevance, answered = judge_hits(
            model, *asked, titles, texts, ranking.embeddings, ranks, scores
        )
        hits = tuple(
            replace(hit, relevance=float(value))
            for hit, value in zip(ranking.hits, relevance, strict=True)
        )
        return replace(ranking, hits=hits, nearest_cosine=cosine, answered=answered)

    def _vector(self, query: Query) -> FloatArray:
        if query.context == "title" and query.embedding is not None:
            return query.embedding
        return self.encoder.encode_asked(query.subject)

    def _fused(
        self,
        query: Query,
        parts: Sequence[FoundPassages],
        vector: FloatArray,
        top_k: int,
        depth: int,
    ) -> Ranking:
        passages = [one for part in parts for one in part.passages]
        place = {one.id: row for row, one in enumerate(passages)}
        ids = sorted(place)
        rows = [place[id_] for id_ in ids]
        by_words = parts[0]
        bm25 = dict(zip((one.id for one in by_words.passages), by_words.scores, strict=True))
        # What the word search did not find has none of the words, or ranks below all it found.
        least = by_words.scores[-1] if len(by_words) >= depth else 0.0
        both = FoundPassages(
            tuple(passages[row] for row in rows),
            np.concatenate([part.embeddings for part in parts])[rows],
            np.array([bm25.get(id_, least) for id_ in ids]),
        )
        if not ids:
            return _ranking(query, both, [], [], self.library)
        texts = [f"{one.title}\n{one.text}" for one in both.passages]
        words, _ = word_vectors(query.subject, texts)
        cosines = both.embeddings.astype(np.float64) @ vector
        scores = fuse(both.scores, cosines, both.embeddings, words[:-1])
        best = np.argsort(-scores, kind="stable")[:top_k]
        return _ranking(query, both, best.tolist(), scores[best], self.library)


def _read(query: Query) -> tuple[Query, Understood]:
    """Return a query with its words, and what is understood of its text."""
    check_question(query)
    # Records are kept composed; "é" may be typed as a letter and an accent.
    query = replace(query, text=unicodedata.normalize("NFC", query.text))
    asked = understood(query.text) if query.words is None else Understood(query.words)
    if asked.condition is None and not has_word(asked.words):
        if not query.text.strip():
            raise InputError("The question is empty; type what you want to know.")
        raise InputError(
            "There is no word in the question {text!r}; type what you want to know.",
            text=query.text,
        )
    return replace(query, words=asked.words), asked


def _ranking(
    query: Query,
    found: FoundPassages,
    rows: Sequence[int],
    scores: Iterable[float],
    library: PassageLibrary,
) -> Ranking:
    hits = tuple(
        Hit(found.passages[row], rank, float(score))
        for rank, (row, score) in enumerate(zip(rows, scores, strict=True), start=1)
    )
    return Ranking(query, hits, found.embeddings[list(rows)], library.name)


def _ranks(ids: Sequence[str], found: FoundPassages | None) -> IntArray:
    """Return the rank, from 1, that each id has in a search; `ABSENT` where it has none."""
    rank_of = {} if found is None else {p.id: n for n, p in enumerate(found.passages, start=1)}
    return np.array([rank_of.get(id_, ABSENT) for id_ in ids], dtype=np.int64)


def check_question(query: Query) -> None:
    """Refuse a question that is too long to be one.

    Raises
    ------
    InputError
        If the text or the longer wording has more than `MAX_QUESTION` characters.
    """
    for words in (query.text, query.description or ""):
        if len(words) > MAX_QUESTION:
            raise InputError(
                "The question has {count:,} characters, and at most {max_question:,} are read; "
                "shorten it.",
                count=len(words),
                max_question=MAX_QUESTION,
            )
