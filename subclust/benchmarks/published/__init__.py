"""What the papers published: one TOML a paper, its records and its reader."""

from subclust.benchmarks.published.reader import PUBLISHED_DIR, paper_names, read_paper
from subclust.benchmarks.published.records import (
    Ablation,
    Cell,
    Column,
    Dataset,
    Paper,
    PublishedFigure,
    Row,
    Series,
    Table,
)

__all__ = [
    "PUBLISHED_DIR",
    "Ablation",
    "Cell",
    "Column",
    "Dataset",
    "Paper",
    "PublishedFigure",
    "Row",
    "Series",
    "Table",
    "paper_names",
    "read_paper",
]
