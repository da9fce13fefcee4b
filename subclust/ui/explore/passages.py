"""Passages as lists: title, the first words, and everything else one key press away."""

import html
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Passage, Subtopic
from subclust.figures.wrapping import excerpt
from subclust.grouping.naming import evidence
from subclust.ui.i18n.language import _, number

_EXCERPT = 130
_BEFORE = 40


def draw_passages(
    members: Iterable[tuple[MappedPassage, Subtopic]],
    *,
    show_group: bool = False,
    show_evidence: bool = False,
    notes: Mapping[str, str] | None = None,
    asks: bool = True,
) -> None:
    """Draw a list of passages; each opens to its whole text and its source.

    Parameters
    ----------
    members : iterable of (MappedPassage, Subtopic)
        Passages with their groups.
    show_group : bool
        Whether each says to which group it belongs.
    show_evidence : bool
        Whether the words of the group's name are marked where a passage has them.
    notes : mapping of str to str, optional
        Of passages by their ids, a line that is shown with them.
    asks : bool
        Whether each has the buttons of `passage_asked`.
    """
    items = "".join(
        _item(
            member,
            subtopic if show_group else None,
            subtopic.name if show_evidence and subtopic.id != OTHER_PASSAGES else "",
            (notes or {}).get(member.passage.id, ""),
            asks,
        )
        for member, subtopic in members
    )
    st.html(f"<ol class='sc-passages'>{items}</ol>")


def passage_items(members: Iterable[MappedPassage]) -> str:
    """Write passages as items of a list that is drawn elsewhere."""
    return "".join(_item(member, None) for member in members)


def mark_class(group: int) -> str:
    """Name the class that puts a group's symbol before its name."""
    return f"sc-mark-{'other' if group == OTHER_PASSAGES else group}"


def _item(
    member: MappedPassage,
    subtopic: Subtopic | None,
    name: str = "",
    note: str = "",
    asks: bool = True,
) -> str:
    passage = member.passage
    short = excerpt_with(passage.text, name)
    group = (
        f"<span class='sc-group {mark_class(subtopic.id)}'>{_escaped(subtopic.name)}</span>"
        if subtopic
        else ""
    )
    title = f"<span class='sc-title'>{_escaped(passage.title)}</span>" if passage.title else ""
    place = f"<span class='sc-place'>{_escaped(passage.path)}</span>" if passage.path else ""
    told = f"<span class='sc-group'>{_escaped(note)}</span>" if note else ""
    same = short == " ".join(passage.text.split())
    whole = "" if same else f"<p>{with_marks(passage.text, name)}</p>"
    buttons = _asks(passage) if asks else ""
    return (
        f"<li data-passage='{_escaped(passage.id)}'><details><summary>{title}{place}{group}{told}"
        f"<span class='sc-excerpt'>{with_marks(short, name)}</span></summary>"
        f"{whole}<p class='sc-source'>{_source(member)}</p></details>{buttons}</li>"
    )


def excerpt_with(text: str, name: str) -> str:
    """Shorten a text to a part that has a word of a name, the first part where none has."""
    whole = " ".join(text.split())
    short = excerpt(whole, _EXCERPT)
    places = evidence(name, whole) if name else []
    if not places or places[0][0] < len(short) - 2:
        return short
    # A few words before it; what follows fills the line.
    start = whole.rfind(" ", 0, max(places[0][0] - _BEFORE, 1)) + 1
    return f"…\u00a0{excerpt(whole[start:], _EXCERPT)}" if start else short


def with_marks(text: str, name: str) -> str:
    """Write a text as HTML, the words of a name marked."""
    parts, reached = [], 0
    for start, end in evidence(name, text) if name else []:
        parts += [_escaped(text[reached:start]), f"<mark>{_escaped(text[start:end])}</mark>"]
        reached = end
    return "".join([*parts, _escaped(text[reached:])])


def _asks(passage: Passage) -> str:
    """Write the buttons that ask something of a passage; see `passage_asked`."""
    id_, called = _escaped(passage.id), passage.title or excerpt(passage.text, 60)
    labels = {"why": _("Why is this here?"), "move": _("Move to …")}
    return "".join(
        f"<button type='button' class='sc-why' data-{wish}='{id_}' "
        f"aria-label='{_escaped(f'{label} {called}')}'>{_escaped(label)}</button>"
        for wish, label in labels.items()
    )


def _source(member: MappedPassage) -> str:
    """Return where a passage comes from, under which licence, and its rank among the hits."""
    passage = member.passage
    hit = _("Hit {rank}").format(rank=number(member.rank))
    parts = [_escaped(hit), *(_escaped(part) for part in _credits(passage))]
    url = passage.metadata.get("url", "")
    if urlsplit(url).scheme in {"http", "https"}:
        parts.append(
            f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>"
            f"{_escaped(_('Open the source'))}</a>"
        )
    return " · ".join(parts)


def _credits(passage: Passage) -> list[str]:
    names = ("authors", "year", "venue", "source", "licence")
    return [passage.metadata[name] for name in names if passage.metadata.get(name)]


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
