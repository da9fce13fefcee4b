"""What LanceDB raises of a table that it cannot read or write, told in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from subclust.core.exceptions import LibraryError, LibraryNotFoundError, StorageError
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import refusal
from subclust.text.library.folder import is_listed, not_found


@contextmanager
def damage_told(folder: Path, name: str) -> Iterator[None]:
    """Say that a library is damaged, gone, or that its disk refuses, whatever LanceDB calls it.

    Raises
    ------
    LibraryError
        In place of what LanceDB raises; its panics are a `RuntimeError`.
    StorageError
        If the disk is full or cannot be written to.
    """
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        if told := refusal(error):
            raise StorageError(
                "The library {name!r} cannot be written to: {error} ({folder}); {told_2}.",
                name=name,
                error=told[0],
                folder=folder,
                told_2=told[1],
            ) from error
        if not isinstance(folder, StoragePath) and not is_listed(folder, name):
            raise LibraryNotFoundError(not_found(folder, name)) from error
        if "conflict" in str(error).lower():
            raise LibraryError(
                "The library {name!r} is being written to by another program; try again in a "
                "moment.",
                name=name,
            ) from error
        raise LibraryError(
            "The library {name!r} in {folder} is damaged and cannot be read to its end; restore "
            "it from a backup, or remove it and import its documents again.",
            name=name,
            folder=folder,
        ) from error
