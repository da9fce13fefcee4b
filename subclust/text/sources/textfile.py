"""Text files as people have them: with or without BOM, UTF-8, UTF-16 or Windows, gzip or not."""

import codecs
import io
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from subclust.core.exceptions import FileFormatError
from subclust.text.sources.base import DAMAGES, absent, unreadable
from subclust.text.sources.unpacking import LONGEST_RECORD, opened

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, and the encodings that take them away."""

_CANDIDATES = ("utf-8", "cp1252", "latin-1")
"""Tried in this order; the last one can decode anything."""

_MIXED = "subclust-windows-bytes"
"""Name of what decodes the bytes that are no UTF-8 in a file that otherwise is."""

_CHUNK = 1 << 20
_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True)
class TextFile:
    """A text file that has been looked through once.

    Parameters
    ----------
    path : Path
    encoding : str
        The first of BOM, UTF-8, Windows-1252 and Latin-1 that fits the whole file; UTF-8 also where
        most of its special letters are in it, as when exports of several programs were joined.
    n_lines : int
        Line feeds in it: an estimate of its rows, for a progress bar.
    """

    path: Path
    encoding: str
    n_lines: int
    errors: str = "strict"

    @classmethod
    def look(cls, path: Path) -> "TextFile":
        """Read a file once, in constant memory, to learn how it is written.

        Raises
        ------
        FileFormatError
            If it is not there, not text, damaged or empty.
        """
        if not path.is_file():
            raise absent(path)
        try:
            with opened(path) as stream:
                return cls._look(path, stream)
        except DAMAGES as error:
            raise unreadable(path, error) from error

    @classmethod
    def _look(cls, path: Path, stream: BinaryIO) -> "TextFile":
        chunk = stream.read(_CHUNK)
        bom = next((name for mark, name in BOMS if chunk.startswith(mark)), None)
        if chunk[:4] == b"PK\x03\x04":
            raise FileFormatError(
                "{file} is an Excel workbook or another ZIP file, not text; if it is a workbook, "
                "give it the ending .xlsx.",
                file=path.name,
            )
        if bom is None and b"\x00" in chunk[:4096]:
            raise FileFormatError(
                "{file} is not a text file; choose the file that was exported as text.",
                file=path.name,
            )
        names = [bom] if bom else list(_CANDIDATES)
        decoders = {name: codecs.getincrementaldecoder(name)() for name in names}
        marks = [mark for mark, _ in BOMS]
        n_lines, empty = 0, True
        mixed = _MixedCount()
        while chunk:
            mixed.look(chunk)
            n_lines += chunk.count(b"\n")
            empty = empty and (not chunk.strip() or chunk in marks)
            for name, decoder in list(decoders.items()):
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError:
                    del decoders[name]
            chunk = stream.read(_CHUNK)
        for name, decoder in list(decoders.items()):
            try:
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                del decoders[name]
        if empty:
            raise FileFormatError("{file} is empty; choose another file.", file=path.name)
        if not decoders:
            raise FileFormatError(
                "{file} begins like {encoding} text but goes on otherwise; export it as UTF-8.",
                file=path.name,
                encoding=bom,
            )
        if bom is None and "utf-8" not in decoders and mixed.is_mostly_utf_8:
            return cls(path, "utf-8", n_lines, _MIXED)
        return cls(path, next(iter(decoders)), n_lines)

    @contextmanager
    def text(self, newline: str | None = None) -> Iterator[TextIO]:
        """Open it for reading, decoded."""
        with (
            opened(self.path) as stream,
            io.TextIOWrapper(stream, self.encoding, self.errors, newline) as text,
        ):
            yield text

    def lines(self, newline: str | None = None) -> Generator[str, None, None]:
        """Read it line by line; one of more than `LONGEST_RECORD` characters comes in several."""
        with self.text(newline) as text:
            yield from iter(lambda: text.readline(LONGEST_RECORD), "")


def whole_lines(text: TextIO) -> Iterator[str | None]:
    """Read line by line; one of more than `LONGEST_RECORD` characters is passed over, as None."""
    while line := text.readline(LONGEST_RECORD):
        if len(line) < LONGEST_RECORD or line.endswith("\n"):
            yield line
            continue
        while (rest := text.readline(LONGEST_RECORD)) and not rest.endswith("\n"):
            pass
        yield None


class _MixedCount:
    """Counts letters in UTF-8 and bytes that are none; what two chunks divide hardly matters."""

    def __init__(self) -> None:
        self.n_letters = self.n_others = 0

    def look(self, chunk: bytes) -> None:
        if chunk.isascii():
            return
        letters = _SEQUENCE.findall(chunk)
        self.n_letters += len(letters)
        self.n_others += len(_HIGH.findall(chunk)) - sum(map(len, letters))

    @property
    def is_mostly_utf_8(self) -> bool:
        return self.n_letters > self.n_others


def _windows_bytes(error: UnicodeError) -> tuple[str, int]:
    """Decode what is no UTF-8 as Windows does, or as Latin-1 where Windows has no letter."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    letters = [bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in wrong]
    return "".join(letters), error.end


codecs.register_error(_MIXED, _windows_bytes)
