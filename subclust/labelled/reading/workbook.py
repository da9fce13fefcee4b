"""The rows of the first sheet of an Excel workbook."""

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from subclust.core.messages import Message
from subclust.labelled.reading.problems import Problem, Sink, quoted
from subclust.labelled.reading.rows import Row, Table
from subclust.text.sources.workbook_safety import MOST_UNPACKED

_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
_CHUNK = 1 << 20
_BATCH = 500

_ROWS_LOOKED_AT = 1000
"""Of a further sheet, to tell whether there is something in it."""


def workbook_table(path: Path, sink: Sink) -> Table:
    """Open an Excel workbook; see `read_table`."""
    table = Table(delimited=False)
    try:
        # In memory, so that nothing stays open if the rows are not read to the end.
        data = path.read_bytes()
    except OSError as error:
        sink(Problem("unreadable-file", path.name, found=error.strerror or str(error)))
        return Table(sure=False)
    try:
        formulas = _has_formulas(data)
        book = _loaded(data, results=True)
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

    # openpyxl warns of drop-downs, styles and dates that it will not keep: nothing we read.
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
            # Also those before the place where a file is damaged.
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
