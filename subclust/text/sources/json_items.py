"""The objects of one large JSON list, one at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import ijson

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Refusal
from subclust.text.sources.nesting import Nesting
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.unpacking import LONGEST_RECORD, Metered, TooLongError

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
            raise FileFormatError(
                "{file} is not JSON; choose another format or file.", file=path.name
            )
        prefix = "item" if begin == "[" else f"{within}.item"
        try:
            metered = Metered(_Encoded(text))
            items = ijson.items(metered, prefix, use_float=True)
            for number, item in enumerate(items, start=1):
                yield number, item
                metered.n_bytes = 0
        except TooLongError as error:
            if not number:
                raise FileFormatError(
                    "{file} is no list of records: what it begins with is longer than {size} MB; "
                    "export it again.",
                    file=path.name,
                    size=LONGEST_RECORD >> 20,
                ) from error
            yield Refusal(
                Message("item {number}", number=number + 1),
                Message(
                    "It is longer than {size} MB, which no record is.", size=LONGEST_RECORD >> 20
                ),
                Message(
                    "Export the file again and import it once more; nothing is imported twice."
                ),
            )
        except (ijson.JSONError, ValueError, OverflowError) as error:
            reason = " ".join(str(error).split())[:120]
            if not number:
                raise FileFormatError(
                    "{file} cannot be read as JSON ({error}); export it again.",
                    file=path.name,
                    error=reason,
                ) from error
            yield Refusal(
                Message("after item {number}", number=number),
                Message(
                    "The JSON is broken there, so that nothing after it can be read ({error}).",
                    error=reason,
                ),
                Message(
                    "Export the file again and import it once more; nothing is imported twice."
                ),
            )


class _Encoded:
    """A text stream as UTF-8, which JSON is read from."""

    def __init__(self, text: TextIO) -> None:
        self.lines = text
        self.nesting = Nesting()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, however many were asked for; none at the end."""
        if size == 0:
            return b""
        chunk = self.lines.read(_CHUNK)
        self.nesting.look(chunk)
        return chunk.lstrip("\ufeff").encode("utf-8", "replace")
