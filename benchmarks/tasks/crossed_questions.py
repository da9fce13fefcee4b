"""Wordings that ask for one or the other division of a crossed hit set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]
"""Nouns in the singular and the plural."""


@dataclass(frozen=True)
class Nouns:
    """What the rows and columns of a hit set may be called in a question.

    Parameters
    ----------
    row, column : tuple of (str, str)
        Such as ``(("country", "countries"),)``; one of them is drawn for each question.
    lower : bool
        Whether the names of columns are common nouns.
    """

    row: Pairs
    column: Pairs
    lower: bool = True


_ROWS = (
    # training
    "compare {rows}",
    "by {row}",
    "one group for each {row}",
    "{rows}",
    "which {row} is it about",
    "the {row_plural}",
    "group by {row}",
    "what is written about {rows}",
    "sort the passages by {row}",
    "the different {row_plural}",
    "{row_plural} such as {rows}",
    "keep each {row} together",
    "who or what is each passage about",
    "the names of the {row_plural}",
    "{rows} and others, one by one",
    # validation
    "separate {rows} from each other",
    "each {row} on its own",
    "differences between {rows}",
    "the {row_plural} one by one",
    "divide by {row}",
    # test
    "I want to read about {rows} separately",
    "which {row_plural} are there?",
    "{rows}: what do we know of each?",
    "split up by {row}",
    "list the {row_plural}",
    "an overview of every single {row}",
    "tell {rows} apart",
    "put everything on the same {row} into one pile",
    "grouped according to the {row}",
    "what do the texts say about {rows}?",
)

_COLUMNS = (
    # training
    "compare {columns}",
    "by {column}",
    "one group for each {column}",
    "{columns}",
    "which {column} is it about",
    "the {column_plural}",
    "group by {column}",
    "what is known of {columns}",
    "sort the passages by {column}",
    "the different {column_plural}",
    "{column_plural} such as {columns}",
    "keep each {column} together, whichever {row} it is",
    "what is said, not of whom",
    "the same questions asked of all {row_plural}",
    "{columns} of the {row_plural}",
    # validation
    "separate {columns} from each other",
    "each {column} on its own",
    "differences in {columns} across {row_plural}",
    "the {column_plural} one by one",
    "divide by {column}",
    # test
    "I want to read about {columns} separately",
    "which {column_plural} are there?",
    "{columns}: what do we know of each?",
    "split up by {column}",
    "list the {column_plural}",
    "an overview of every single {column}",
    "tell {columns} apart",
    "put everything on the same {column} into one pile",
    "grouped according to the {column}",
    "what do the texts say about {columns}?",
)


def _parted(forms: Sequence[str]) -> dict[str, Sequence[str]]:
    """Half of the wordings for training, a sixth for validation, a third for test."""
    first, second = len(forms) // 2, len(forms) * 2 // 3
    return {
        "train": forms[:first],
        "validation": forms[first:second],
        "test": forms[second:],
    }


QUESTIONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "rows": _parted(_ROWS),
    "columns": _parted(_COLUMNS),
}
"""Wordings by division and split; no two have one in common."""
