"""CSV and TSV, with the quotation marks that people and programs write."""

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import count, islice
from typing import NamedTuple

from subclust.core.messages import Message
from subclust.core.storage.cells import unguarded
from subclust.text.sources.base import Refusal
from subclust.text.sources.dates import read_date
from subclust.text.sources.heads import MOST_ABOVE, find_head
from subclust.text.sources.record import excerpt
from subclust.text.sources.table import Row, Table
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.unpacking import LONGEST_RECORD, TooLongError

_DELIMITERS = ",;\t|"
_LOOKED_AT = 4 * MOST_ABOVE
"""Lines from which a table's separator and its quotation marks are told."""

_MOST_LINES = 100
"""Of a row with a quotation mark too many."""

_MOST_CELLS = 1 << 20
"""Of a row; a spreadsheet has a sixty-fourth of it."""

_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\s*', re.IGNORECASE)
_QUOTES = Message("A stray quotation mark was read as part of the text.")


class DelimitedTable(Table):
    """CSV or TSV; the separator is the one of comma, semicolon, tab and bar that fits the head."""

    label = Message("CSV or TSV table")

    @cached_property
    def _file(self) -> TextFile:
        return TextFile.of(self)

    def estimate(self) -> int | None:
        """Count the lines below the header: too many where cells hold line breaks."""
        return max(1, self._file.n_lines - 1)

    def sheets(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Return the name of each sheet and its rows."""
        with closing(self._file.lines(newline="")) as lines:
            begin = [line for line in islice(lines, _LOOKED_AT) if len(line) <= _MOST_CELLS]
        yield "", self._rows(_layout(begin, self.columns))

    def _rows(self, layout: "_Layout") -> Iterator[Row]:
        with closing(self._file.lines(newline="")) as given:
            lines = _Lines(given, layout.delimiter, layout.has_backslashes)
            # Strict: else text behind a closing quotation mark is silently joined to the cell.
            reader = csv.reader(lines, delimiter=layout.delimiter, strict=True)
            for number in count(1):
                lines.begin()
                first = lines.number + 1
                place = Message("row {row}", row=number)
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except TooLongError:
                    if len(lines.taken) < 2:
                        yield place, _too_long(number, first), ()
                        return
                    cells = []
                except csv.Error:
                    cells = []
                else:
                    if len(lines.taken) == 1 or not layout.swallowed(cells, lines.taken):
                        yield place, [unguarded(cell) for cell in cells], ()
                        continue
                # Take lines up to one that is surely a row of its own; `mend` gives back what is
                # too many.
                while len(lines.taken) < _MOST_LINES and not (
                    len(lines.taken) > 1 and layout.is_row(lines.taken[-1])
                ):
                    if not lines.take():
                        break
                mended, n_lines = layout.mend(lines.taken)
                refused = _unbalanced(number, first, first + n_lines - 1, lines.taken[0])
                lines.give_back(n_lines)
                if mended is None:
                    yield place, refused, ()
                else:
                    yield place, [unguarded(cell) for cell in mended], (_QUOTES,)


class _Lines:
    """The lines of a table, of which one row takes only so many; those too many are given back."""

    def __init__(self, lines: Iterator[str], delimiter: str, has_backslashes: bool) -> None:
        self.lines = lines
        self.delimiter = delimiter
        self.has_backslashes = has_backslashes
        self.number = 0
        self.taken: list[str] = []
        self._n_characters = 0
        self._again: deque[str] = deque()

    def begin(self) -> None:
        """Begin a row."""
        self.taken.clear()
        self._n_characters = 0

    def give_back(self, n_kept: int) -> None:
        """Give back the lines of a row after so many."""
        self._again.extendleft(reversed(self.taken[n_kept:]))
        self.number -= len(self.taken) - n_kept

    def take(self) -> bool:
        """Take one more line into the row; return whether there was one."""
        try:
            next(self)
        except (StopIteration, TooLongError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._n_characters > LONGEST_RECORD:
            raise TooLongError
        if self._again:
            line = self._again.popleft()
        else:
            line = next(self.lines).replace("\x00", "")
            if self.has_backslashes:
                line = line.replace('\\"', '""')
        self.number += 1
        self.taken.append(line)
        self._n_characters += len(line)
        if len(line) >= LONGEST_RECORD and not line.endswith(("\n", "\r")):
            raise TooLongError
        if len(line) > _MOST_CELLS and line.count(self.delimiter) > _MOST_CELLS:
            raise TooLongError  # each cell would take eight bytes of memory
        return line


class _Layout(NamedTuple):
    """How a table is written."""

    delimiter: str
    has_backslashes: bool
    n_columns: int
    year: int | None

    def swallowed(self, cells: Sequence[str], lines: Sequence[str]) -> bool:
        """Return whether a row of several lines took in others that are rows of their own."""
        if self.year is None and self.n_columns < 5 and len(cells) == self.n_columns:
            return False
        return self.n_columns > 1 and any(map(self.is_row, lines[1:]))

    def mend(self, lines: Sequence[str]) -> tuple[list[str] | None, int]:
        """Read a row whose quotation marks are wrong.

        Returns
        -------
        list of str or None
            None where it cannot be told what its cells are.
        int
            Lines of it.
        """
        most = next(
            (at for at, one in enumerate(lines[1:_MOST_LINES], start=1) if self.is_row(one)), None
        )
        whole = most or min(len(lines), _MOST_LINES)
        for is_even in (True, False):
            text = ""
            for n_lines, line in enumerate(lines[:whole], start=1):
                text += line
                if (text.count('"') % 2 == 0) is is_even and (cells := self._read(text)):
                    return cells, n_lines
                if not is_even:
                    break
        return None, most or 1

    def is_row(self, line: str) -> bool:
        """Return whether a line is a whole row by itself."""
        if line.count(self.delimiter) < self.n_columns - 1 or line.count('"') % 2:
            return False
        cells = self._read(line)
        if not cells or self.year is None:
            return bool(cells)
        return not cells[self.year].strip() or bool(read_date(cells[self.year]))

    def _read(self, text: str) -> list[str] | None:
        """Divide a row at quotation marks that stand beside separators; None if it does not fit."""
        for written in dict.fromkeys((text.replace('\\"', '""'), text)):
            cells = _cells(written.rstrip("\r\n"), self.delimiter)
            while len(cells) > self.n_columns and not cells[-1]:
                cells.pop()
            if len(cells) == self.n_columns or not self.n_columns:
                return cells
        return None


def _cells(text: str, delimiter: str) -> list[str]:
    mark = re.escape(delimiter)
    # Not by a possessive group, which Python before 3.11.5 matches wrongly.
    inner = rf'(?:""|(?<!{mark})"(?!"|\s*(?:{mark}|\Z)))'
    cell = re.compile(
        rf' *"([^"]*(?:{inner}[^"]*)*)"\s*(?:{mark}|\Z)'
        rf"|([^{mark}]*)(?:{mark}|\Z)"
    )
    cells, at = [], 0
    while at <= len(text):
        found = cell.match(text, at)
        if found is None:
            break
        cells.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        if found.end() == len(text) and not found[0].endswith(delimiter):
            break
        at = found.end()
    return cells


def _layout(lines: Sequence[str], columns: object) -> _Layout:
    """Tell a table's separator by its head, and how it writes quotation marks."""
    # The limit holds for the whole process, so it is raised only and never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_RECORD))
    text = "".join(lines)
    has_backslashes = bool(re.search(r'(?<!\\)\\"(?!"?\s*(?:[,;\t|]|$))', text, re.MULTILINE))
    read = [
        one.replace("\x00", "").replace('\\"', '""') if has_backslashes else one.replace("\x00", "")
        for one in lines
    ]
    first = next((line for line in lines if line.strip()), "")
    named = _SEPARATOR.fullmatch(first)
    best: _Layout | None = None
    most = 0
    for delimiter in named[1] if named else _DELIMITERS:
        try:
            rows = list(islice(csv.reader(read, delimiter=delimiter), MOST_ABOVE))
        except csv.Error:
            continue
        found = find_head(rows, columns)  # type: ignore[arg-type]
        if found is not None and found[1].n_known > most:
            head, most = found[1], found[1].n_known
            best = _Layout(delimiter, has_backslashes, len(head.names), head.year)
    if best is None:
        delimiter = named[1] if named else max(_DELIMITERS, key=first.count)
        best = _Layout(delimiter, has_backslashes, first.count(delimiter) + 1, None)
    return best


def _too_long(row: int, line: int) -> Refusal:
    return Refusal(
        Message("row {row} (line {line})", row=row, line=line),
        Message(
            "It is longer than {size} MB or has more than {cells:,} cells, which is too much "
            "for a row; nothing after it is read.",
            size=LONGEST_RECORD >> 20,
            cells=_MOST_CELLS,
        ),
        Message("Look for a quotation mark that is never closed, and import the file again."),
    )


def _unbalanced(row: int, first: int, last: int, line: str) -> Refusal:
    place = (
        Message("row {row} (line {line})", row=row, line=first)
        if first >= last
        else Message("row {row} (lines {first} to {last})", row=row, first=first, last=last)
    )
    return Refusal(
        place,
        Message("Its quotation marks are not balanced."),
        Message("Within a quoted cell, write a quotation mark twice."),
        excerpt=excerpt(line),
    )
