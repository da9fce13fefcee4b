"""How a labelled set of the store is named: ``NAME``, ``NAME@VERSION``, ``set:NAME@VERSION``."""

import re
import unicodedata

from subclust.core.exceptions import InputError

SET_PREFIX = "set:"
"""With it a set of the store stands where a file may stand."""

INCOMING = "incoming"
"""Folder of the uploads, so no set can have this name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_ENDINGS = re.compile(r"(\.jsonl\.gz|\.\w{1,5})$", re.IGNORECASE)


def check_set_name(name: str) -> str:
    """Return a name back that is safe as a folder's name.

    Raises
    ------
    InputError
        Unless it is 1 to 64 letters, digits, ``-`` and ``_``, a letter or digit first.
    """
    if name == INCOMING or not _NAME.fullmatch(name):
        raise InputError(
            "A set's name must be 1 to 64 letters from a to z, digits, '-' or '_', begin with a "
            "letter or digit, and not be '{incoming}', but is {name!r}.",
            incoming=INCOMING,
            name=name,
        )
    return name


def suggested_name(filename: str) -> str:
    """Make a name that `check_set_name` takes of a file's: "Börse (neu).csv" gives "borse-neu"."""
    letters = unicodedata.normalize("NFKD", _ENDINGS.sub("", filename))
    plain = letters.encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:64].rstrip("-_")
    return name if name and name != INCOMING else "set"


def set_reference(text: str) -> tuple[str, int | None]:
    """Take ``NAME`` or ``NAME@VERSION`` apart, with or without ``set:`` before it.

    Returns
    -------
    name : str
    version : int or None
        None means the newest.

    Raises
    ------
    InputError
        If it is neither.
    """
    name, at, version = text.removeprefix(SET_PREFIX).partition("@")
    check_set_name(name)
    if not at:
        return name, None
    if not re.fullmatch(r"[0-9]{1,9}", version) or int(version) < 1:
        raise InputError(
            "The version of a set must be a whole number of at least 1, as in {name}@2, but is "
            "{version!r}.",
            name=name,
            version=version,
        )
    return name, int(version)
