"""A folder of libraries: their names, their tables, and what to say when one is missing."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from subclust.exceptions import InputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def check_name(name: str) -> None:
    """Refuse a library name that could not be a plain file name everywhere.

    Raises
    ------
    InputError
        Unless it is 1 to 64 letters, digits, ``-`` and ``_``, a letter or digit first.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            "A library's name must be 1 to 64 letters, digits, '-' or '_' and begin with a letter "
            f"or digit, but is {name!r}."
        )


def lock_file(folder: Path, name: str) -> Path:
    """Name the file that a library's writers lock."""
    return folder / f".{name}.lock"


def library_names(folder: Path) -> list[str]:
    """List the libraries of a folder by name; none where there is no folder."""
    if not folder.is_dir():
        return []
    names = (path.stem for path in folder.glob("*.lance"))
    return sorted(name for name in names if _NAME.fullmatch(name) and has_table(folder, name))


def not_found(folder: Path, name: str) -> str:
    """Say that there is no such library, and what to do."""
    there = library_names(folder)
    if name == "demo":
        return "The demo library has not been built yet; run 'python -m subclust demo' once."
    if there:
        return (
            f"There is no library {name!r}; choose one of {', '.join(there)}, or make it with "
            f"'python -m subclust import FILE --library {name}'."
        )
    return (
        f"There is no library {name!r}, nor any other, in {folder}; make it with "
        f"'python -m subclust import FILE --library {name}', or the demo with "
        "'python -m subclust demo'."
    )


def has_table(folder: Path, name: str) -> bool:
    """Tell whether there is a whole table; a killed creation leaves a folder without versions."""
    versions = folder / f"{name}.lance" / "_versions"
    return versions.is_dir() and any(versions.iterdir())


def connect(folder: Path) -> Any:
    """Connect to the database of a folder."""
    import lancedb

    # Interval 0: every search sees what other processes have added, for a fraction of a
    # millisecond.
    return lancedb.connect(folder, read_consistency_interval=timedelta(0))
