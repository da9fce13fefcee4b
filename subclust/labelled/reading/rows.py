"""The rows of a table, whatever file they come from."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table.

    Parameters
    ----------
    number : int
        As a spreadsheet counts, from 1, empty rows too.
    cells : list of str
        As written; empty cells are empty.
    doubts : tuple of (int, str, str)
        Index of a cell, kind of problem, short quotation: what the file's format tells of a cell
        beyond its text (a date, a number, a formula without its result).
    """

    number: int
    cells: list[str]
    doubts: tuple[tuple[int, str, str], ...] = ()


@dataclass
class Table:
    """The rows of a table, and what is known of it as a whole.

    Parameters
    ----------
    rows : iterator of Row
        The header too; can be read once.
    sure : bool
        Whether the rows are what the file means: False where its encoding was guessed or the file
        turned out to be damaged, which is known for certain when all rows are read.
    delimited : bool
        Whether cells are divided by a separator, so that a row may have too many of them.
    """

    rows: Iterator[Row] = field(default_factory=lambda: iter(()))
    sure: bool = True
    delimited: bool = True
