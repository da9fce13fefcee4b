"""From the bytes of a labelled set to its text."""

import codecs
import gzip
import zlib
from pathlib import Path

from subclust.training.problems import Problem, Sink, quoted

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTENTS = (
    (b"PK\x03\x04", "an Excel workbook or another ZIP file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)"),
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip file"),
)
_MOST_UNPACKED = 4 << 30
_HEAD = 4096


def read_text(path: Path, sink: Sink) -> tuple[str, bool]:
    """Read a text file, unpacked where its name ends in ``.gz``.

    Parameters
    ----------
    path : Path
    sink : callable
        Takes the problems of encoding and packing.

    Returns
    -------
    text : str
        Empty where there is none; line ends as they are.
    sure : bool
        False where the encoding is a guess, good enough to find further problems but no more.
    """
    data = _unpacked(path, sink)
    if data is None:
        return "", False
    for start, content in _CONTENTS:
        if data.startswith(start):
            sink(Problem("other-content", path.name, other=content))
            return "", False
    mark, encoding = next(((m, e) for m, e in _BOMS if data.startswith(m)), (b"", ""))
    if encoding and encoding != "utf-8":
        name = encoding[:-3].upper()
        sink(Problem("utf-16", path.name, found="it begins with its mark", other=name))
    elif not encoding:
        encoding = _without_mark(data)
        if encoding != "utf-8":
            name = "UTF-16 without its mark"
            sink(Problem("other-encoding", path.name, found="every other byte is 0", other=name))
    data = data[len(mark) :]
    try:
        return data.decode(encoding), encoding == "utf-8" or bool(mark)
    except UnicodeDecodeError as error:
        return _guessed(path, data, encoding, error.start, sink), False


def _unpacked(path: Path, sink: Sink) -> bytes | None:
    try:
        if not path.name.lower().endswith(".gz"):
            return path.read_bytes()
        with gzip.open(path) as stream:
            data = stream.read(_MOST_UNPACKED + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        sink(Problem("broken-gzip", path.name, found=str(error)))
        return None
    except OSError as error:
        sink(Problem("unreadable-file", path.name, found=error.strerror or str(error)))
        return None
    if len(data) > _MOST_UNPACKED:
        sink(Problem("too-large", path.name, other=f"{_MOST_UNPACKED >> 30} GB"))
        return None
    return data


def _without_mark(data: bytes) -> str:
    """Tell UTF-16 without its mark from UTF-8 by the zero bytes that Latin letters have in it."""
    head = data[:_HEAD]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half / 2 > 2 * even:
        return "utf-16-le"
    return "utf-16-be" if even > half / 2 > 2 * odd else "utf-8"


def _guessed(path: Path, data: bytes, encoding: str, start: int, sink: Sink) -> str:
    if encoding != "utf-8":
        # Wrong in the middle of what a mark announced.
        sink(Problem("other-content", path.name, other=f"only in part {encoding[:6].upper()}"))
        return data.decode(encoding, "replace")
    for guess in ("cp1252", "latin-1"):  # the last one can decode anything
        try:
            text = data.decode(guess)
        except UnicodeDecodeError:
            continue
        break
    line = data.count(b"\n", 0, start) + 1
    around = quoted(data[max(0, start - 12) : start + 12].decode(guess, "replace").strip())
    name = "Windows-1252" if guess == "cp1252" else "Latin-1 or another old encoding"
    sink(Problem("other-encoding", path.name, found=f"line {line}: {around}", other=name))
    return text
