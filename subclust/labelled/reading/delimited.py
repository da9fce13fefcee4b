"""The rows of a CSV or TSV file, also of one whose quotation marks are not in order."""

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from subclust.core.messages import Message
from subclust.core.storage.cells import unguarded
from subclust.labelled.reading.decoding import read_text
from subclust.labelled.reading.problems import Problem, Sink, quoted
from subclust.labelled.reading.rows import Row, Table

_SEPARATORS = {
    ",": Message("commas"),
    ";": Message("semicolons"),
    "\t": Message("tabs"),
    "|": Message("bars"),
}
_ANNOUNCED = re.compile(r'^"?sep=([,;\t|])"?\s*$', re.IGNORECASE)


def delimited_table(path: Path, sink: Sink, names: set[str]) -> Table:
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
