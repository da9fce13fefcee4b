"""From the rows or lines of a labelled set to its passages, one at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from subclust.core.records import Passage


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage of a labelled set, and where it stands.

    Parameters
    ----------
    row : int
        Row of the table, or line.
    position : int or None
        Of the passage in its line, from 1; None in a table.
    query : str
    description : str or None
        Of the query.
    passage : Passage
    has_id : bool
        Whether the file gives its id; else the id is made of its place.
    """

    row: int
    position: int | None
    query: str
    description: str | None
    passage: Passage
    has_id: bool

    @property
    def group(self) -> int | str:
        """What the passages of one instance have in common: the line, or in a table the query."""
        return self.query if self.position is None else self.row


@dataclass
class LabelledFile:
    """A labelled set that is being read.

    Parameters
    ----------
    passages : iterator of LabelledPassage
        Can be read once.
    in_lines : bool
        Whether a line is a query, as in JSON Lines; else a row is a passage.
    sure, columns, n_rows
        Whether what was read is what the file means; the header of a table; rows (of a table) or
        passages (of JSON Lines) met so far, usable or not. Final when all passages are read.
    """

    passages: Iterator[LabelledPassage] = field(default_factory=lambda: iter(()))
    in_lines: bool = False
    sure: bool = True
    columns: tuple[str, ...] = ()
    n_rows: int = 0
