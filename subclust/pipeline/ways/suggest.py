"""Finds the ways in which the hits of a question divide clearly, and none like another."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    IntArray,
    Query,
    Ranking,
    documents_by_text,
)
from subclust.core.records.boilerplate import without_labels
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.naming import SubtopicNamer
from subclust.grouping.similarity.cosine import unit_rows
from subclust.grouping.similarity.dividing import (
    SAME_DOCUMENT,
    DividingSimilarity,
    documents_of,
    groups_by_subject,
)
from subclust.grouping.similarity.network import shared_words
from subclust.methods import LoadedMethod
from subclust.pipeline.ways.directions import MINOR, along, beneath, told_by_words
from subclust.pipeline.ways.division import Division
from subclust.pipeline.ways.fields import DOCUMENT, FIELDS, field_divisions
from subclust.pipeline.ways.kinds import kind_of
from subclust.pipeline.ways.knowledge import KNOWLEDGE, by_field_of_knowledge, fields_of_knowledge
from subclust.pipeline.ways.way import FIELD, Way
from subclust.text.encoders import Encoder, reading, remembering

MOST_WAYS = 4
"""Ways that are suggested at the most."""

DISTINCT = 0.3
"""Adjusted mutual information below which two ways are different ones."""

OF_METHOD = ("subjects", "aspects")
"""Ways that are the method's own."""

DIRECTIONS = tuple(
    f"{sort}{suffix}"
    for sort in ("directions", "minor", "rest", "other")
    for suffix in ("", "-read")
)
"""Ways along directions of the base encoder's vectors and of those that the method compares (read):
the first ones, those after them (minor), and those that are left once the differences between
subjects (rest) or between the groups of the question (other) have been taken out."""

_LEAST_HITS = 12

_MOST_GROUPS = 20
_MOST_FIELDS = 2
_MOST_DIRECTIONS = 2
_LEAST_CLEAR = 0.25
"""Of `told_by_words`, below which groups hardly have words of their own."""

_LARGEST = 0.8
"""Share of the hits that one group may have."""

_NAMED = 4
"""Groups of a way that are named."""


def is_read(key: str) -> bool:
    """Return whether a way takes the vectors of the method's encoder, not of the library's."""
    return key.endswith("-read") or key == KNOWLEDGE


@dataclass(frozen=True)
class Divisible:
    """Hits that are to be divided.

    Parameters
    ----------
    ranking : Ranking
    embeddings : ndarray of shape (n_hits, dim)
        By the method's encoder.
    query : Query
        That found the hits, as the method takes it.
    method : LoadedMethod
    max_other : float
        Largest share of the hits that may fit no group.
    """

    ranking: Ranking
    embeddings: FloatArray = field(repr=False)
    query: Query
    method: LoadedMethod
    max_other: float

    @cached_property
    def texts(self) -> list[str]:
        """Of the hits, without labels before them."""
        return [without_labels(passage.text) for passage in self.ranking.passages]

    @cached_property
    def base(self) -> FloatArray:
        """Vectors of the library's encoder, centred; shape (n_hits, embedding_dim)."""
        return self._centred(self.ranking.embeddings)

    @cached_property
    def read(self) -> FloatArray | None:
        """Return the vectors that the method compares; None where it has none of its own."""
        similarity = self.similarity
        return None if similarity is None else similarity.space(self.query, self.embeddings)

    @property
    def similarity(self) -> DividingSimilarity | None:
        """Return the method's similarity, if the question can decide there how hits divide."""
        found = getattr(self.method.clusterer, "similarity", None)
        return found if isinstance(found, DividingSimilarity) else None

    @cached_property
    def usual(self) -> IntArray:
        """Return the group of each hit under its question; shape (n_hits,)."""
        return self.labels(self.query)

    @cached_property
    def subjects(self) -> IntArray:
        """Return a coarse group by subject of each hit; shape (n_hits,)."""
        scores = self.base @ self.base.T + shared_words(self.texts)
        documents = documents_of(documents_by_text(self.ranking.passages), self.texts, self.base)
        if documents is not None:
            scores += SAME_DOCUMENT * (documents[:, None] == documents)
        return groups_by_subject(scores)

    def division(self, key: str) -> Division | None:
        """Return how hits divide in a way that is not the method's; None where they do not."""
        passages = self.ranking.passages
        if key.startswith(FIELD):
            name = key.removeprefix(FIELD)
            return field_divisions(passages, self.ranking.embeddings, name).get(name)
        if len(passages) < _LEAST_HITS:
            return None
        if key == KNOWLEDGE and self.similarity is not None:
            fields = self.placed(key, fields_of_knowledge(self.method.encoder))
            return by_field_of_knowledge(self.placed(key, self.embeddings), fields)
        if key not in DIRECTIONS:
            return None
        vectors = self.read if is_read(key) else self.base
        if vectors is None:
            return None
        match key.removesuffix("-read"):
            case "rest":
                return beneath(vectors, self.subjects)
            case "other":
                return beneath(vectors, self.usual)
            case "minor":
                return along(vectors, MINOR)
            case _:
                return along(vectors)

    def placed(self, key: str, vectors: FloatArray) -> FloatArray:
        """Return other texts where a way along directions compares the hits.

        Parameters
        ----------
        key : str
            One of `DIRECTIONS`, or `KNOWLEDGE`.
        vectors : ndarray of shape (n_texts, dim)
            By the method's encoder where the key is one of those that are read, otherwise by the
            library's.
        """
        if key == KNOWLEDGE and self.similarity is not None:
            return unit_rows(vectors[:, self.similarity.model.embedding_dim :])
        if is_read(key):
            assert self.similarity is not None
            both = np.concatenate([self.embeddings, vectors])
            return self.similarity.space(self.query, both)[len(self.embeddings) :]
        return self._centred(vectors)

    def _centred(self, vectors: FloatArray) -> FloatArray:
        return unit_rows(vectors - self.ranking.embeddings.mean(axis=0))

    def labels(self, query: Query) -> IntArray:
        """Return the groups that the method makes."""
        clusterer: SubtopicClusterer = copy.copy(self.method.clusterer)
        clusterer.n_clusters, clusterer.max_other = "auto", self.max_other
        return clusterer.fit(self.texts, query=query, embeddings=self.embeddings).labels_


def suggested(
    hits: Divisible,
    namer: SubtopicNamer,
    encoder: Encoder,
) -> tuple[Way, ...]:
    """Return the ways in which hits divide.

    Each is clear, that is, the words of a hit tell its group, or a field of its record does; and
    none divides much like another one or like the question itself.

    Parameters
    ----------
    hits : Divisible
    namer : SubtopicNamer
        That knows the hits.
    encoder : Encoder
        The library's, by which kinds of names are told.

    Returns
    -------
    tuple of Way
        At most `MOST_WAYS`; empty for fewer than `_LEAST_HITS` hits.
    """
    # scikit-learn's measures, for which a search must not wait.
    from subclust.evaluation.metrics import adjusted_mutual_information

    n_hits = len(hits.texts)
    if n_hits < _LEAST_HITS:
        return ()
    words = shared_words(hits.texts)
    taken: list[IntArray] = [hits.usual]
    ways: list[Way] = []
    for key, labels, values in _candidates(hits, words):
        sizes = np.sort(np.bincount(labels[labels >= 0]))[::-1]
        is_field = key.startswith(FIELD)
        n_fields = sum(one.key.startswith(FIELD) for one in ways)
        n_directions = sum(one.key in DIRECTIONS for one in ways)
        if not 2 <= len(sizes) <= _MOST_GROUPS or sizes[0] > _LARGEST * n_hits:
            continue
        clarity = told_by_words(labels, words)
        if clarity < _LEAST_CLEAR and not is_field or is_field and n_fields == _MOST_FIELDS:
            continue
        # `break`, because candidates along directions come last.
        if key in DIRECTIONS and n_directions == _MOST_DIRECTIONS:
            break
        if any(adjusted_mutual_information(one, labels) >= DISTINCT for one in taken):
            continue
        taken.append(labels)
        names = values or _names(hits, labels, namer)
        kind = "field" if key == KNOWLEDGE else ""
        if key == FIELD + DOCUMENT:
            kind = kind_of(values, encoder, remembering(encoder, reading(encoder)).encode)
        ways.append(Way(key, kind, tuple(names), tuple(sizes.tolist()), clarity))
        if len(ways) == MOST_WAYS:
            break
    return tuple(ways)


def _candidates(
    hits: Divisible, words: FloatArray
) -> Iterator[tuple[str, IntArray, tuple[str, ...]]]:
    """Yield keys with groups and values, those first that say most plainly what they are."""
    fields = field_divisions(hits.ranking.passages, hits.ranking.embeddings)
    if DOCUMENT in fields:
        titles = fields.pop(DOCUMENT)
        yield FIELD + DOCUMENT, titles.labels, titles.names
    if found := hits.division(KNOWLEDGE):
        yield KNOWLEDGE, found.labels, found.names
    if hits.similarity is not None:
        for way in OF_METHOD:
            yield way, hits.labels(replace(hits.query, way=way)), ()
    known = list(FIELDS)
    order = sorted(fields, key=lambda one: (known.index(one) if one in known else len(known), one))
    for name in order:
        yield FIELD + name, fields[name].labels, fields[name].names
    divisions = [(key, hits.division(key)) for key in DIRECTIONS]
    rest = [(key, one.labels) for key, one in divisions if one is not None and one.n_groups > 1]
    rest.sort(key=lambda one: -told_by_words(one[1], words))
    for key, labels in rest:
        yield key, labels, ()


def _names(hits: Divisible, labels: IntArray, namer: SubtopicNamer) -> tuple[str, ...]:
    """Name the largest groups of a way."""
    groups, counts = np.unique(labels[labels != OTHER_PASSAGES], return_counts=True)
    largest = groups[np.argsort(-counts, kind="stable")][:_NAMED].tolist()
    texts = [passage.text for passage in hits.ranking.passages]
    names = namer.name(hits.query, texts, labels, wanted=largest)
    return tuple(names[group] for group in largest)
