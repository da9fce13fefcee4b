"""What is said of a file that is damaged, whatever its format."""

import zlib
from pathlib import Path

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Refusal

DAMAGES = (EOFError, OSError, zlib.error)
"""What a broken disk, a broken download or broken packing raises while a file is read."""


def unreadable(path: Path, error: Exception) -> FileFormatError:
    """Say that nothing of a file can be read."""
    return FileFormatError(
        "{file} cannot be read, it is damaged or cut off ({error}); get or export it again.",
        file=path.name,
        error=error,
    )


def cut_off(place: str, error: Exception) -> Refusal:
    """Say that nothing can be read from a place on."""
    return Refusal(
        place,
        Message("The file is damaged or cut off there ({error}).", error=error),
        Message("Get or export it again and import it once more; nothing is imported twice."),
    )


def absent(path: Path) -> FileFormatError:
    """Say that there is no such file."""
    return FileFormatError("There is no file {file}; check the name.", file=path)
