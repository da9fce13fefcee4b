"""An Excel workbook: passages, groups, and how they came about."""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

from subclust.exports.about import facts
from subclust.exports.records import Report
from subclust.exports.rows import Cell, columns, rows
from subclust.figures.wrapping import printable

_LONGEST_CELL = 32_767
"""Characters that Excel takes."""

_CUT = " … (cut; the CSV file has all of it)"
_WIDTHS = {"group_name": 30, "title": 30, "section": 24, "text": 80, "url": 30, "authors": 30}
_EPOCH = datetime(2000, 1, 1)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def write_xlsx(report: Report) -> bytes:
    """Write the sheets ``Passages``, ``Groups`` and ``About``; every text is text, no formula."""
    book = Workbook()
    names = columns(report.subtopics)
    passages = book.active
    passages.title = "Passages"
    _fill(passages, names, rows(report.subtopics))
    _fill(
        book.create_sheet("Groups"),
        ["group", "group_name", "group_size", "quality"],
        (
            [group.id + 1 if group.id >= 0 else "", group.name, group.size, round(group.quality, 6)]
            for group in report.subtopics.subtopics
        ),
    )
    _fill(book.create_sheet("About"), ["what", "value"], map(list, facts(report)))
    book.properties.creator = "Subclust"
    book.properties.created = _EPOCH
    stream = io.BytesIO()
    book.save(stream)
    return _without_times(stream.getvalue())


def _fill(sheet: Any, names: Sequence[str], lines: Iterable[Sequence[Cell]]) -> None:
    looks: dict[tuple[bool, bool, bool], Any] = {}
    for number, line in enumerate([names, *lines], start=1):
        for column, value in enumerate(line, start=1):
            if value == "":
                continue
            cell = sheet.cell(number, column)
            look = (isinstance(value, str), number == 1, names[column - 1] == "text")
            if look not in looks:
                _style(cell, *look)
                looks[look] = cell._style
            # openpyxl works a look out for each cell in which it is set, which took most of the
            # time; the cells of a book refer to looks by number.
            cell._style = looks[look]
            if isinstance(value, str):
                cell.value = _fitting(value)
                # openpyxl takes what begins with "=" for a formula.
                cell.data_type = "s"
            else:
                cell.value = value
    for column, name in enumerate(names, start=1):
        sheet.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, 14)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions


def _style(cell: Any, is_text: bool, is_heading: bool, is_long: bool) -> None:
    cell.quotePrefix = is_text  # otherwise Excel takes "=" for a formula when somebody edits it
    cell.alignment = Alignment(vertical="top", wrap_text=is_long)
    if is_heading:
        cell.font = Font(bold=True)


def _fitting(text: str) -> str:
    text = printable(text)
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def _without_times(content: bytes) -> bytes:
    """Pack the parts anew without the moment of packing, so that equal reports are equal files."""
    stream = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as old, ZipFile(stream, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = ZipInfo(name, date_time=(2000, 1, 1, 0, 0, 0))
            part.compress_type = ZIP_DEFLATED
            new.writestr(part, _MODIFIED.sub(rb"\g<1>2000-01-01T00:00:00Z\g<2>", old.read(name)))
    return stream.getvalue()
