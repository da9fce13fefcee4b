"""The objects of one large JSON list, one at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import ijson

from subclust.exceptions import FileFormatError
from subclust.sources.base import Refusal
from subclust.sources.textfile import TextFile

_CHUNK = 1 << 16


def json_items(path: Path, within: str) -> Iterator[tuple[int, Any] | Refusal]:
    """Read the items of a list, in memory for one of them.

    Parameters
    ----------
    path : Path
        Text in any encoding, plain or gzip.
    within : str
        Name of the list, where the file is an object that holds it; a file that is a list is read
        in either case.

    Yields
    ------
    tuple of int and value, or Refusal
        The number of the item, from 1. After a fault in the JSON nothing more can be read.

    Raises
    ------
    FileFormatError
        If the file is no text, or no JSON from its beginning.
    """
    looked = TextFile.look(path)
    number = 0
    with looked.text() as text:
        begin = text.read(1 << 12).lstrip()[:1]
        text.seek(0)
        if begin not in ("[", "{"):
            raise FileFormatError(f"{path.name} is not JSON; choose another format or file.")
        prefix = "item" if begin == "[" else f"{within}.item"
        try:
            items = ijson.items(_Encoded(text), prefix, use_float=True)
            for number, item in enumerate(items, start=1):
                yield number, item
        except (ijson.JSONError, ValueError, OverflowError) as error:
            reason = " ".join(str(error).split())[:120]
            if not number:
                raise FileFormatError(
                    f"{path.name} cannot be read as JSON ({reason}); export it again."
                ) from error
            yield Refusal(
                f"after item {number}",
                f"The JSON is broken there, so that nothing after it can be read ({reason}).",
                "Export the file again and import it once more; nothing is imported twice.",
            )


class _Encoded:
    """A text stream as UTF-8, which JSON is read from."""

    def __init__(self, text: TextIO) -> None:
        self.lines = text

    def read(self, size: int = -1) -> bytes:
        """Give the next bytes, however many were asked for; none at the end."""
        if size == 0:
            return b""
        chunk = self.lines.read(_CHUNK)
        return chunk.lstrip("\ufeff").encode("utf-8", "replace")
