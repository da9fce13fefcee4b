"""Tables with a header: CSV, TSV and Excel workbooks."""

import csv
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import count
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.storage.cells import unguarded
from subclust.text.sources.base import Document, Refusal, Source, absent
from subclust.text.sources.fields import field_of
from subclust.text.sources.record import TEXT_COLUMNS, clean, document
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.unpacking import LONGEST_RECORD, TooLongError
from subclust.text.sources.workbook_safety import workbook_fault

_DELIMITERS = ",;\t|"
Row = tuple[str, Sequence[Any] | Refusal]
"""Its place, and its cells or why they cannot be read."""


class Table(Source):
    """A table whose first row names its columns; each further row is a document."""

    @abstractmethod
    def _rows(self) -> Iterator[Row]:
        """Read all rows, the header too."""

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the rows in order.

        Raises
        ------
        FileFormatError
            If the file cannot be read, or its header has neither a text nor a title.
        """
        header: list[str] | None = None
        found = False
        for place, cells in self._rows():
            if isinstance(cells, Refusal):
                if header is None:
                    raise FileFormatError(
                        "The header of {file} cannot be read: {reason} {advice}",
                        file=self.path.name,
                        reason=cells.reason,
                        advice=cells.advice,
                    )
                yield cells
            elif not any(clean(cell) for cell in cells):
                continue
            elif header is None:
                header = self._header(cells)
                continue
            elif any(clean(cell) for cell in cells[len(header) :]):
                yield Refusal(
                    place,
                    Message(
                        "It has {cells} cells, but the header has {header}.",
                        cells=len(cells),
                        header=len(header),
                    ),
                    Message("Look for a missing quotation mark or a separator too many."),
                )
            else:
                yield document(dict(zip(header, cells, strict=False)), place, self.collection)
            found = True
        if not found:
            where = (
                Message("no rows") if header is None else Message("a header and no rows below it")
            )
            raise FileFormatError(
                "{file} has {where}; choose another file.", file=self.path.name, where=where
            )

    def _header(self, cells: Sequence[Any]) -> list[str]:
        names = [clean(cell) for cell in cells]
        while names and not names[-1]:
            names.pop()
        if not {field_of(name) for name in names} & set(TEXT_COLUMNS):
            raise FileFormatError(
                "{file} needs a first row with a column named 'text', 'abstract' or 'title', but "
                "its first row is: {names}.",
                file=self.path.name,
                names=", ".join(names)[:200],
            )
        twice = {name for name in names if name and names.count(name) > 1}
        if twice:
            raise FileFormatError(
                "{file} has two columns named {name!r}; rename one of them.",
                file=self.path.name,
                name=min(twice),
            )
        return names


class DelimitedTable(Table):
    """CSV or TSV; the separator is the one of comma, semicolon, tab and bar that the header has."""

    label = Message("CSV or TSV table")

    @cached_property
    def _file(self) -> TextFile:
        return TextFile.of(self)

    def estimate(self) -> int | None:
        """Count the lines below the header: too many where cells hold line breaks."""
        return max(1, self._file.n_lines - 1)

    def _rows(self) -> Iterator[Row]:
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_RECORD))
        head = next((line for line in self._file.lines(newline="") if line.strip()), "")
        delimiter = max(_DELIMITERS, key=head.count)
        with closing(self._file.lines(newline="")) as lines:
            row = _RowLines(lines)
            reader = csv.reader(row, delimiter=delimiter, strict=True)
            before = 0
            for number in count(1):
                place = Message("row {row}", row=number)
                row.n_characters = 0
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except TooLongError:
                    yield place, _too_long(number, before + 1)
                    return
                except csv.Error as error:
                    yield place, _unbalanced(number, before + 1, reader.line_num, error)
                else:
                    yield place, [unguarded(cell) for cell in cells]
                before = reader.line_num


class _RowLines:
    """The lines of a table, of which one row takes only so many."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.n_characters = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.n_characters > LONGEST_RECORD:
            raise TooLongError
        line = next(self.lines)
        self.n_characters += len(line)
        if len(line) == LONGEST_RECORD and not line.endswith(("\n", "\r")):
            raise TooLongError
        return line.replace("\x00", "")


def _too_long(row: int, line: int) -> Refusal:
    return Refusal(
        Message("row {row} (line {line})", row=row, line=line),
        Message(
            "It is longer than {size} MB, which no row is; nothing after it is read.",
            size=LONGEST_RECORD >> 20,
        ),
        Message("Look for a quotation mark that is never closed, and import the file again."),
    )


def _unbalanced(row: int, first: int, last: int, error: csv.Error) -> Refusal:
    place = (
        Message("row {row} (line {line})", row=row, line=first)
        if first >= last
        else Message("row {row} (lines {first} to {last})", row=row, first=first, last=last)
    )
    if "unexpected end" in str(error):
        return Refusal(
            place,
            Message(
                "A quotation mark that opens there is never closed, so nothing after it can be "
                "read."
            ),
            Message("Close it and import the file again."),
        )
    return Refusal(
        place,
        Message("Its quotation marks are not balanced ({error}).", error=error),
        Message("Within a quoted cell, write a quotation mark twice."),
    )


class Workbook(Table):
    """The first sheet with something in it of an Excel workbook (.xlsx)."""

    label = "Excel workbook"

    def _rows(self) -> Iterator[Row]:
        import openpyxl

        if not self.path.is_file():
            raise absent(self.path)
        if fault := workbook_fault(self.path):
            raise FileFormatError("{file} {fault}.", file=self.path.name, fault=fault)
        # openpyxl warns of drop-downs, styles and dates that it will not keep: nothing we read.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                book = openpyxl.load_workbook(self.path, read_only=True, data_only=True)
            except Exception as error:  # anything at all from a damaged file
                raise FileFormatError(
                    "{file} cannot be read as an Excel workbook ({error}); open it in a "
                    "spreadsheet program and save it as .xlsx or CSV.",
                    file=self.path.name,
                    error=error,
                ) from error
        try:
            for sheet in book.worksheets:
                found = False
                for place, cells in self._sheet_rows(sheet):
                    found = found or isinstance(cells, Refusal) or any(map(clean, cells))
                    yield place, cells
                if found:
                    return
        finally:
            book.close()

    def _sheet_rows(self, sheet: Any) -> Iterator[Row]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheet.reset_dimensions()  # other programs write wrong ones
            rows = sheet.iter_rows(values_only=True)
        for number in count(1):
            place = Message("row {row}", row=number)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    cells = next(rows)
            except StopIteration:
                return
            except Exception as error:  # anything at all from a damaged file
                reason = Message("The workbook is damaged from there on ({error}).", error=error)
                advice = Message("Open it in a spreadsheet program, save it and import it again.")
                yield place, Refusal(place, reason, advice)
                return
            yield place, cells
