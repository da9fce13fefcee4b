"""The order in which people count: "item 2" before "item 10"."""

import re

_DIGITS = re.compile(r"([0-9]+)")


def counting_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a key that sorts numbers within names by their value, and whatever the case."""
    return tuple(map(_part, filter(None, _DIGITS.split(name.casefold())))), name


def _part(text: str) -> tuple[int, int, str]:
    if not _DIGITS.match(text):
        return 1, 0, text
    digits = text.lstrip("0")  # compared by length, since a file may hold numbers of any length
    return 0, len(digits), digits
