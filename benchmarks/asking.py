"""Questions put to shelves, and what the models of relevance see of their hits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.shelves import Shelf
from subclust.core.records import IntArray
from subclust.core.records.arrays import BoolArray, Float64Array
from subclust.text.encoders import Encoder
from subclust.text.retrieval.hit_features import Likeness, spread_features, with_both
from subclust.text.retrieval.relevance import nearest_cosine


@dataclass(frozen=True)
class Asked:
    """Questions put to shelves, hit after hit.

    Parameters
    ----------
    features : ndarray of shape (n_hits, n_features)
    right : ndarray of shape (n_hits,)
        Whether a hit is of the article that was asked for.
    related : ndarray of shape (n_hits,)
        Whether it is of another one that may answer the question, too.
    sizes : ndarray of shape (n_questions,)
        Hits of each question.
    nearest : ndarray of shape (n_questions,)
        Of `nearest_cosine`.
    surely : ndarray of shape (n_questions,)
        Whether a hit answers the question by itself.
    article : ndarray of shape (n_hits,)
        That was asked for.
    betweens : list of n_questions lists of two ndarrays of shape (n_hits, n_hits), float16
    """

    features: Float64Array
    right: BoolArray
    related: BoolArray
    sizes: IntArray
    nearest: Float64Array
    surely: BoolArray
    article: IntArray
    betweens: list[list[npt.NDArray[np.float16]]]

    def with_around(self, probability: Float64Array) -> Float64Array:
        """Return the features of the second model, (n_hits, n_features)."""
        parts = np.split(probability, np.cumsum(self.sizes)[:-1])
        none = np.zeros(0)
        around = [
            spread_features(
                with_both([Likeness(one.astype(np.float64), none) for one in between]), part
            )
            for between, part in zip(self.betweens, parts, strict=True)
        ]
        return np.column_stack([self.features, np.concatenate(around).astype(np.float32)])


@dataclass(frozen=True)
class Question:
    """A question to a shelf, whose answer is one of its articles.

    Parameters
    ----------
    shelf : Shelf
    article : int
        Its place on the shelf.
    name : int
        Of the article, among those of all shelves.
    text : str
    n_hits : int
        At most so many are looked at.
    is_left_out : bool
        Whether it is asked as if the article were not there.
    related : ndarray of shape (n_articles,), optional
        Which articles of the shelf may answer it, too.
    """

    shelf: Shelf
    article: int
    name: int
    text: str
    n_hits: int
    is_left_out: bool = False
    related: BoolArray | None = None


def ask(questions: Sequence[Question], encoder: Encoder, told: Any) -> Asked:
    """Put questions to their shelves."""
    vectors = encoder.encode([one.text for one in questions])
    features, right, related, betweens, nearest, surely = [], [], [], [], [], []
    for done, (one, vector) in enumerate(zip(questions, vectors, strict=True), start=1):
        sight = one.shelf.see(
            one.text, vector, one.n_hits, one.article if one.is_left_out else None
        )
        articles = one.shelf.article[sight.rows]
        features.append(sight.features.astype(np.float32))
        right.append(articles == one.article)
        nearest.append(nearest_cosine(vector, one.shelf.embeddings[sight.rows]) or 0.0)
        surely.append(one.shelf.surely_answers(one.text, sight))
        alike = np.zeros(len(articles), bool) if one.related is None else one.related[articles]
        related.append(alike & (articles != one.article))
        betweens.append([one.between.astype(np.float16) for one in sight.likenesses])
        told(done, len(questions))
    sizes = np.array([len(one) for one in right])
    return Asked(
        np.concatenate(features),
        np.concatenate(right),
        np.concatenate(related),
        sizes,
        np.array(nearest),
        np.array(surely),
        np.repeat([one.name for one in questions], sizes),
        betweens,
    )
