"""Whether the data folder is still there: a network disk may be gone, and come back.

Where it was mounted there is an empty folder meanwhile. What was written into that would be hidden,
and so lost, as soon as the disk is back.
"""

from pathlib import Path

from subclust.core.exceptions import StorageError

VERSION_FILE = "version.json"
"""Which form a data folder has; every one that can be written to has it."""

_watched: Path | None = None


def watch(folder: Path | None) -> None:
    """Have this process notice from now on when its data folder is gone.

    Parameters
    ----------
    folder : Path or None
        One without a `VERSION_FILE`, as a read-only one may be, is not watched; None for none.
    """
    global _watched
    marked = folder is not None and (folder / VERSION_FILE).is_file()
    _watched = folder.absolute() if folder is not None and marked else None


def check_there(path: Path | None = None) -> None:
    """Refuse to go on while the data folder is gone.

    Parameters
    ----------
    path : Path, optional
        What is to be written; outside of the data folder nothing is asked.

    Raises
    ------
    StorageError
    """
    folder = _watched
    if folder is None or (path is not None and not path.absolute().is_relative_to(folder)):
        return
    try:
        (folder / VERSION_FILE).stat()
    except OSError as error:
        raise StorageError(
            "The data folder {folder} is gone ({reason}); nothing is lost: connect its disk again, "
            "and reload.",
            folder=folder,
            reason=(error.strerror or str(error)).lower(),
        ) from error
