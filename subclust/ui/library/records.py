"""Documents and passages as lists, every text of them escaped."""

import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from subclust.core.records import Passage
from subclust.figures.wrapping import excerpt
from subclust.text.sources.base import Document
from subclust.ui.i18n.language import _, _n

_EXCERPT = 220
_CREDITS = ("authors", "venue", "year")
_ABOUT = ("doi", "language", "source", "keywords")
_APART = ("url", "description", "position", "characters")
"""Shown as a link, or of the whole document that a passage is cut from."""


def passages_html(passages: Sequence[Passage]) -> str:
    """Write passages as a list; each opens to its whole text."""
    items = [_item(one.title, one.text, one.metadata, one.id) for one in passages]
    return f"<ol class='sc-passages sc-records'>{''.join(items)}</ol>"


def documents_html(documents: Sequence[Document]) -> str:
    """Write documents as a list; each opens to its passages."""
    items = []
    for one in documents:
        text = "\n\n".join(passage.text for passage in one.passages)
        n_passages = len(one.passages)
        many = _n("{count} passage", "{count} passages", n_passages) if n_passages > 1 else ""
        place = " · ".join(filter(None, (one.place, many)))
        items.append(_item(one.title, text, one.metadata, place))
    return f"<ol class='sc-passages sc-records'>{''.join(items)}</ol>"


def _item(title: str, text: str, metadata: Mapping[str, str], place: str) -> str:
    whole = " ".join(text.split())
    short = "" if text == title else excerpt(whole, _EXCERPT)
    given = [metadata.get(name, "") for name in _CREDITS]
    credits = f"<span class='sc-credits'>{_escaped(' · '.join(filter(None, given)))}</span>"
    named = f"<span class='sc-title'>{_escaped(title)}</span>"
    paragraphs = "".join(
        f"<p>{_escaped(part)}</p>" for part in text.split("\n\n") if short != whole
    )
    about = [metadata.get(name, "") for name in _ABOUT]
    others = other_fields([metadata], (*_CREDITS, *_ABOUT))
    about += [f"{name}: {metadata[name]}" for name in others]
    told = " · ".join([*map(_escaped, filter(None, (place, *about))), *_link(metadata)])
    return (
        f"<li><details><summary>{named if title else ''}{credits if any(given) else ''}"
        f"<span class='sc-excerpt'>{_escaped(short)}</span></summary>"
        f"{paragraphs}<p class='sc-source'>{told}</p></details></li>"
    )


def other_fields(records: Iterable[Mapping[str, str]], shown: Collection[str]) -> list[str]:
    """List the fields that at least one record has, besides those that are shown anyway."""
    found = {name for record in records for name, value in record.items() if value}
    return sorted(found - {*shown, *_APART})


def web_address(metadata: Mapping[str, str]) -> str:
    """Return the address of a record on the web, empty where it has none."""
    url = metadata.get("url", "")
    return url if urlsplit(url).scheme in {"http", "https"} else ""


def _link(metadata: Mapping[str, str]) -> list[str]:
    url = web_address(metadata)
    if not url:
        return []
    said = _escaped(_("Open the source"))
    return [f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>{said}</a>"]


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
