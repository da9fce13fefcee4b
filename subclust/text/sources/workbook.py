"""Workbooks: Excel's, new and old, OpenDocument's, and web pages that call themselves one."""

import datetime
import re
import warnings
from collections.abc import Iterator
from itertools import count
from typing import Any, BinaryIO

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import DAMAGES, Refusal, absent
from subclust.text.sources.table import Row, Table
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.workbook_safety import old_workbook_fault, workbook_fault

_AGAIN = Message("Open it in a spreadsheet program, save it and import it again.")
_NAMESPACE = "{urn:schemas-microsoft-com:office:spreadsheet}"
_HUGE = 64 << 20
"""Bytes of a web page that are read as a whole."""


class Workbook(Table):
    """The sheets of an Excel workbook (.xlsx) that have a head."""

    label = Message("Excel workbook")

    def sheets(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Return the name of each sheet and its rows."""
        if not self.path.is_file():
            raise absent(self.path)
        if fault := workbook_fault(self.path):
            raise FileFormatError("{file} {fault}.", file=self.path.name, fault=fault)
        with self.path.open("rb") as stream:  # by path, openpyxl refuses what is called .xls
            book = self._book(stream)
            try:
                for sheet in book.worksheets:
                    yield sheet.title, self._sheet_rows(sheet)
            finally:
                book.close()

    def _book(self, stream: BinaryIO) -> Any:
        import openpyxl

        # openpyxl warns that it drops drop-downs, styles and dates out of range, none of which is
        # read.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return openpyxl.load_workbook(stream, read_only=True, data_only=True)
            except Exception as error:  # anything at all from a damaged file
                raise FileFormatError(
                    "{file} cannot be read as an Excel workbook ({error}); open it in a "
                    "spreadsheet program and save it as .xlsx or CSV.",
                    file=self.path.name,
                    error=error,
                ) from error

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
                yield place, Refusal(place, reason, _AGAIN), ()
                return
            yield place, [_plain(cell) for cell in cells], ()


class OtherWorkbook(Table):
    """The sheets of an old Excel workbook (.xls), a binary one (.xlsb) or OpenDocument's (.ods)."""

    label = Message("Old Excel or OpenDocument workbook")

    def sheets(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Return the name of each sheet and its rows."""
        import python_calamine

        if not self.path.is_file():
            raise absent(self.path)
        if fault := old_workbook_fault(self.path):
            raise FileFormatError("{file} {fault}.", file=self.path.name, fault=fault)
        try:
            book = python_calamine.CalamineWorkbook.from_path(str(self.path))
            names = list(book.sheet_names)
            sheets = [(name, book.get_sheet_by_name(name).to_python()) for name in names]
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of its Rust code is no Exception
            raise FileFormatError(
                "{file} cannot be read as a workbook ({error}); open it in a spreadsheet program "
                "and save it as .xlsx or CSV.",
                file=self.path.name,
                error=str(error)[:120],
            ) from error
        for name, rows in sheets:
            yield name, _numbered(rows)


class WebPageTable(Table):
    """The tables of a web page or of Excel's XML of 2003, which systems call .xls."""

    label = Message("Web page that calls itself a workbook")

    def sheets(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Return the name of each sheet and its rows."""
        from lxml import etree, html

        looked = TextFile.of(self)
        if self.path.stat().st_size > _HUGE:
            raise self._unread()
        try:
            with looked.text() as stream:
                text = stream.read(_HUGE)
            # The text is handed on as UTF-8; lxml would follow a declaration that says otherwise.
            text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
            if "urn:schemas-microsoft-com:office:spreadsheet" in text[:4096]:
                parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
                sheets = list(_sheets_of_xml(etree.fromstring(text.encode(), parser)))
            else:
                page = html.document_fromstring(text.encode(), html.HTMLParser(encoding="utf-8"))
                sheets = [("", _rows_of_table(one)) for one in page.iter("table")]
        except (etree.LxmlError, ValueError, AttributeError, *DAMAGES) as error:
            raise self._unread() from error
        if not sheets:
            raise self._unread()
        for name, rows in sheets:
            yield name, _numbered(rows)

    def _unread(self) -> FileFormatError:
        return FileFormatError(
            "{file} is a web page, not a workbook, and no table in it can be read; open it in a "
            "spreadsheet program and save it as .xlsx.",
            file=self.path.name,
        )


def _rows_of_table(table: Any) -> list[list[str]]:
    rows = []
    for row in table.iter("tr"):
        if next(row.iterancestors("table"), None) is not table:
            continue  # of a table within a cell
        cells: list[str] = []
        for cell in row.iterchildren("td", "th"):
            for line_break in cell.iter("br"):
                line_break.tail = "\n" + (line_break.tail or "")
            cells.append(
                "\n".join(" ".join(one.split()) for one in cell.text_content().split("\n")).strip()
            )
            # Bounded, since a cell may claim any width.
            width = str(cell.get("colspan") or "1")
            cells.extend([""] * (min(int(width), 100) - 1 if width.isdecimal() else 0))
        rows.append(cells)
    return rows


def _sheets_of_xml(book: Any) -> Iterator[tuple[str, list[list[str]]]]:
    for sheet in book.iter(f"{_NAMESPACE}Worksheet"):
        rows = []
        for row in sheet.iter(f"{_NAMESPACE}Row"):
            cells: list[str] = []
            for cell in row.iter(f"{_NAMESPACE}Cell"):
                place = str(cell.get(f"{_NAMESPACE}Index") or "")
                if place.isdecimal():
                    cells.extend([""] * (min(int(place), 1000) - 1 - len(cells)))
                data = cell.find(f"{_NAMESPACE}Data")
                cells.append("" if data is None else "".join(data.itertext()))
            rows.append(cells)
        yield str(sheet.get(f"{_NAMESPACE}Name") or ""), rows


def _numbered(rows: Any) -> Iterator[Row]:
    for number, cells in enumerate(rows, start=1):
        yield Message("row {row}", row=number), [_plain(cell) for cell in cells], ()


def _plain(cell: Any) -> Any:
    """Return a date without the time that workbooks add to it."""
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date()
    return cell
