"""The answer: groups of passages, placed on a map."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from subclust.core.records.arrays import BoolArray, Float64Array, FloatArray, IntArray
from subclust.core.records.query import Passage, Query

NumberOfClusters = int | np.integer[Any] | Literal["auto"]

OTHER_PASSAGES = -1
"""Label of passages that fit no subtopic."""

OTHER_PASSAGES_NAME = "Other passages"


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
    """

    passage: Passage
    rank: int
    strength: float
    x: float
    y: float


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
    """

    id: int
    name: str
    quality: float
    passages: tuple[MappedPassage, ...]

    @property
    def size(self) -> int:
        """Number of passages."""
        return len(self.passages)


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
    names : dict of int to dict
        By number of groups, the name of each group; filled as they are asked for.
    """

    ids: tuple[str, ...]
    scores: FloatArray
    tree: Float64Array | None
    leaves: IntArray
    leaf_scores: FloatArray
    aside: BoolArray
    n_auto: int
    source: str
    names: dict[int, dict[int, str]] = field(default_factory=dict)


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
        Largest first, "other passages" (id -1) last.
    timings_ms : mapping of str to float
        ``retrieve``, ``encode``, ``cluster``, ``name``, ``project`` and ``total``.
    projection : str
        Name of the projector that made the coordinates.
    grounds : Grounds or None
        What the groups rest on; None where it was not kept, or all pairs were too many.
    nearest_cosine, answered : float or None, bool or None
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
    nearest_cosine: float | None = field(default=None, compare=False)
    answered: bool | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust search --json`` prints."""
        return {
            "query": self.query.text,
            "library": self.library,
            "method": self.method,
            "checkpoint": self.checkpoint,
            "seed": self.seed,
            "answered": self.answered,
            "nearest_cosine": (
                None if self.nearest_cosine is None else round(self.nearest_cosine, 6)
            ),
            "n_clusters": self.n_clusters,
            "n_clusters_source": self.n_clusters_source,
            "timings_ms": {name: round(value, 3) for name, value in self.timings_ms.items()},
            "subtopics": [
                {
                    "id": subtopic.id,
                    "name": subtopic.name,
                    "size": subtopic.size,
                    "quality": round(subtopic.quality, 6),
                    "passages": [
                        {
                            "id": member.passage.id,
                            "title": member.passage.title,
                            "text": member.passage.text,
                            "rank": member.rank,
                            "strength": round(member.strength, 6),
                            "x": round(member.x, 6),
                            "y": round(member.y, 6),
                        }
                        for member in subtopic.passages
                    ],
                }
                for subtopic in self.subtopics
            ],
        }
