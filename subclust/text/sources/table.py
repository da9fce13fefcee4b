"""Tables: a head that names the columns, and a record in each row below it."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.text.sources.base import Document, Refusal, Source
from subclust.text.sources.fields import field_of
from subclust.text.sources.heads import MOST_ABOVE, Head, find_head, settle_columns
from subclust.text.sources.record import TEXT_COLUMNS, clean, document, excerpt, ids_of
from subclust.text.sources.values import values_of

Row = tuple[str, Sequence[Any] | Refusal, Sequence[str]]
"""Its place, its cells or why they cannot be read, and what was put right in it."""


class Table(Source):
    """A table with a head, within its first rows, below which each row is a document.

    Attributes
    ----------
    columns : mapping of str to str
        Our field and the head that has it, where its owner says so.
    """

    columns: Mapping[str, str] = {}

    @abstractmethod
    def sheets(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Return the name of each sheet, and its rows, of which the head is one."""

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the rows in order, sheet by sheet.

        Raises
        ------
        FileFormatError
            If the file cannot be read, or no row names a column of titles or texts.
        """
        head: Head | None = None
        names: Sequence[str] = ()
        found, any_rows = False, False
        told: list[str] = []
        for sheet, rows in self.sheets():
            first = list(islice(rows, MOST_ABOVE))
            cells = [None if isinstance(row[1], Refusal) else row[1] for row in first]
            filled = [[clean(one) for one in row] for row in cells if row and any(map(clean, row))]
            if not filled and not any(isinstance(row[1], Refusal) for row in first):
                continue
            any_rows = True
            place = find_head(cells, self.columns)
            if not found and (place is None or place[1].n_known < 2) and _is_upright(filled):
                yield from self._upright(chain(first, rows))
                return
            if place is None and head is not None and _goes_on(filled, head):
                place = -1, head
            if place is None:
                names = names or next(iter(filled), ())
                if sheet:
                    told.append(_left_out(sheet))
                continue
            number, head = place
            n_above = sum(bool(row and any(map(clean, row))) for row in cells[: max(0, number)])
            if n_above and not filled[0][0].lower().startswith("sep="):
                told.append(_above(n_above))
            below = [
                row for at, row in enumerate(first) if at > number or isinstance(row[1], Refusal)
            ]
            head.look([row[1] for row in below if not isinstance(row[1], Refusal)])
            for item in self._records(head, chain(below, rows), sheet if found else "", told):
                yield item
                # Remarks on the sheet go with its first record.
                told.clear()
                found = True
        if not found:
            raise self._nothing(head, names, any_rows)

    def _records(
        self, head: Head, rows: Iterator[Row], sheet: str, told: list[str]
    ) -> Iterator[Document | Refusal]:
        n_columns = len(head.names)
        for place, cells, mended in rows:
            where = Message("{sheet}, {place}", sheet=sheet, place=place) if sheet else place
            if isinstance(cells, Refusal):
                yield cells
                continue
            told_at = head.telling.values()
            if not any(clean(cell) for at, cell in enumerate(cells) if at not in told_at):
                continue
            whose = "" if self.is_named else head.collection(cells)
            whose = whose or self.collection
            if any(clean(cell) for cell in cells[n_columns:]):
                yield Refusal(
                    where,
                    Message(
                        "It has {cells} cells, but the header has {header}.",
                        cells=len(cells),
                        header=n_columns,
                    ),
                    Message("Look for a missing quotation mark or a separator too many."),
                    excerpt=excerpt(head.original(cells)),
                    original=head.original(cells),
                    ids=ids_of(document(head.record(cells), where, whose), whose),
                )
                continue
            if clean(cells[0]) == head.names[0] and [clean(one) for one in cells] == head.names:
                continue  # a report says it again on each page
            item = document(head.record(cells), where, whose, (*told, *mended))
            if isinstance(item, Refusal):
                item = replace(item, original=head.original(cells))
            yield item

    def _upright(self, rows: Iterator[Row]) -> Iterator[Document | Refusal]:
        """Read a table whose first column names the fields, one record below the other."""
        fields: dict[str, list[Any]] = {}
        begin = start = ""
        remarks: list[str] = []
        for place, cells, mended in rows:
            if isinstance(cells, Refusal):
                yield cells
                continue
            name = clean(cells[0]) if cells else ""
            if not name:
                continue
            field = field_of(name)
            begin = begin or field
            if field == begin and fields:
                yield document(settle_columns(fields), start, self.collection, remarks)
                fields, remarks = {}, []
            if not fields:
                start = place
            remarks += mended
            for cell in cells[1:]:
                fields.setdefault(field, []).extend(values_of(field, name, cell))
        if fields:
            yield document(settle_columns(fields), start, self.collection, remarks)

    def _nothing(self, head: Head | None, names: Sequence[str], any_rows: bool) -> FileFormatError:
        if head is None and any_rows and self.columns:
            return FileFormatError(
                "{file} has no such column as --column names; its first row is: {names}.",
                file=self.path.name,
                names=", ".join(names)[:300],
            )
        if head is None and any_rows:
            return FileFormatError(
                "{file} has no column named 'title', 'abstract' or 'text', nor one that means "
                "the same; its first row is: {names}. Say which column is which, as in "
                "--column title=HEAD, or with the number of a column where there are no heads.",
                file=self.path.name,
                names=", ".join(names)[:300],
            )
        where = Message("no rows") if head is None else Message("a header and no rows below it")
        return FileFormatError(
            "{file} has {where}; choose another file.", file=self.path.name, where=where
        )


def _left_out(sheet: str) -> str:
    return Message(
        "The sheet {sheet!r} has no column of titles or texts and was not read.", sheet=sheet
    )


def _above(n_rows: int) -> str:
    several = N_("The {count} rows above the column headings were not read as records.")
    return (
        Message(several, count=n_rows)
        if n_rows > 1
        else Message("The row above the column headings was not read as a record.")
    )


def _is_upright(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first column names fields, as in Embase's export by rows."""
    names = [field_of(row[0]) for row in rows if row[0] and len(row) > 1]
    known = {name for name in names if len(name) < 30} & {
        "title",
        "authors",
        "text",
        "year",
        "doi",
        "venue",
    }
    return len(known) > 2 and bool(known & set(TEXT_COLUMNS))


def _goes_on(rows: Sequence[Sequence[str]], head: Head) -> bool:
    """Return whether a sheet without a head goes on where the one before it ended."""
    n_columns = len(head.names)
    if n_columns < 3 or head.year is None:
        return False
    return all(len(row) == n_columns and row[head.year][:4].isdecimal() for row in rows[:3])
