"""The rows of a table: of CSV or TSV, also with quotation marks out of order, or of a workbook."""

import csv
import datetime
import io
import re
import warnings
import zipfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

from subclust.core.messages import Message
from subclust.core.storage.cells import unguarded
from subclust.labelled.reading.decoding import read_text
from subclust.labelled.reading.problems import Problem, Sink, quoted
from subclust.text.sources.workbook_safety import MOST_UNPACKED

_SEPARATORS = {
    ",": Message("commas"),
    ";": Message("semicolons"),
    "\t": Message("tabs"),
    "|": Message("bars"),
}
_ANNOUNCED = re.compile(r'^"?sep=([,;\t|])"?\s*$', re.IGNORECASE)
_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
_CHUNK = 1 << 20
_BATCH = 500
_ROWS_LOOKED_AT = 1000
"""Of a further sheet, to tell whether there is something in it."""


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


def read_table(path: Path, sink: Sink, names: set[str]) -> Table:
    """Open a table.

    Parameters
    ----------
    path : Path
        ``.csv``, ``.tsv`` or ``.xlsx``.
    sink : callable
        Takes the problems of the file and of rows that cannot be taken apart.
    names : set of str
        Column names in lower case that the header may hold, to recognise the separator by.
    """
    if path.suffix.lower() == ".xlsx":
        return _workbook_table(path, sink)
    return _delimited_table(path, sink, names)


def _delimited_table(path: Path, sink: Sink, names: set[str]) -> Table:
    """Open a CSV or TSV file; see `read_table`."""
    text = read_text(path, sink)
    lines = text.lines(newline="")
    first = list(_until_filled(lines))
    usual = "\t" if path.suffix.lower() == ".tsv" else ","
    announced = _ANNOUNCED.match(first[0]) if first else None
    if announced:
        del first[0]  # Excel obeys this line and does not show it
    separator = announced[1] if announced else _sniffed(first, usual, names)
    if separator != usual:
        spoken = [_SEPARATORS[s] for s in (separator, usual)]
        sink(Problem("other-separator", path.name, found=spoken[1], other=spoken[0]))
    rows = _rows(path, _Lines(chain(first, lines)), separator, sink)
    return Table(rows, sure=text.sure)


def _until_filled(lines: Iterator[str]) -> Iterator[str]:
    """Return the lines up to the first one that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _sniffed(lines: Sequence[str], usual: str, names: set[str]) -> str:
    """Take the separator that finds most of the known names in the header, then most cells."""
    header = next((line for line in lines if line.strip()), "")

    def merit(separator: str) -> tuple[int, int, bool]:
        try:
            cells = next(csv.reader([header], delimiter=separator), [])
        except csv.Error:
            cells = []
        known = {cell.strip().lower() for cell in cells} & names
        return len(known), len(cells), separator == usual

    return max(_SEPARATORS, key=merit)


class _Lines:
    """Lines that can be gone back in, to where a row began.

    No more lines are kept than a row has read, and a row stops at a cell that is too large.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.again: deque[str] = deque()
        self.row: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self.again.popleft() if self.again else next(self.lines)
        self.row.append(line)
        return line

    def begin_row(self) -> None:
        """Begin a row with the next line."""
        self.row.clear()

    def go_back(self) -> None:
        """Go back to the row's second line."""
        self.again.extendleft(reversed(self.row[1:]))


def _rows(path: Path, source: _Lines, separator: str, sink: Sink) -> Iterator[Row]:
    """Read the rows; after one whose quotation marks are wrong, go on with the next line.

    A quotation mark that is not closed reaches to the next one, however many lines that is, and
    those lines are read again one by one. A line between the two has no single quotation mark, so
    it reaches no further itself: no line is read more than a few times.
    """
    reader = csv.reader(source, delimiter=separator, strict=True)
    number = 0
    while True:
        source.begin_row()
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            n_lines = len(source.row)
            lenient = _mended(path, number, source.row[0], n_lines, separator, error, sink)
            source.go_back()
            if lenient is not None:
                yield Row(number, lenient)
        else:
            yield Row(number, [unguarded(cell) for cell in cells])


def _mended(
    path: Path,
    number: int,
    line: str,
    n_lines: int,
    separator: str,
    error: csv.Error,
    sink: Sink,
) -> list[str] | None:
    """Report a row that the strict reader refuses; give its cells where they can be told."""
    opening = re.search(rf'(?:^|{re.escape(separator)})("[^"]*)', line)
    around = quoted((opening[1] if opening else line)[:20])
    if n_lines > 1 or "unexpected end" in str(error):
        sink(Problem("unclosed-quote", path.name, number, found=around))
        return None
    if "expected after" not in str(error):
        suffix = path.suffix.lower()[1:]
        sink(Problem("bad-row", path.name, number, found=str(error), other=suffix))
        return None
    sink(Problem("stray-quote", path.name, number, found=_inner_quote(line, separator)))
    return [unguarded(cell) for cell in next(csv.reader([line], delimiter=separator))]


def _inner_quote(line: str, separator: str) -> str:
    """Quote the line around the first quotation mark that closes no cell."""
    wrong = re.search(rf'[^{re.escape(separator)}"]"[^{re.escape(separator)}"\r\n]', line)
    position = wrong.start() if wrong else 0
    return quoted(line[max(0, position - 10) : position + 14])


def _workbook_table(path: Path, sink: Sink) -> Table:
    """Open an Excel workbook; see `read_table`."""
    table = Table(delimited=False)
    try:
        # Read into memory, so that no file stays open if the rows are not read to the end.
        data = path.read_bytes()
    except OSError as error:
        sink(Problem("unreadable-file", path.name, found=error.strerror or str(error)))
        return Table(sure=False)
    try:
        formulas = _has_formulas(data)
        book = _loaded(data, results=True)
        # openpyxl returns results or formulas, never both, so a workbook with formulas is opened
        # twice.
        written = _loaded(data, results=False) if formulas else None
        sheets = book.worksheets
        first = sheets[0]
    except OverflowError as error:
        sink(Problem("too-large", path.name, other=str(error)))
        return Table(sure=False)
    except Exception:  # anything at all from a damaged file
        sink(Problem("no-workbook", path.name))
        return Table(sure=False)
    others = [sheet.title for sheet in sheets[1:] if _has_cells(sheet)]
    if others:
        told = ", ".join(quoted(title) for title in others[:5])
        sink(Problem("several-sheets", path.name, found=quoted(first.title), other=told))

    def rows() -> Iterator[Row]:
        beside: Iterator[Any] = _cells(written.worksheets[0]) if written else repeat(())
        number = 0
        try:
            both = zip(_cells(first), beside, strict=False)
            for number, (cells, as_written) in enumerate(both, start=1):
                yield _row(number, cells, as_written)
        except Exception as error:  # anything at all from a damaged file
            table.sure = False
            told = Message("from row {row} on, {error}", row=number + 1, error=quoted(error)[1:-1])
            sink(Problem("damaged-workbook", path.name, found=told))

    table.rows = rows()
    return table


def _loaded(data: bytes, *, results: bool) -> Any:
    from openpyxl import load_workbook

    # openpyxl warns that it drops drop-downs, styles and dates out of range, none of which is read.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_workbook(io.BytesIO(data), read_only=True, data_only=results)


def _cells(sheet: Any) -> Iterator[tuple[Any, ...]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sheet.reset_dimensions()  # other programs write wrong ones
        rows = sheet.iter_rows(values_only=True)
    while True:
        batch: list[tuple[Any, ...]] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for row in islice(rows, _BATCH):
                    batch.append(row)
        finally:
            # Rows before the damage are still yielded.
            yield from batch
        if len(batch) < _BATCH:
            return


def _has_cells(sheet: Any) -> bool:
    try:
        rows = islice(_cells(sheet), _ROWS_LOOKED_AT)
        return any(cell is not None for row in rows for cell in row)
    except Exception:  # anything at all from a damaged file
        return True


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MOST_UNPACKED:
            raise OverflowError(f"{MOST_UNPACKED >> 20} MB")
        for member in members:
            if not member.filename.startswith("xl/worksheets/"):
                continue
            try:
                with archive.open(member) as stream:
                    before = b""
                    while chunk := stream.read(_CHUNK):
                        if _FORMULA.search(before + chunk):
                            return True
                        before = chunk[-40:]
            except Exception:  # anything at all from a damaged file; reading its rows will tell
                return False
    return False


def _row(number: int, cells: tuple[Any, ...], formulas: tuple[Any, ...]) -> Row:
    texts = [cell if isinstance(cell, str) else _text(cell) for cell in cells]
    doubts = [
        (index, "date-cell" if isinstance(cell, datetime.date) else "number-cell", quoted(text))
        for index, (cell, text) in enumerate(zip(cells, texts, strict=True))
        if cell is not None and not isinstance(cell, str)
    ]
    doubts += [
        (index, "formula", quoted(getattr(formula, "text", formula)))
        for index, formula in enumerate(formulas)
        if formula is not None and (index >= len(texts) or not texts[index].strip())
    ]
    return Row(number, texts, tuple(doubts))


def _text(value: Any) -> str:
    """Write a cell's value as a spreadsheet shows it, in the form of no country."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case float() if value.is_integer():
            return str(int(value))
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
    return str(value)
