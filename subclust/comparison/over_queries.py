"""Columns against the labels over a set of queries, so that a difference can be tested."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from subclust.comparison.columns import LETTERS, Column, GoldScores, gold_scores
from subclust.comparison.compared import group_columns
from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.evaluation.significance import (
    BootstrapInterval,
    HelpsHurts,
    PairedTest,
    bootstrap_interval,
    helps_hurts,
    paired_test,
)
from subclust.pipeline.query import SubtopicPipeline


@dataclass(frozen=True)
class QueryResult:
    """One query of the set.

    Parameters
    ----------
    query : str
    scores : tuple of GoldScores
        Of each column.
    """

    query: str
    scores: tuple[GoldScores, ...]


@dataclass(frozen=True)
class Difference:
    """A column against the first one, in the adjusted Rand index.

    Parameters
    ----------
    column : int
        Its place.
    test : PairedTest
        This column minus the first; corrected for the number of columns.
    interval : BootstrapInterval
    helps : HelpsHurts
    """

    column: int
    test: PairedTest
    interval: BootstrapInterval
    helps: HelpsHurts


@dataclass(frozen=True)
class OverQueries:
    """Columns over a set of queries.

    Parameters
    ----------
    results : tuple of QueryResult
        Queries whose hits have labels.
    passed_over : tuple of str
        Queries whose hits have none, or that find nothing.
    means : tuple of float
        Mean adjusted Rand index of each column.
    differences : tuple of Difference
        Of each column but the first.
    """

    results: tuple[QueryResult, ...]
    passed_over: tuple[str, ...]
    means: tuple[float, ...]
    differences: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``compare --queries --json`` prints."""
        return {
            "n_queries": len(self.results),
            "passed_over": list(self.passed_over),
            "mean_ari": dict(zip(LETTERS, self.means, strict=False)),
            "differences": [
                {
                    "columns": [LETTERS[one.column], LETTERS[0]],
                    "test": one.test.to_dict(),
                    "interval": one.interval.to_dict(),
                    "helps_hurts": one.helps.to_dict(),
                }
                for one in self.differences
            ],
            "per_query": [
                {
                    "query": one.query,
                    "scores": {
                        letter: asdict(score)
                        for letter, score in zip(LETTERS, one.scores, strict=False)
                    },
                }
                for one in self.results
            ],
        }


def score_query(
    query: str,
    columns: Sequence[Column],
    pipelines: Sequence[SubtopicPipeline],
    *,
    top_k: int = 200,
) -> QueryResult | None:
    """Retrieve the hits of one query, group them in each column, and measure.

    Parameters
    ----------
    query : str
        Columns that have a query of their own are grouped under that.
    columns : sequence of Column
    pipelines : sequence of SubtopicPipeline
        One a column.
    top_k : int

    Returns
    -------
    QueryResult or None
        None where there are no hits, or they have no labels to compare with.
    """
    ranking = pipelines[0].retrieve(Query(query), top_k=top_k)
    if not ranking.hits:
        return None
    maps = group_columns(ranking, columns, pipelines)
    scores = [gold_scores(ranking.passages, one.groups) for one in maps]
    known = tuple(score for score in scores if score is not None)
    return QueryResult(query, known) if len(known) == len(columns) else None


def sum_up(results: Sequence[QueryResult], passed_over: Sequence[str] = ()) -> OverQueries:
    """Test whether columns differ from the first one over the same queries.

    Raises
    ------
    InputError
        If no query has hits with labels.
    """
    if not results:
        raise InputError(
            "None of these questions finds labelled passages, so there is nothing to compare "
            "with; choose a library with labels, or other questions."
        )
    n_columns = len(results[0].scores)
    aris = [[one.scores[column].ari for one in results] for column in range(n_columns)]
    differences = tuple(
        Difference(
            column,
            paired_test(aris[column], aris[0], n_comparisons=n_columns - 1),
            bootstrap_interval(aris[column], aris[0], expanded=True),
            helps_hurts(aris[column], aris[0]),
        )
        for column in range(1, n_columns)
    )
    means = tuple(sum(values) / len(values) for values in aris)
    return OverQueries(tuple(results), tuple(passed_over), means, differences)
