"""Answers to values: JSON, XML and markup of which nothing is taken for granted.

Functions that read an answer raise a ValueError for what is no answer; its text completes
"answered what cannot be read (…)".
"""

import io
import json
import re
from collections.abc import Collection, Iterator
from html import unescape
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Refusal
from subclust.text.sources.json_fields import at
from subclust.text.sources.xml_records import XmlRecord, xml_records

MOST_CHARACTERS = 200

_HEADING = re.compile(
    r"<(?P<tag>(?:jats:)?title|h[1-6])\b[^>]*>\s*(?:abstract|summary|zusammenfassung)\s*:?\s*"
    r"</(?P=tag)>",
    re.I,
)
_BLOCK = re.compile(
    r"</?(?:jats:)?(?:p|sec|title|h[1-6]|list|list-item|disp-formula|br|div|li|ul)\b[^<>]*>", re.I
)
_ANY_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_UNSEEN = re.compile(r"<(script|style|head)\b.*?(</\1\s*>|\Z)", re.I | re.S)


def json_object(content: bytes) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(_kind(content, "JSON")) from error
    if not isinstance(found, dict):
        raise ValueError(Message("JSON, but not an object"))
    return found


def text(value: Any, *path: str | int) -> str:
    """Follow a path to a text or a number, ``""`` where there is none."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int):
        return ""
    return str(found).strip() if isinstance(found, str) or abs(found) < 10**18 else ""


def count(value: Any) -> int | None:
    """Read how many there are, from a number or its digits; None where it cannot be told."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 10**15 else None
    digits = value.strip() if isinstance(value, str) else ""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else None


def xml_parts(
    content: bytes, root: str, tags: Collection[str], label: str
) -> Iterator[XmlRecord | Refusal]:
    """Read the elements of some names out of an XML answer, in order.

    An answer that was cut off lacks the end of its root, and is none. One that is whole but not
    well formed, as some repositories send, gives a refusal for each record that is damaged.

    Parameters
    ----------
    content : bytes
    root : str
        Name of the root element, without name space.
    tags : collection of str
    label : str
        Of the service.
    """
    ending = rf"</(?:[\w.-]+:)?{re.escape(root)}\s*>\s*(?:<!--.*?-->\s*)*\Z"
    empty = rf"\A[^<]*(?:<[?!][^>]*>\s*)*<(?:[\w.-]+:)?{re.escape(root)}\b[^<]*/>\s*\Z"
    # Latin-1 decodes any bytes, and the tags looked for are ASCII.
    tail = content[-2000:].decode("latin-1")
    if not re.search(ending, tail, re.S) and not re.match(empty, tail):
        raise ValueError(_kind(content, root))
    try:
        yield from xml_records(io.BytesIO(content), tags, label)
    except FileFormatError as error:
        raise ValueError(str(error)) from error


def _kind(content: bytes, wanted: str) -> str:
    head = content[:1000].lstrip().lower()
    if not head:
        return Message("nothing at all")
    if head.startswith((b"<!doctype html", b"<html")):
        return Message("a web page instead of {format}", format=wanted)
    if f"<{wanted}".lower().encode() in head or head[:1] in b"[{":
        return Message("{format} that was cut off or damaged", format=wanted)
    return f"no {wanted}"


def plain(markup: Any) -> str:
    """Return the words of a title or an abstract with HTML or JATS tags in it, in one line.

    A heading that only says "Abstract" is left out, others are kept; what is no text gives ``""``.
    """
    if not isinstance(markup, str):
        return ""
    text = _BLOCK.sub(" ", _HEADING.sub(" ", markup))
    text = unescape(_ANY_TAG.sub("", text))
    return " ".join(text.split())


def words_of(content: bytes) -> str:
    """Return what a service said to people when it refused, shortened; perhaps ``""``."""
    text = content[:65536].decode("utf-8", "replace")
    said = _from_json(text)
    if said is None:
        said = _ANY_TAG.sub(" ", _UNSEEN.sub(" ", text))
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
