"""Where a text bears a name out."""

import re
from collections.abc import Iterable

from subclust.grouping.naming.words import JOINING_WORDS, is_function_word, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


def name_words(name: str) -> frozenset[str]:
    """List the words of a name that say something, in the form under which they are counted."""
    words = _WORD.findall(name)
    return frozenset(
        stem(word)
        for word in words
        if not is_function_word(word) and word.lower() not in JOINING_WORDS
    )


def evidence(name: str, text: str) -> list[tuple[int, int]]:
    """Find the words of a name in a text; words of the name side by side are one place.

    Parameters
    ----------
    name : str
        Of a group, whoever gave it.
    text : str

    Returns
    -------
    list of (int, int)
        Start and end in characters, in the order of the text.
    """
    wanted = name_words(name)
    places: list[tuple[int, int]] = []
    for found in _WORD.finditer(text):
        if stem(found.group()) not in wanted:
            continue
        start, end = found.span()
        if places and text[places[-1][1] : start].isspace():
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return places


def bears_out(name: str, texts: Iterable[str]) -> int:
    """Count the texts in which a word of a name is found."""
    wanted = name_words(name)
    return sum(any(stem(found) in wanted for found in _WORD.findall(text)) for text in texts)
