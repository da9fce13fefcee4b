"""Names as people write them, their order, and the safe ids behind them."""

import hashlib
import re
import unicodedata
from collections.abc import Container

from subclust.core.exceptions import InputError

LONGEST_NAME = 80
_DIGITS = re.compile(r"([0-9]+)")
_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe", "å": "aa",
     "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)  # fmt: skip
_LONGEST_ID = 64
# No file on Windows can have one of these names, whatever its ending.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


def check_given_name(name: str) -> str:
    """Return a name as it is kept: without spaces at its ends, accents composed.

    Raises
    ------
    InputError
        If it is empty, longer than `LONGEST_NAME` characters, or not on one line.
    """
    kept = unicodedata.normalize("NFC", name).strip()
    if not kept:
        raise InputError("The name is empty; type one.")
    if len(kept) > LONGEST_NAME:
        raise InputError(
            "The name has {count} characters; shorten it to at most {most}.",
            count=len(kept),
            most=LONGEST_NAME,
        )
    if not kept.isprintable():
        raise InputError("The name holds a line break or another control character; leave it out.")
    return kept


def same_name(first: str, second: str) -> bool:
    """Return whether people would read two names as one."""
    return _folded(first) == _folded(second)


def id_of_name(name: str, taken: Container[str] = ()) -> str:
    """Make a folder's name of one that people write: "Ökologie & Umwelt" is oekologie-umwelt.

    Parameters
    ----------
    name : str
    taken : container of str
        Ids in small letters that are in use.

    Returns
    -------
    str
        1 to 64 letters from a to z, digits and hyphens, on no system reserved.
    """
    # Composed first, because the table holds composed letters: a decomposed "ä" would become "a".
    letters = unicodedata.normalize("NFC", name).lower().translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode()
    # Leaves room for a number, should the name be taken.
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: _LONGEST_ID - 4].rstrip("-")
    if not stem:  # of another script
        stem = f"name-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    if _RESERVED.fullmatch(stem):
        stem = f"{stem}-1"
    made, number = stem, 1
    while made in taken:
        number += 1
        made = f"{stem}-{number}"
    return made


def is_reserved(id_: str) -> bool:
    """Return whether Windows keeps a name for itself."""
    return _RESERVED.fullmatch(id_) is not None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def counting_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a key that sorts numbers within names by their value, and whatever the case."""
    return tuple(map(_part, filter(None, _DIGITS.split(name.casefold())))), name


def _part(text: str) -> tuple[int, int, str]:
    if not _DIGITS.match(text):
        return 1, 0, text
    digits = text.lstrip("0")  # compared by length, since a file may hold numbers of any length
    return 0, len(digits), digits
