"""Questions put to shelves, and what the models of relevance see of their hits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans

from benchmarks.shelves import Shelf, question_on
from subclust.core.records import ClusteringInstance, FloatArray, IntArray
from subclust.core.records.arrays import BoolArray, Float64Array
from subclust.text.encoders import Encoder
from subclust.text.retrieval.hit_features import Likeness, spread_features, with_both
from subclust.text.retrieval.relevance import nearest_cosine

_FORMS = ("title", "part", "title", "part", "reversed", "words", "lead")
_POOL = 500
"""Articles of a small library; each article is also asked for in one of all of them."""

_UNANSWERED = 0.12
"""Share of questions that are asked when their own article is not in the library."""

_RELATED = 0.5
"""Cosine of two articles' leads from which on the one may well answer questions on the other."""

_RELATED_RECORDS = 0.6
"""The same in libraries of records, where all articles are of one field."""

_FIELD, _LEAST_FIELD = 300, 30
"""Articles in a library of records, about and at least."""

_RECORDS = 1.1, 0.9
"""Mean and standard deviation of the logarithm of how many records a subject has."""


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
    article : int
        Its place on the shelf.
    name : int
        Of the article, among those of all shelves.
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


def training_questions(
    instances: Sequence[ClusteringInstance],
    embeddings: Sequence[FloatArray],
    leads: FloatArray,
    random: np.random.Generator,
    name: int,
) -> Iterator[Question]:
    """Ask for each article in a small library, and for half of them in one of all.

    Long articles and books are asked for several times, since a subject that fills most of the
    hits is rarer among articles of an encyclopaedia than in libraries.

    Parameters
    ----------
    instances : sequence of n_articles ClusteringInstance
    embeddings : sequence of n_articles ndarray of shape (n_passages, embedding_dim)
    leads : ndarray of shape (n_articles, embedding_dim)
        Of titles with leads, by which related articles are known.
    random : numpy.random.Generator
    name : int
        Of the first article.
    """
    alike = leads @ leads.T >= _RELATED
    places = np.arange(len(instances))

    def asked(shelf: Shelf, chosen: IntArray, place: int, n_times: int) -> Iterator[Question]:
        instance = shelf.instances[place]
        n_passages = len(instance.passages)
        for _ in range(n_times):
            n_hits = int(random.choice([50, 100, 200]))
            if random.random() < 0.5:
                few = n_passages * random.choice([1, 1.3, 1.7, 2.5, 4])
                n_hits = int(np.clip(few, 20, 200))
            yield Question(
                shelf,
                place,
                name + int(chosen[place]),
                question_on(instance, _FORMS[random.integers(len(_FORMS))], random),
                n_hits,
                bool(random.random() < _UNANSWERED),
                alike[chosen[place]][chosen],
            )

    for start in range(0, len(instances), _POOL):
        chosen = places[start : start + _POOL]
        shelf = Shelf([instances[i] for i in chosen], [embeddings[i] for i in chosen])
        for place, instance in enumerate(shelf.instances):
            is_long = len(instance.passages) >= 30
            yield from asked(shelf, chosen, place, 6 if is_long else 2)
    if len(instances) > _POOL:
        shelf = Shelf(instances, embeddings)
        for place in random.permutation(len(instances))[: len(instances) // 2]:
            yield from asked(shelf, places, int(place), 1)


def record_questions(
    instances: Sequence[ClusteringInstance],
    leads: FloatArray,
    encoder: Encoder,
    random: np.random.Generator,
    name: int,
    n_times: int = 2,
) -> Iterator[Question]:
    """Ask for each article in a library of records of one field, in which few are on one subject.

    In a library of abstracts nearly all are near to each other, and what a question is about has
    three or ten of them, where an article has seventeen passages and few neighbours. So of each
    article a few passages are left, each with the title before it, beside those of the articles
    that are most like it.

    Parameters
    ----------
    instances, leads, random, name
        As for `training_questions`.
    encoder : Encoder
        Of the records, since they have titles.
    n_times : int
        Questions on each article.
    """
    records = [_as_records(one, random) for one in instances]
    texts = [passage.text for one in records for passage in one.passages]
    sizes = np.cumsum([len(one.passages) for one in records])
    embeddings = np.split(encoder.encode(texts), sizes[:-1])
    n_fields = max(1, len(instances) // _FIELD)
    fields = KMeans(n_fields, n_init=2, random_state=0).fit_predict(leads)
    for field in range(n_fields):
        chosen = np.flatnonzero(fields == field)
        if len(chosen) < _LEAST_FIELD:
            continue
        shelf = Shelf([records[i] for i in chosen], [embeddings[i] for i in chosen])
        alike = leads[chosen] @ leads[chosen].T >= _RELATED_RECORDS
        for place, number in enumerate(chosen.tolist()):
            for _ in range(n_times):
                form = _FORMS[random.integers(len(_FORMS))]
                yield Question(
                    shelf,
                    place,
                    name + number,
                    question_on(records[number], form, random),
                    int(random.choice([50, 100, 200])),
                    bool(random.random() < _UNANSWERED),
                    alike[place],
                )


def _as_records(instance: ClusteringInstance, random: np.random.Generator) -> ClusteringInstance:
    """Leave a few passages of an article, each with the title before it, as records have."""
    n_passages = len(instance.passages)
    n_left = int(np.clip(round(random.lognormal(*_RECORDS)), 1, n_passages))
    rows = np.sort(random.choice(n_passages, n_left, replace=False))
    title = instance.query.text
    left = (
        replace(one, text=f"{title}. {one.text}")
        for one in map(instance.passages.__getitem__, rows)
    )
    return replace(instance, passages=tuple(left))


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
