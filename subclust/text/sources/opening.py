"""From the name of a file to the source that reads it."""

import importlib
from pathlib import Path

from subclust.core.exceptions import FileFormatError, InputError
from subclust.text.sources import SOURCES
from subclust.text.sources.base import Source
from subclust.text.sources.contents import content_of
from subclust.text.sources.detect import format_of, head_of, other_content


def open_source(path: Path, format: str = "auto", collection: str | None = None) -> Source:
    """Choose the reader of a file. At most its beginning is read yet.

    Parameters
    ----------
    path : Path
    format : str
        A key of `SOURCES`, or ``"auto"``: by what the file holds, then by its ending.
    collection : str, optional
        Name that its passages carry; by default the file's name without its endings.

    Raises
    ------
    InputError
        If the format is unknown.
    FileFormatError
        If neither content nor ending says what it is, or there is no such file.
    """
    if format != "auto" and format not in SOURCES:
        raise InputError(
            "The format must be auto or one of {formats}, but is {name!r}.",
            formats=", ".join(SOURCES),
            name=format,
        )
    if not path.is_file():
        raise FileFormatError("There is no file {file}; check the name.", file=path)
    name = format if format != "auto" else _format_of(path)
    module, _, attribute = SOURCES[name].loader.partition(":")
    source: Source = getattr(importlib.import_module(module), attribute)(
        path, collection or _stem(path)
    )
    return source


def _format_of(path: Path) -> str:
    name = format_of(path)
    if name is not None:
        return name
    head = head_of(path)
    other = other_content(head) or content_of(head)
    if other is not None:
        raise FileFormatError("{file} is {content}.", file=path.name, content=other)
    known = sorted({ending for card in SOURCES.values() for ending in card.extensions})
    raise FileFormatError(
        "Neither what {file} holds nor its ending tells its format; known endings are {endings}. "
        "Rename the file, or name its format with --format.",
        file=path.name,
        endings=", ".join(known),
    )


def _stem(path: Path) -> str:
    packed = path.suffix.lower() in (".gz", ".bz2")
    return (Path(path.stem) if packed else path).stem
