"""What the papers published: one TOML a paper, its records and its reader."""

from benchmarks.published.reader import PUBLISHED_DIR, paper_names, read_paper
from benchmarks.published.records import (
    MEASURED_IN,
    Ablation,
    Cell,
    Column,
    Contrast,
    Dataset,
    Measurement,
    Paper,
    PublishedFigure,
    Row,
    SearchTable,
    Series,
    Table,
)

__all__ = [
    "MEASURED_IN",
    "PUBLISHED_DIR",
    "Ablation",
    "Cell",
    "Column",
    "Contrast",
    "Dataset",
    "Measurement",
    "Paper",
    "PublishedFigure",
    "Row",
    "SearchTable",
    "Series",
    "Table",
    "paper_names",
    "read_paper",
]
