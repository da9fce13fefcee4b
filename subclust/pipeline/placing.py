"""From arrays to subtopics: where hits lie on the map, and what of them is computed once."""

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import (
    FloatArray,
    Hit,
    IntArray,
    MappedPassage,
    Ranking,
    Subtopic,
)
from subclust.core.records.terms import Vocabulary
from subclust.grouping.projection import PROJECTORS
from subclust.text.encoders import Encoder

_T = TypeVar("_T")

# By the identity of records, which are compared by content.
_cached: dict[int, dict[object, Any]] = {}


def once(record: object, key: object, compute: Callable[[], _T]) -> _T:
    """Compute what belongs to a record, such as hits, the first time alone.

    Parameters
    ----------
    record : object
        While it lives, what was computed is cached; a copy of it has a cache of its own.
    key : hashable
    compute : callable
    """
    if id(record) not in _cached:
        # Python reuses ids, so a record's cache must go when the record does. At exit everything
        # goes anyway.
        weakref.finalize(record, _cached.pop, id(record), None).atexit = False
    cached = _cached.setdefault(id(record), {})
    if key not in cached:
        cached[key] = compute()
    found: _T = cached[key]
    return found


def placed(
    ranking: Ranking,
    encoder: Encoder,
    embeddings: FloatArray,
    projection: str,
    random_state: int,
) -> FloatArray:
    """Return the coordinates of each hit, once for all queries; shape (n_hits, 2)."""
    return once(
        ranking,
        ("places", encoder.revision, projection, random_state),
        lambda: place_on_map(embeddings, projection, random_state),
    )


def place_on_map(embeddings: FloatArray, projection: str, random_state: int) -> FloatArray:
    """Return the coordinates of each passage; shape (n_passages, 2).

    Raises
    ------
    InputError
        If there is no such projection.
    """
    if projection not in PROJECTORS:
        raise InputError(
            "There is no map {projection!r}; choose one of {names}.",
            projection=projection,
            names=", ".join(PROJECTORS),
        )
    projector = PROJECTORS[projection]()
    projector.random_state = random_state
    return projector.fit_transform(embeddings)


def collect(
    hits: Sequence[Hit | MappedPassage],
    names: Mapping[int, str],
    labels: IntArray,
    strengths: FloatArray,
    coordinates: FloatArray,
    vocabulary: Vocabulary | None = None,
) -> tuple[Subtopic, ...]:
    """Put the stages' arrays together: most relevant group first, most central passage first.

    Parameters
    ----------
    hits : sequence of Hit or MappedPassage
        n_passages of them.
    names : mapping of int to str
        Of each group that occurs.
    labels, strengths : ndarray of shape (n_passages,)
    coordinates : ndarray of shape (n_passages, 2)
    vocabulary : Vocabulary, optional
        Whose terms some names may be.

    Returns
    -------
    tuple of Subtopic
        Largest first where nothing estimated the relevance of the hits; "other passages" last.
    """
    subtopics = []
    for label, name in names.items():
        rows: Sequence[int] = np.flatnonzero(labels == label).tolist()
        rows = sorted(rows, key=lambda row: (-float(strengths[row]), hits[row].rank))
        members = tuple(
            MappedPassage(
                passage=hits[row].passage,
                rank=hits[row].rank,
                strength=float(strengths[row]),
                x=float(coordinates[row][0]),
                y=float(coordinates[row][1]),
                relevance=hits[row].relevance,
            )
            for row in rows
        )
        term = None if vocabulary is None else vocabulary.id_of(name)
        subtopics.append(Subtopic(label, name, float(np.mean(strengths[rows])), members, term))
    return tuple(sorted(subtopics, key=lambda one: one.place))
