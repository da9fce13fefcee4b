"""Two to four groupings of the same hits, side by side."""

from subclust.comparison.columns import (
    LETTERS,
    MAX_COLUMNS,
    MIN_COLUMNS,
    Column,
    GoldScores,
    gold_labels,
    gold_scores,
)
from subclust.comparison.compared import Compared, Comparison, compare, group_columns
from subclust.comparison.moved import Flow, Moved, flows, moved
from subclust.comparison.over_queries import OverQueries, QueryResult, score_query, sum_up

__all__ = [
    "LETTERS",
    "MAX_COLUMNS",
    "MIN_COLUMNS",
    "Column",
    "Compared",
    "Comparison",
    "Flow",
    "GoldScores",
    "Moved",
    "OverQueries",
    "QueryResult",
    "compare",
    "flows",
    "gold_labels",
    "gold_scores",
    "group_columns",
    "moved",
    "score_query",
    "sum_up",
]
