"""Text files as people have them: with or without BOM, UTF-8, UTF-16 or Windows, gzip or not."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from subclust.exceptions import FileFormatError

_BOMS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_CANDIDATES = ("utf-8", "cp1252", "latin-1")
"""Tried in this order; the last one can decode anything."""

LONGEST_LINE = 1 << 24
"""Characters that are read at once: a file without line ends must not fill the memory."""

_CHUNK = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A text file that has been looked through once.

    Parameters
    ----------
    path : Path
    encoding : str
        The first of BOM, UTF-8, Windows-1252 and Latin-1 that fits the whole file.
    n_lines : int
        Line feeds in it: an estimate of its rows, for a progress bar.
    """

    path: Path
    encoding: str
    n_lines: int

    @classmethod
    def look(cls, path: Path) -> "TextFile":
        """Read a file once, in constant memory, to learn how it is written.

        Raises
        ------
        FileFormatError
            If it is not there, not text, damaged or empty.
        """
        if not path.is_file():
            raise FileFormatError(f"There is no file {path}; check the name.")
        try:
            with opened(path) as stream:
                return cls._look(path, stream)
        except (EOFError, OSError, zlib.error) as error:
            raise FileFormatError(
                f"{path.name} cannot be read, it is damaged or cut off ({error}); "
                "get or export it again."
            ) from error

    @classmethod
    def _look(cls, path: Path, stream: BinaryIO) -> "TextFile":
        chunk = stream.read(_CHUNK)
        bom = next((name for mark, name in _BOMS if chunk.startswith(mark)), None)
        if chunk[:4] == b"PK\x03\x04":
            raise FileFormatError(
                f"{path.name} is an Excel workbook or another ZIP file, not text; "
                "if it is a workbook, give it the ending .xlsx."
            )
        if bom is None and b"\x00" in chunk[:4096]:
            raise FileFormatError(
                f"{path.name} is not a text file; choose the file that was exported as text."
            )
        names = [bom] if bom else list(_CANDIDATES)
        decoders = {name: codecs.getincrementaldecoder(name)() for name in names}
        marks = [mark for mark, _ in _BOMS]
        n_lines, empty = 0, True
        while chunk:
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
            raise FileFormatError(f"{path.name} is empty; choose another file.")
        if not decoders:
            raise FileFormatError(
                f"{path.name} begins like {bom} text but goes on otherwise; export it as UTF-8."
            )
        return cls(path, next(iter(decoders)), n_lines)

    @contextmanager
    def text(self, newline: str | None = None) -> Iterator[TextIO]:
        """Open it for reading, decoded."""
        with (
            opened(self.path) as stream,
            io.TextIOWrapper(stream, encoding=self.encoding, newline=newline) as text,
        ):
            yield text

    def lines(self, newline: str | None = None) -> Iterator[str]:
        """Read it line by line; one of more than `LONGEST_LINE` characters comes in several."""
        with self.text(newline) as text:
            yield from iter(lambda: text.readline(LONGEST_LINE), "")


def opened(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacked where it is gzip, whatever its name says."""
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path)) if packed else path.open("rb")
