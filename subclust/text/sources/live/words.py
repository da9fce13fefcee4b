"""What services put between words: markup in titles and abstracts, sentences in their errors."""

import json
import re
from html import unescape
from typing import Any

MOST_CHARACTERS = 200

_HEADING = re.compile(
    r"<(?P<tag>(?:jats:)?title|h[1-6])\b[^>]*>\s*(?:abstract|summary|zusammenfassung)\s*:?\s*"
    r"</(?P=tag)>",
    re.I,
)
_BLOCK = re.compile(
    r"</?(?:jats:)?(?:p|sec|title|h[1-6]|list|list-item|disp-formula|br|div|li|ul)\b[^<>]*>", re.I
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_UNSEEN = re.compile(r"<(script|style|head)\b.*?(</\1\s*>|\Z)", re.I | re.S)


def plain(markup: Any) -> str:
    """Return the words of a title or an abstract with HTML or JATS tags in it, in one line.

    A heading that only says "Abstract" is left out, others are kept; what is no text gives ``""``.
    """
    if not isinstance(markup, str):
        return ""
    text = _BLOCK.sub(" ", _HEADING.sub(" ", markup))
    text = unescape(_TAG.sub("", text))
    return " ".join(text.split())


def words_of(content: bytes) -> str:
    """Return what a service said to people when it refused, shortened; perhaps ``""``."""
    text = content[:65536].decode("utf-8", "replace")
    said = _from_json(text)
    if said is None:
        said = _TAG.sub(" ", _UNSEEN.sub(" ", text))
        said = re.sub(r"<[?!][^>]*>", " ", said)
    words = " ".join(unescape(said).split()).rstrip(".")
    return words if len(words) <= MOST_CHARACTERS else f"{words[: MOST_CHARACTERS - 1]}…"


def _from_json(text: str) -> str | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    while isinstance(found, dict | list) and found:
        if isinstance(found, list):
            found = found[0]
            continue
        keys = ("message", "errMsg", "error", "detail", "info", "errors")
        key = next((k for k in keys if found.get(k)), None)
        if key is None:
            return ""
        found = found[key]
    return found if isinstance(found, str) else ""
