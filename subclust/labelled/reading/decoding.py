"""From the bytes of a labelled set to its lines, of which few are in memory at a time."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from subclust.core.messages import Message
from subclust.labelled.reading.problems import Problem, Sink, quoted
from subclust.text.sources.textfile import whole_lines
from subclust.text.sources.unpacking import (
    LONGEST_RECORD,
    MOST_RATIO,
    TooLongError,
    UnpacksTooMuchError,
    bounded,
)

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16: the mark of UTF-32 LE begins with that of UTF-16 LE.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTENTS = (
    (b"PK\x03\x04", Message("an Excel workbook or another ZIP file")),
    (b"\xd0\xcf\x11\xe0", Message("an old Excel workbook (.xls)")),
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", Message("a gzip file")),
)
_MOST_UNPACKED = 4 << 30
_HEAD = 4096
_CHUNK = 1 << 20
_AROUND = 12
"""Bytes quoted before and after one that cannot be read."""


@dataclass(frozen=True)
class Text:
    """A text file whose encoding is known, or guessed.

    Parameters
    ----------
    path : Path
        Unpacked where its name ends in ``.gz``.
    encoding : str or None
        None where no line of it can be read.
    n_mark : int
        Bytes of the mark that it begins with.
    sure : bool
        False where the encoding is a guess, good enough to find further problems but no more.
    """

    path: Path
    encoding: str | None = None
    n_mark: int = 0
    sure: bool = False

    def lines(self, newline: str | None = None) -> Iterator[str]:
        r"""Read it from its beginning, line by line.

        Parameters
        ----------
        newline : str or None
            ``""`` keeps line ends as they are; None makes them all ``\n``. Lines end at ``\n``,
            ``\r`` and ``\r\n`` either way.
        """
        if self.encoding is None:
            return
        with closing(_opened(self.path)) as stream:
            stream.read(self.n_mark)
            # What cannot be decoded has been reported.
            with io.TextIOWrapper(stream, self.encoding, "replace", newline=newline) as lines:
                # `read_text` has rejected files with a longer line.
                yield from (line for line in whole_lines(lines) if line is not None)


def read_text(path: Path, sink: Sink) -> Text:
    """Look through a text file, and return how to read it.

    Parameters
    ----------
    sink : callable
        Takes the problems of encoding and packing.
    """
    try:
        return _looked_through(path, sink)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        sink(Problem("broken-gzip", path.name, found=str(error)))
    except OSError as error:
        sink(Problem("unreadable-file", path.name, found=error.strerror or str(error)))
    except OverflowError as error:
        sink(Problem("too-large", path.name, other=str(error)))
    except UnpacksTooMuchError:
        sink(Problem("packed-trap", path.name, other=str(MOST_RATIO)))
    except TooLongError:
        sink(Problem("long-line", path.name, other=f"{LONGEST_RECORD >> 20} MB"))
    return Text(path)


def _looked_through(path: Path, sink: Sink) -> Text:
    head = next(_chunks(path, _HEAD), b"")
    mark, encoding = next(((m, e) for m, e in _BOMS if head.startswith(m)), (b"", ""))
    problems = []
    for start, content in _CONTENTS:
        if head.startswith(start):
            problems.append(Problem("other-content", path.name, other=content))
            encoding = "latin-1"
            break
    else:
        if encoding and encoding != "utf-8":
            name = encoding[:-3].upper()
            problems.append(
                Problem("utf-16", path.name, found="it begins with its mark", other=name)
            )
        elif not encoding:
            encoding = _without_mark(head)
            if encoding != "utf-8":
                name, found = Message("UTF-16 without its mark"), Message("every other byte is 0")
                problems.append(Problem("other-encoding", path.name, found=found, other=name))
    wrong = _first_wrong(path, encoding, len(mark))  # to the end, so that its packing is known
    for problem in problems:
        sink(problem)
    if any(problem.kind == "other-content" for problem in problems):
        return Text(path)
    if wrong is None:
        return Text(path, encoding, len(mark), sure=encoding == "utf-8" or bool(mark))
    if encoding != "utf-8":
        # The mark announced an encoding that the text does not keep to.
        sink(
            Problem(
                "other-content",
                path.name,
                other=Message("only in part {encoding}", encoding=encoding[:6].upper()),
            )
        )
        return Text(path, encoding, len(mark))
    # Windows-1252 leaves five bytes undefined; Latin-1 decodes anything.
    guess = "latin-1" if _first_wrong(path, "cp1252", len(mark)) else "cp1252"
    name = "Windows-1252" if guess == "cp1252" else Message("Latin-1 or another old encoding")
    around = quoted(wrong.around.decode(guess, "replace").strip())
    found = Message("line {line}: {around}", line=wrong.line, around=around)
    sink(Problem("other-encoding", path.name, found=found, other=name))
    return Text(path, guess, len(mark))


@dataclass(frozen=True)
class _Wrong:
    line: int
    around: bytes


def _first_wrong(path: Path, encoding: str, n_mark: int) -> _Wrong | None:
    """Find the first bytes that are not in an encoding, and read the whole file."""
    decoder = codecs.getincrementaldecoder(encoding)()
    wrong: _Wrong | None = None
    n_bytes, n_lines, n_line, before = 0, 0, 0, b""
    chunks = _chunks(path, _CHUNK, skip=n_mark)
    # One piece ahead: the decoder must know which is the last, or half a character at the end
    # passes.
    ahead = next(chunks, b"")
    while True:
        chunk, ahead = ahead, next(chunks, b"")
        n_bytes += len(chunk)
        if n_bytes > _MOST_UNPACKED:
            raise OverflowError(f"{_MOST_UNPACKED >> 30} GB")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        n_line = n_line + len(chunk) if end < 0 else len(chunk) - end - 1
        if n_line > LONGEST_RECORD:
            raise TooLongError
        if wrong is None:
            n_pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not ahead)
            except UnicodeDecodeError as error:
                at = len(before) - n_pending + error.start
                near = before + chunk + ahead[:_AROUND]
                line = n_lines + near.count(b"\n", len(before), max(at, len(before))) + 1
                wrong = _Wrong(line, near[max(0, at - _AROUND) : at + _AROUND])
        n_lines += chunk.count(b"\n")
        before = (before + chunk)[-2 * _AROUND :]
        if not ahead:
            return wrong


def _chunks(path: Path, size: int, skip: int = 0) -> Iterator[bytes]:
    with closing(_opened(path)) as stream:
        stream.read(skip)
        while chunk := stream.read(size):
            yield chunk


def _opened(path: Path) -> BinaryIO:
    if path.name.lower().endswith(".gz"):
        return bounded(cast(BinaryIO, gzip.open(path)), path)
    return path.open("rb")


def _without_mark(head: bytes) -> str:
    """Distinguish unmarked UTF-16 from UTF-8 by the zero bytes that Latin letters have in it."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half / 2 > 2 * even:
        return "utf-16-le"
    return "utf-16-be" if even > half / 2 > 2 * odd else "utf-8"
