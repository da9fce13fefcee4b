"""The answer: groups of passages, placed on a map, and other groups of the same hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from subclust.core.records.arrays import BoolArray, Float64Array, FloatArray, IntArray
from subclust.core.records.documents import document_of
from subclust.core.records.query import Hit, Passage, Query

NumberOfClusters = int | np.integer[Any] | Literal["auto"]

OTHER_PASSAGES = -1
"""Label of passages that fit no subtopic."""

OTHER_PASSAGES_NAME = "Other passages"


def _rounded(value: float | None) -> float | None:
    """Return a number as JSON shows it, with six decimals; None stays."""
    return None if value is None else round(value, 6)


@dataclass(frozen=True)
class MappedPassage:
    """One passage of a subtopic, placed on the map.

    Parameters
    ----------
    passage : Passage
    rank : int
        Its rank among the hits, from 1.
    strength : float
        How well it fits its subtopic, from -1 (fits another better) to 1; higher is better.
    x, y : float
        Map coordinates, without unit.
    relevance : float or None
        Of the `Hit`.
    """

    passage: Passage
    rank: int
    strength: float
    x: float
    y: float
    relevance: float | None = None


@dataclass(frozen=True)
class Subtopic:
    """A named group of passages.

    Parameters
    ----------
    id : int
        From 0, largest first where the number of groups is automatic; with more or fewer groups a
        group that stays as it is keeps its id (which decides its colour). -1 holds the passages
        that fit no subtopic.
    name : str
    quality : float
        Mean strength of its passages, from -1 to 1; higher is tighter.
    passages : tuple of MappedPassage
        Most central first.
    term : str or None
        Id of the preferred term that is its name.
    """

    id: int
    name: str
    quality: float
    passages: tuple[MappedPassage, ...]
    term: str | None = None

    @property
    def size(self) -> int:
        """Number of passages."""
        return len(self.passages)

    @property
    def relevance(self) -> float | None:
        """Mean relevance of its passages, 0 to 1; None where that of one is unknown."""
        known = [one.relevance for one in self.passages if one.relevance is not None]
        return float(np.mean(known)) if len(known) == self.size else None

    @property
    def place(self) -> tuple[bool, float, int, int]:
        """What groups are listed by: most relevant first, then largest; other passages last."""
        return self.id == OTHER_PASSAGES, -(self.relevance or 0.0), -self.size, self.id


@dataclass(frozen=True)
class Grounds:
    """What a grouping rests on, by which its groups can be made fewer or more, or have parts.

    Parameters
    ----------
    ids : tuple of str
        Of the passages, in the order of `scores`; n_passages of them.
    scores : ndarray of shape (n_passages, n_passages)
        Pair similarities on the method's own scale; higher is closer.
    tree : ndarray of shape (n_leaves - 1, 4) or None
        The average-link tree of the passages that were compared, as scipy writes it; None where the
        method has none.
    leaves : ndarray of shape (n_leaves,)
        The place in `ids` of each leaf of the tree; a passage about something else than the query
        has none.
    leaf_scores : ndarray of shape (n_leaves, n_leaves)
        The pair similarities that the tree was built from.
    aside : ndarray of shape (n_leaves,)
        Which leaves fit nowhere, whatever the number of groups.
    n_auto : int
        The number of groups that is automatic.
    source : str
        Name of the rule that chose it.
    """

    ids: tuple[str, ...]
    scores: FloatArray
    tree: Float64Array | None
    leaves: IntArray
    leaf_scores: FloatArray
    aside: BoolArray
    n_auto: int
    source: str


@dataclass(frozen=True)
class SubtopicMap:
    """The whole answer: subtopics of a query, with everything needed to show and repeat it.

    Parameters
    ----------
    query : Query
    library, method : str
    checkpoint : str or None
        Name of the trained model, None where the method needs none.
    seed : int
    n_clusters : int
        Number of subtopics, "other passages" not counted.
    n_clusters_source : str
        ``"user"`` or the name of the rule that chose it.
    subtopics : tuple of Subtopic
        Most relevant first, "other passages" (id -1) last.
    timings_ms : mapping of str to float
        ``retrieve``, ``encode``, ``cluster``, ``name``, ``project`` and ``total``.
    projection : str
        Name of the projector that made the coordinates.
    grounds : Grounds or None
        What the groups rest on; None where it was not kept, or all pairs were too many.
    placed : mapping of str to str
        By passage the expected subtopic whose group has taken it.
    nearest_cosine, answered, set_aside : float or None, bool or None, tuple of Hit
        Of the `Ranking` whose hits are grouped.
    """

    query: Query
    library: str
    method: str
    checkpoint: str | None
    seed: int
    n_clusters: int
    n_clusters_source: str
    subtopics: tuple[Subtopic, ...]
    timings_ms: Mapping[str, float] = field(default_factory=dict, compare=False)
    projection: str = "pca"
    grounds: Grounds | None = field(default=None, compare=False, repr=False)
    placed: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    nearest_cosine: float | None = field(default=None, compare=False)
    answered: bool | None = field(default=None, compare=False)
    set_aside: tuple[Hit, ...] = field(default=(), compare=False)

    @property
    def members(self) -> dict[str, MappedPassage]:
        """Every passage by its id, group by group."""
        return {one.passage.id: one for group in self.subtopics for one in group.passages}

    @property
    def groups(self) -> dict[str, int]:
        """The group of every passage, by the passage's id."""
        return {one.passage.id: group.id for group in self.subtopics for one in group.passages}

    def moved(self, places: Mapping[str, Sequence[float]]) -> "SubtopicMap":
        """Return the map with passages at other places.

        Parameters
        ----------
        places : mapping of str to (x, y)
            By passage id; a passage that is not in it keeps its place.
        """
        subtopics = []
        for group in self.subtopics:
            members = []
            for one in group.passages:
                x, y = places.get(one.passage.id, (one.x, one.y))
                members.append(replace(one, x=float(x), y=float(y)))
            subtopics.append(replace(group, passages=tuple(members)))
        return replace(self, subtopics=tuple(subtopics))

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust search --json`` prints."""
        return {
            "query": self.query.text,
            "library": self.library,
            "method": self.method,
            "checkpoint": self.checkpoint,
            "seed": self.seed,
            "answered": self.answered,
            "nearest_cosine": _rounded(self.nearest_cosine),
            "n_clusters": self.n_clusters,
            "n_clusters_source": self.n_clusters_source,
            "timings_ms": {name: round(value, 3) for name, value in self.timings_ms.items()},
            "subtopics": [
                {
                    "id": subtopic.id,
                    "name": subtopic.name,
                    "term": subtopic.term,
                    "size": subtopic.size,
                    "quality": round(subtopic.quality, 6),
                    "relevance": _rounded(subtopic.relevance),
                    "passages": [
                        {
                            "id": member.passage.id,
                            "document": document_of(member.passage.id),
                            "title": member.passage.title,
                            "text": member.passage.text,
                            "rank": member.rank,
                            "strength": round(member.strength, 6),
                            "relevance": _rounded(member.relevance),
                            "x": round(member.x, 6),
                            "y": round(member.y, 6),
                        }
                        for member in subtopic.passages
                    ],
                }
                for subtopic in self.subtopics
            ],
            "n_set_aside": len(self.set_aside),
            "set_aside": [
                {
                    "id": hit.passage.id,
                    "document": document_of(hit.passage.id),
                    "title": hit.passage.title,
                    "text": hit.passage.text,
                    "rank": hit.rank,
                    "relevance": _rounded(hit.relevance),
                }
                for hit in self.set_aside
            ],
            **({"way": self.query.way} if self.query.way else {}),
            **({"expected": list(self.query.expected)} if self.query.expected else {}),
        }


@dataclass(frozen=True)
class QueryEffect:
    """What another query did to one passage.

    Parameters
    ----------
    passage : Passage
    rank : int
        Among the hits of the first query, from 1.
    moved : float
        How far it moved on the aligned maps, in mean distances from the middle (root mean square);
        0 is not at all, and 1.4 as far as if the two queries had nothing to do with each other.
    before, after : int
        Its group under the first and under the other query; groups that stand for each other have
        the same number.
    """

    passage: Passage
    rank: int
    moved: float
    before: int
    after: int


@dataclass(frozen=True)
class Regrouping:
    """The same hits under two queries.

    Parameters
    ----------
    before, after : SubtopicMap
        Under the first and the other query, on maps that lie on each other; groups that stand for
        each other have the same id.
    effects : tuple of QueryEffect
        One a passage, best hit first.
    """

    before: SubtopicMap
    after: SubtopicMap
    effects: tuple[QueryEffect, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what ``search --hits-of --json`` adds to the object of the other query."""
        return {
            "hits_of": self.before.query.text,
            "before": [
                {
                    "id": group.id,
                    "name": group.name,
                    "passages": [
                        {"id": one.passage.id, "x": round(one.x, 6), "y": round(one.y, 6)}
                        for one in group.passages
                    ],
                }
                for group in self.before.subtopics
            ],
            "query_effects": [
                {
                    "id": effect.passage.id,
                    "moved": round(effect.moved, 6),
                    "before": effect.before,
                    "after": effect.after,
                }
                for effect in self.effects
            ],
        }


@dataclass(frozen=True)
class SubtopicPart:
    """A part of a subtopic, which may have parts itself.

    Parameters
    ----------
    number : str
        Of the subtopic and its parts, from 1: ``"2.1"`` is the first part of subtopic 2.
    name : str
    passages : tuple of MappedPassage
        Most central of the subtopic first.
    parts : tuple of SubtopicPart
        Largest first; empty where it is not divided further.
    """

    number: str
    name: str
    passages: tuple[MappedPassage, ...]
    parts: tuple["SubtopicPart", ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what ``search --levels --json`` prints of it."""
        return {
            "number": self.number,
            "name": self.name,
            "size": len(self.passages),
            "passages": [member.passage.id for member in self.passages],
            "parts": [part.to_dict() for part in self.parts],
        }


@dataclass(frozen=True)
class StabilityCurve:
    """How stable each number of groups is, and the number that this suggests.

    Parameters
    ----------
    n_clusters : tuple of int
        The numbers tried, ascending; empty where there is nothing to choose between.
    stability : tuple of float
        Of each, the mean agreement (adjusted Rand index) of the groups of most of the passages with
        those of all: 1 comes back always, 0 is chance.
    suggested : int or None
        None where no number is stable enough.
    """

    n_clusters: tuple[int, ...]
    stability: tuple[float, ...]
    suggested: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return what ``search --stability --json`` prints of it."""
        curve = zip(self.n_clusters, self.stability, strict=True)
        return {
            "suggested": self.suggested,
            "curve": [{"n_clusters": k, "stability": round(value, 6)} for k, value in curve],
        }
