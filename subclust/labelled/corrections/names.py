"""Names that people give to groups."""

import unicodedata
from collections.abc import Collection
from itertools import count

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES_NAME

LONGEST_NAME = 80


def comparable(name: str) -> str:
    """Return a name without the differences that nobody means: capitals, blanks, accents' form."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def checked_name(name: str, taken: Collection[str]) -> str:
    """Tidy the blanks of a name that somebody gave to a group.

    Parameters
    ----------
    name : str
    taken : collection of str
        The names of the other groups.

    Raises
    ------
    InputError
        If it is empty or too long, has no letter, or another group has it.
    """
    tidy = " ".join(name.split())
    if not any(map(str.isalnum, tidy)) or not tidy.isprintable():
        raise InputError("A group needs a name with letters or digits; type one.")
    if len(tidy) > LONGEST_NAME:
        raise InputError(
            "The name has {count} characters and may have {longest_name}; shorten it.",
            count=len(tidy),
            longest_name=LONGEST_NAME,
        )
    if comparable(tidy) in {comparable(other) for other in (*taken, OTHER_PASSAGES_NAME)}:
        raise InputError(
            "Another group is called “{tidy}” already; choose another name.", tidy=tidy
        )
    return tidy


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number where it is taken."""
    used = {comparable(other) for other in (*taken, OTHER_PASSAGES_NAME)}
    candidates = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(one for one in candidates if comparable(one) not in used)
