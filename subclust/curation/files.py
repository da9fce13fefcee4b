"""Files of corrections: written by one program at a time, and there whole or as they were."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.exceptions import CorrectionsError
from subclust.storage.changes import check_may_change

_PATIENCE = 20.0


@contextmanager
def alone_in(folder: Path, what: str) -> Iterator[None]:
    """Hold a folder's lock, and turn what a disk refuses into a sentence.

    Parameters
    ----------
    folder : Path
        Made where it is missing.
    what : str
        Begins the sentence, such as "The corrections war cannot be saved".

    Raises
    ------
    CorrectionsError
        If the folder is in use for too long, or the disk refuses.
    """
    check_may_change()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=_PATIENCE):
            yield
    except Timeout as error:
        raise CorrectionsError(
            "The saved corrections are in use by another program; try again in a moment."
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CorrectionsError(
            f"{what} ({reason}); look whether {folder} may be written to and has space left."
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place, have it on the disk, and rename it; the name is there too."""
    descriptor, partial = tempfile.mkstemp(
        prefix=f".{path.stem}-", suffix=".partial", dir=path.parent
    )
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(partial, 0o644)
        os.replace(partial, path)
        _flush_folder(path.parent)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(partial)
        raise


def _flush_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
