"""Groupings of the same hits, made comparable: matched groups, aligned maps, agreement."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from subclust.comparison.columns import (
    LETTERS,
    MAX_COLUMNS,
    MIN_COLUMNS,
    Column,
    GoldScores,
    gold_scores,
)
from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, Passage, Ranking, SubtopicMap
from subclust.core.records.progress import Progress
from subclust.evaluation.agreement import Agreement, Dispute, agreement, dispute
from subclust.evaluation.matching import match_groups
from subclust.grouping.projection import align
from subclust.pipeline.query import SubtopicPipeline


@dataclass(frozen=True)
class Compared:
    """Two columns of a comparison, set against each other.

    Parameters
    ----------
    first, second : int
        Places of the columns.
    agreement : Agreement
    dispute : Dispute
    """

    first: int
    second: int
    agreement: Agreement
    dispute: Dispute


@dataclass(frozen=True)
class Comparison:
    """Several groupings of the same hits.

    Parameters
    ----------
    ranking : Ranking
        The hits.
    columns : tuple of Column
    maps : tuple of SubtopicMap
        Of each column. Groups that belong together have the same id in all of them, and every map
        lies as much as possible as the first does.
    pairs : tuple of Compared
        Each two columns, in their order.
    gold : tuple of GoldScores or None
        Of each column; None where the hits have no labels to compare with.
    """

    ranking: Ranking
    columns: tuple[Column, ...]
    maps: tuple[SubtopicMap, ...]
    pairs: tuple[Compared, ...]
    gold: tuple[GoldScores | None, ...]

    @property
    def passages(self) -> dict[str, Passage]:
        """The hits by id, best first."""
        return {passage.id: passage for passage in self.ranking.passages}

    def groups(self, column: int) -> dict[str, int]:
        """Return the group of each passage in a column, by the passage's id."""
        return self.maps[column].groups

    def names(self, column: int) -> dict[int, str]:
        """Return the name of each group of a column."""
        return {subtopic.id: subtopic.name for subtopic in self.maps[column].subtopics}

    def pair(self, first: int, second: int) -> Compared:
        """Return what two columns have in common."""
        return next(one for one in self.pairs if (one.first, one.second) == (first, second))

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust compare --json`` prints."""
        return {
            "query": self.ranking.query.text,
            "library": self.ranking.library,
            "answered": self.ranking.answered,
            "nearest_cosine": self.ranking.nearest_cosine,
            "n_passages": len(self.ranking.hits),
            "columns": {
                LETTERS[place]: {
                    **asdict(column),
                    "query": found.query.text,
                    "method": found.method,
                    "checkpoint": found.checkpoint,
                    "seed": found.seed,
                    "n_clusters": found.n_clusters,
                    "n_clusters_source": found.n_clusters_source,
                    "gold": asdict(gold) if gold else None,
                    "subtopics": [
                        {"id": one.id, "name": one.name, "size": one.size}
                        for one in found.subtopics
                    ],
                }
                for place, (column, found, gold) in enumerate(
                    zip(self.columns, self.maps, self.gold, strict=True)
                )
            },
            "pairs": [
                {
                    "columns": [LETTERS[pair.first], LETTERS[pair.second]],
                    **asdict(pair.agreement),
                    "n_pairs": pair.dispute.n_pairs,
                    "together_only_in_first": pair.dispute.together_in_first,
                    "together_only_in_second": pair.dispute.together_in_second,
                }
                for pair in self.pairs
            ],
            "passages": [
                {
                    "id": hit.passage.id,
                    "title": hit.passage.title,
                    "rank": hit.rank,
                    "groups": {
                        LETTERS[place]: groups[hit.passage.id]
                        for place, groups in enumerate(one.groups for one in self.maps)
                    },
                }
                for hit in self.ranking.hits
            ],
        }


def group_columns(
    ranking: Ranking,
    columns: Sequence[Column],
    pipelines: Sequence[SubtopicPipeline],
    *,
    progress: Progress | None = None,
) -> list[SubtopicMap]:
    """Group the same hits in several ways.

    Parameters
    ----------
    ranking : Ranking
    columns : sequence of Column
    pipelines : sequence of SubtopicPipeline
        One a column, with its method.
    progress : callable, optional
        As for `SubtopicPipeline.group`.

    Raises
    ------
    InputError
        If there are no hits.
    """
    return [
        pipeline.group(
            ranking,
            column.asked(ranking.query.text),
            n_clusters=column.n_clusters,
            progress=progress,
        )
        for column, pipeline in zip(columns, pipelines, strict=True)
    ]


def compare(ranking: Ranking, columns: Sequence[Column], maps: Sequence[SubtopicMap]) -> Comparison:
    """Set groupings of the same hits side by side.

    Parameters
    ----------
    ranking : Ranking
    columns : sequence of Column
        Two to four.
    maps : sequence of SubtopicMap
        Of each column, over the same hits.

    Raises
    ------
    InputError
        If there are not two to four columns, or a map has other passages than the hits.
    """
    if not MIN_COLUMNS <= len(maps) <= MAX_COLUMNS or len(columns) != len(maps):
        raise InputError(
            "A comparison has {min_columns} to {max_columns} columns, but {count} were given.",
            min_columns=MIN_COLUMNS,
            max_columns=MAX_COLUMNS,
            count=len(maps),
        )
    ids = [passage.id for passage in ranking.passages]
    if any(one.groups.keys() != set(ids) for one in maps):
        raise InputError("Columns are compared over the same hits, but one has other passages.")
    maps = _lined_up(maps)
    groups = [one.groups for one in maps]
    pairs = tuple(
        Compared(
            first,
            second,
            agreement(groups[first], groups[second]),
            dispute(groups[first], groups[second], ids),
        )
        for first, second in combinations(range(len(maps)), 2)
    )
    gold = tuple(gold_scores(ranking.passages, one) for one in groups)
    return Comparison(ranking, tuple(columns), tuple(maps), pairs, gold)


def _lined_up(maps: Sequence[SubtopicMap]) -> list[SubtopicMap]:
    """Match the groups' numbers, turn each map onto the first one."""
    numbers = match_groups([one.groups for one in maps])
    onto_ids, onto = _coordinates(maps[0])
    made = []
    for number, one in zip(numbers, maps, strict=True):
        ids, coordinates = _coordinates(one)
        turned = coordinates if one is maps[0] else align(coordinates, ids, onto, onto_ids)
        lined = one.moved(dict(zip(ids, turned.tolist(), strict=True)))
        subtopics = tuple(replace(group, id=number[group.id]) for group in lined.subtopics)
        made.append(replace(lined, subtopics=subtopics))
    return made


def _coordinates(subtopics: SubtopicMap) -> tuple[list[str], FloatArray]:
    members = [member for subtopic in subtopics.subtopics for member in subtopic.passages]
    places = np.array([(member.x, member.y) for member in members], dtype=np.float32)
    return [member.passage.id for member in members], places.reshape(-1, 2)
