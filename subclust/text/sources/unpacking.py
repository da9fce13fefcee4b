"""Files opened for reading, packed or not, with bounds that no real file reaches and traps do."""

import bz2
import gzip
import io
import re
from pathlib import Path
from typing import Any, BinaryIO, cast

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.storage.disk import Readable

LONGEST_RECORD = 1 << 23
"""Characters or bytes of one line, or of one record that lies in memory as a whole."""

MOST_RATIO = 250
"""How many times its size a packed file may unpack to; text seldom gets smaller than a fiftieth."""

# Below this size a high ratio does no harm, and small repetitive files have one.
_ALWAYS = 64 << 20
MOST_DEPTH = 100
_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class UnpacksTooMuchError(FileFormatError):
    """A packed file unpacks to more than `MOST_RATIO` times its size."""


def opened(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacked where it is gzip or bzip2, whatever its name says.

    Raises
    ------
    OSError
        If it cannot be opened.
    UnpacksTooMuchError
        While it is read, if it unpacks to more than `MOST_RATIO` times its size.
    """
    with path.open("rb") as stream:
        head = stream.read(3)
    if head == b"BZh":
        return bounded(cast(BinaryIO, bz2.open(path)), path)
    if head[:2] == b"\x1f\x8b":
        return bounded(cast(BinaryIO, gzip.open(path)), path)
    return path.open("rb")


def bounded(unpacked: BinaryIO, path: Path) -> BinaryIO:
    """Return a stream that refuses to go on where it is out of proportion to its file."""
    return io.BufferedReader(_Bounded(unpacked, path))


class _Bounded(io.RawIOBase):
    def __init__(self, unpacked: BinaryIO, path: Path) -> None:
        self.unpacked = unpacked
        self.told = path.name
        self.most = max(_ALWAYS, MOST_RATIO * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes = cast(io.BufferedIOBase, self.unpacked).readinto(buffer)
        if self.unpacked.tell() > self.most:
            raise UnpacksTooMuchError(
                "{file} unpacks to more than {count} times its size, as only malicious files "
                "do, so it is not read; unpack it yourself and see what is in it.",
                file=self.told,
                count=MOST_RATIO,
            )
        return n_bytes

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self.unpacked.seek(offset, whence)

    def close(self) -> None:
        self.unpacked.close()
        super().close()


class TooLongError(ValueError):
    """One record is longer than `LONGEST_RECORD`."""


class Metered:
    """A stream that ends in an error where too much is read for one record.

    Attributes
    ----------
    n_bytes : int
        Read since it was last set to 0, which is done at the end of each record.
    """

    def __init__(self, stream: Readable) -> None:
        self.stream = stream
        self.n_bytes = 0

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes.

        Raises
        ------
        TooLongError
            If that makes more than `LONGEST_RECORD`.
        """
        if self.n_bytes > LONGEST_RECORD:
            raise TooLongError(
                Message("longer than {longest_record} MB", longest_record=LONGEST_RECORD >> 20)
            )
        data = self.stream.read(size)
        self.n_bytes += len(data)
        return data


class Nesting:
    """The depth of a JSON text that comes in pieces."""

    def __init__(self) -> None:
        self.depth = 0
        self._in_string = False
        self._held = ""

    def look(self, piece: str) -> None:
        """Follow the depth through the next piece.

        Raises
        ------
        ValueError
            If it is more than `MOST_DEPTH`.
        """
        text = self._held + piece
        n_backslashes = len(text) - len(text.rstrip("\\"))
        self._held = "\\" * (n_backslashes % 2)  # what it escapes comes with the next piece
        for mark in _MARKS.findall(text.removesuffix(self._held)):
            if mark == '"':
                self._in_string = not self._in_string
            elif self._in_string:
                continue
            elif mark in "[{":
                self.depth += 1
                if self.depth > MOST_DEPTH:
                    raise ValueError(f"nested more than {MOST_DEPTH} levels deep")
            elif mark in "]}":
                self.depth -= 1


def is_nested_deeply(text: str) -> bool:
    """Return whether a JSON text is nested more than `MOST_DEPTH` levels deep."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return False
    try:
        Nesting().look(text)
    except ValueError:
        return True
    return False
