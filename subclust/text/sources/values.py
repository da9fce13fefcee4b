"""What the cell of a table says: lists taken apart, however the database joined them."""

import ast
import html
import re
from typing import Any

from subclust.text.sources.fields import BY_NAME
from subclust.text.sources.record import clean

_LISTS = frozenset(field.name for field in BY_NAME.values() if field.many) - {"text", "notes"} | {
    "full names",
    "corporate authors",
}
_PEOPLE = frozenset({"authors", "editors", "full names"})
_NUMBERS = frozenset({"issn", "isbn"})
_OF_A_PROGRAM = re.compile(r"""(?:c\(|\[)\s*(["'])(?s:.*)\1\s*[)\]]$""")
# Without the look-behinds, a long run of blanks would take quadratic time.
_BARS = re.compile(r"(?:(?<!\s)\s+)?\|+\s*")
_SEMICOLONS = re.compile(r"(?:(?<!\s)\s+)?(?:;+|\n)\s*")
_COMMAS = re.compile(r"\s*,\s*")
_WORDS_HEAD = re.compile(
    r"keyword|tags|index terms|fields of study|schlag|stich|mots|palabras|palavras", re.I
)
_MOST_WORDS = 4
"""Of a keyword between commas; what is longer may be a sentence or a heading with commas."""

_INITIALS = r"(?:[^\W\d_]\.?(?:\s?-?[^\W\d_]\.)*|[A-ZÀ-Þ]{1,3})"
_BRIEF = re.compile(rf"[^\W\d_][\w'’ -]*[\w'’]\s+{_INITIALS}")
_INITIALS_ALONE = re.compile(r"(?:[^\W\d_]\.[\s-]?)+|(?:[A-ZÀ-Þ][\s-]?){1,4}|[^\W\d_]")
_WITHIN = re.compile(r"(?:^|\s)[^\W\d_]\.?\s.*[^\W\d_]{2}$")
"""An initial that a name follows: "Ada K. Alm", "A. Alm"."""
_SLASH = re.compile(r"(?:(?<!\s)\s+)?/\s*")
_SLASHED = re.compile(r"[^/,()]+,[^/,()]+(?:/[^/,()]+,[^/,()]+)+")
"""People in German lists: "Alm, Ada / Berg, Bo"."""

_AND = re.compile(r",?\s+(?:and|und|et|y|&)\s+|,\s*&\s*")
_NUMBER_BEHIND = re.compile(r"\s*\((?:\d{6,}|\d{4}-\d{4}-\d{4}-\d{3}[\dX])\)\s*$")


def values_of(field: str, head: str, cell: Any, given_first: bool = False) -> list[Any]:
    """Return the values of a cell.

    Parameters
    ----------
    field : str
        Our name of the column's field, or what else it is called.
    head : str
        The column's own name.
    cell : value
    given_first : bool
        Whether people between commas are known to be as in "Ada Alm, Bo Berg".

    Returns
    -------
    list of value
        As they are given, of a field with many values one by one; empty for an empty cell.

    Examples
    --------
    >>> values_of("keywords", "Subjects", "wool||flax")
    ['wool', 'flax']
    >>> values_of("authors", "Authors", "Alm A, Berg B.")
    ['Alm A', 'Berg B.']
    """
    if cell is None or cell == "":
        return []
    if field not in _LISTS:
        return cell.split("||") if isinstance(cell, str) and "||" in cell else [cell]
    text = clean(cell)
    if "&" in text:
        text = html.unescape(text)  # whose semicolons part nothing
    parts = _of_program(text) if text[:1] in "[c" else None
    if parts is None:
        mark = _BARS if "|" in text else _SEMICOLONS
        parts = [one for one in mark.split(text) if one]
    if len(parts) == 1 and text[-1:] != ";":
        parts = _at_commas(field, head, parts[0], given_first)
    if field in _PEOPLE:
        if len(parts) == 1 and _SLASHED.fullmatch(parts[0]):
            parts = _SLASH.split(parts[0])
        parts = [_NUMBER_BEHIND.sub("", one) for one in parts]
    return parts


def _of_program(text: str) -> list[str] | None:
    """Read a list as Python or R writes it."""
    if not _OF_A_PROGRAM.match(text):
        return None
    try:
        found = ast.literal_eval(f"[{text[2:-1]}]" if text[0] == "c" else text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return [clean(one) for one in found] if isinstance(found, list) else None


def is_given_first(field: str, cell: Any) -> bool:
    """Return whether a cell has people between commas as in "Ada Alm, Bo Berg, Cy Dahl"."""
    if field not in _PEOPLE or not isinstance(cell, str) or ";" in cell or "|" in cell:
        return False
    parts = [part for piece in _AND.split(clean(cell)) for part in _COMMAS.split(piece) if part]
    natural = all(len(one.split()) > 1 and not _BRIEF.fullmatch(one) for one in parts)
    return "," in cell and natural and (len(parts) > 2 or bool(_WITHIN.search(parts[0])))


def _at_commas(field: str, head: str, text: str, given_first: bool) -> list[str]:
    if field == "keywords" and text.count(" and ") > 1 and len(text.split()) < 60:
        return text.split(" and ")  # as R joins them
    if "," not in text:
        return [text]
    parts = [one for one in _COMMAS.split(text) if one]
    if field in _NUMBERS:
        return parts
    if field in _PEOPLE:
        return _people(text, parts, given_first)
    short = all(len(one.split()) <= _MOST_WORDS for one in parts)
    return parts if field == "keywords" and short and _WORDS_HEAD.search(head) else [text]


def _people(text: str, parts: list[str], given_first: bool) -> list[str]:
    """Divide names at commas, where none of these can stand within a name."""
    pieces = [one for one in _AND.split(text) if one]
    last = pieces[-1] if len(pieces) == 2 else ""
    parts = [part for piece in pieces for one in [piece] for part in _COMMAS.split(one) if part]
    if all(_BRIEF.fullmatch(one) for one in parts):  # Alm A, Berg B
        return parts
    pairs = [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=False)]
    if len(parts) % 2 == 0 and len(parts) >= 4:
        if all(_INITIALS_ALONE.fullmatch(one) for one in parts[1::2]):  # Alm, A., Berg, B.
            return pairs
        if "," in last and all(len(one.split()) < 3 for one in parts):  # Alm, Ada, and Berg, Bo
            return pairs
    if all(len(one.split()) > 1 for one in parts) and (
        given_first or len(parts) > 2 or _WITHIN.search(parts[0])
    ):  # Ada Alm, Bo Berg, Cy Dahl
        return parts
    return [text]
