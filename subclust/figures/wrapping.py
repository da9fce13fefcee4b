"""Passage texts as short lines for hover boxes and labels; no word is ever cut."""

import html
import re
import textwrap

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")

_MORE = "\u00a0…"

# Not the no-break space, unlike str.split().
_BREAKS = re.compile(r"[ \t\n\v\f\r]+")


def printable(text: str) -> str:
    """Take out the control characters that no file may hold; tabs and line ends stay."""
    return _CONTROL.sub("", text)


def excerpt(text: str, n_characters: int) -> str:
    """Shorten a text to whole words; an ellipsis stays on the line of the last word."""
    # Of a long text only the beginning is looked at: all passages of a map are shortened at once.
    beginning = text[: 4 * n_characters]
    if len(beginning) < len(text) and len(" ".join(beginning.split())) > 2 * n_characters:
        text = beginning
    whole = " ".join(text.split())
    if len(whole) <= n_characters:
        return whole
    longest = n_characters - len(_MORE)
    end = whole.rfind(" ", 0, longest + 1)
    if end < 1 or "-" in whole[end : longest + 1]:  # there is more to consider, in much more time
        return textwrap.shorten(whole, n_characters, placeholder=_MORE)
    return whole[:end] + _MORE


def lines(text: str, width: int) -> list[str]:
    """Break a text into lines of about `width` characters; a longer word gets its own line."""
    broken: list[str] = []
    for word in _BREAKS.split(text):
        if broken and len(broken[-1]) + 1 + len(word) <= width:
            broken[-1] += f" {word}"
        elif word:
            broken.append(word)
    return broken


def as_html(text_lines: list[str]) -> str:
    """Join lines for plotly, which reads ``<`` and ``&`` as markup."""
    return "<br>".join(html.escape(line, quote=False) for line in text_lines)


def label_lines(name: str, width: int = 18) -> list[str]:
    """Fit the first phrases of a group's name onto two lines, for a map label.

    Whole phrases are dropped from the end until the rest fits; the first phrase always stays.
    """
    phrases = name.split(", ")
    while len(phrases) > 1 and len(lines(", ".join(phrases), width)) > 2:
        phrases.pop()
    return lines(", ".join(phrases), width)
