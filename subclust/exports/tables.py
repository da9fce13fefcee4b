"""Passages as tables: CSV, and an Excel workbook with groups and how they came about."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic, SubtopicMap
from subclust.core.storage.cells import guarded
from subclust.core.translation import spoken
from subclust.exports.records import Report, facts
from subclust.figures.wrapping import printable
from subclust.text.sources.fields import FIELDS

Cell = str | int | float

OWN_COLUMNS = (
    "group", "group_size", "group_name", "title", "section", "text", "hit", "fit", "x", "y",
    "id", "collection",
)  # fmt: skip
KNOWN_METADATA = tuple(
    field.name
    for field in FIELDS
    if field.name not in ("id", "title", "text", "label", "path", "description")
)
LEFT_OUT = ("description", "merged", "also")
"""Of an article as a whole: the same long text would stand in each of its rows; and of merging."""

_LONGEST_CELL = 32_767
"""Characters that Excel takes."""

_CUT = " … (cut; the CSV file has all of it)"
_WIDTHS = {"group_name": 30, "title": 30, "section": 24, "text": 80, "url": 30, "authors": 30}
_EPOCH = datetime(2000, 1, 1)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def _columns(subtopics: SubtopicMap) -> list[str]:
    """Name the columns: ours, and the metadata that at least one passage has."""
    present = {
        name
        for group in subtopics.subtopics
        for member in group.passages
        for name, value in member.passage.metadata.items()
        if value and name not in LEFT_OUT
    }
    known = [name for name in KNOWN_METADATA if name in present]
    if any(group.term for group in subtopics.subtopics):
        known = ["group_term", *known]
    return [*OWN_COLUMNS, *known, *(_apart(name) for name in sorted(present - {*known}))]


def rows(subtopics: SubtopicMap) -> Iterator[list[Cell]]:
    """Write a row for each passage, group by group, in the order of `_columns`."""
    names = _columns(subtopics)
    for number, group in _numbered(subtopics):
        for member in group.passages:
            row = _row(number, group, member)
            yield [row.get(name, "") for name in names]


def _numbered(subtopics: SubtopicMap) -> Iterator[tuple[Cell, Subtopic]]:
    """Yield each group with its number, from 1 in the order of the page; its id is in another."""
    for number, group in enumerate(subtopics.subtopics, start=1):
        yield "" if group.id == OTHER_PASSAGES else number, group


def _row(number: Cell, group: Subtopic, member: MappedPassage) -> Mapping[str, Cell]:
    passage = member.passage
    return {_apart(name): value for name, value in passage.metadata.items()} | {
        "group": number,
        "group_size": group.size,
        "group_name": group.name,
        "group_term": group.term or "",
        "title": passage.title,
        "section": passage.path or "",
        "text": passage.text,
        "hit": member.rank,
        "fit": round(member.strength, 6),
        "x": round(member.x, 6),
        "y": round(member.y, 6),
        "id": passage.id,
        "collection": passage.collection,
    }


def _apart(name: str) -> str:
    """Keep a field of the source that has the name of one of our columns."""
    return f"source_{name}" if name in OWN_COLUMNS else name


def harmless(text: str) -> str:
    """Take out control characters, and write an apostrophe before what could be a formula."""
    return guarded(printable(text))


def write_csv(report: Report) -> bytes:
    """Write UTF-8 with a byte order mark, commas, and a first row that names the columns.

    Without the mark Excel reads umlauts wrongly. Text that could be taken for a formula begins
    with an apostrophe; the numbers are numbers.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([harmless(name) for name in _columns(report.subtopics)])
    for row in rows(report.subtopics):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return b"\xef\xbb\xbf" + stream.getvalue().encode()


def write_xlsx(report: Report) -> bytes:
    """Write the sheets ``Passages``, ``Groups`` and ``About``; every text is text, no formula."""
    from openpyxl import Workbook

    book = Workbook()
    names = _columns(report.subtopics)
    passages = book.active
    passages.title = "Passages"
    _fill(passages, names, rows(report.subtopics))
    _fill(
        book.create_sheet("Groups"),
        ["group", "group_name", "group_size", "quality", "group_term"],
        (
            [
                number,
                group.name,
                group.size,
                round(group.quality, 6),
                group.term or "",
            ]
            for number, group in _numbered(report.subtopics)
        ),
    )
    _, _n = spoken(report.language)
    _fill(book.create_sheet("About"), [_("what"), _("value")], map(list, facts(report)))
    book.properties.creator = "Subclust"
    book.properties.created = _EPOCH
    stream = io.BytesIO()
    book.save(stream)
    return _without_times(stream.getvalue())


def _fill(sheet: Any, names: Sequence[str], lines: Iterable[Sequence[Cell]]) -> None:
    from openpyxl.utils import get_column_letter

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
    from openpyxl.styles import Alignment, Font

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
