"""What is told of other groups of the same hits: effects of a query, parts, stability."""

from dataclasses import dataclass
from typing import Any

from subclust.core.records.query import Passage
from subclust.core.records.subtopics import MappedPassage, SubtopicMap


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
