"""Files that are written whole or not at all."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from subclust.core.exceptions import LabelledSetError
from subclust.core.messages import Message


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Return the path of a new file, that takes its place when all is written.

    Parameters
    ----------
    target : Path
        A file that is there is replaced.

    Yields
    ------
    Path
        Beside the target, where no file is yet.
    """
    prefix = f".{target.name[:40]}-"
    folder = Path(tempfile.mkdtemp(prefix=prefix, suffix=".partial", dir=target.parent))
    try:
        partial = folder / target.name
        yield partial
        flush(partial)
        partial.replace(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def flush(path: Path) -> None:
    """Have a file, or the names in a folder, written to the disk before anybody is told so."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() or os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def told_plainly(what: str) -> Iterator[None]:
    """Turn what a disk refuses into a sentence.

    Parameters
    ----------
    what : str
        What could not be done: "The set cannot be kept".

    Raises
    ------
    LabelledSetError
        In place of an OSError.
    """
    try:
        yield
    except OSError as error:
        advice = Message("look whether the folder is there and may be written to")
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            advice = Message("free some space on the disk")
        reason = (error.strerror or str(error)).lower()
        raise LabelledSetError(
            "{what} ({reason}); {advice} and try again.", what=what, reason=reason, advice=advice
        ) from error
