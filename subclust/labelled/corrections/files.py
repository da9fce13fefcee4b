"""The folder of corrections, which one program at a time writes to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.exceptions import CorrectionsError
from subclust.core.storage.changes import check_may_change

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
            "{what} ({reason}); look whether {folder} may be written to and has space left.",
            what=what,
            reason=reason,
            folder=folder,
        ) from error
