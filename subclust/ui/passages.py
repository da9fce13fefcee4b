"""Passages as lists: title, the first words, and everything else one key press away."""

import html
from collections.abc import Iterable
from urllib.parse import urlsplit

import streamlit as st

from subclust.figures.wrapping import excerpt
from subclust.records import OTHER_PASSAGES, MappedPassage, Passage, Subtopic

_EXCERPT = 130


def draw_passages(
    members: Iterable[tuple[MappedPassage, Subtopic]], *, show_group: bool = False
) -> None:
    """Draw a list of passages; each opens to its whole text and its source.

    Parameters
    ----------
    members : iterable of (MappedPassage, Subtopic)
        Passages with their groups.
    show_group : bool
        Whether each says to which group it belongs.
    """
    items = "".join(_item(member, subtopic if show_group else None) for member, subtopic in members)
    st.html(f"<ol class='sc-passages'>{items}</ol>")


def passage_items(members: Iterable[MappedPassage]) -> str:
    """Write passages as items of a list that is drawn elsewhere."""
    return "".join(_item(member, None) for member in members)


def mark_class(group: int) -> str:
    """Name the class that puts a group's symbol before its name."""
    return f"sc-mark-{'other' if group == OTHER_PASSAGES else group}"


def _item(member: MappedPassage, subtopic: Subtopic | None) -> str:
    passage = member.passage
    short = excerpt(passage.text, _EXCERPT)
    group = (
        f"<span class='sc-group {mark_class(subtopic.id)}'>{_escaped(subtopic.name)}</span>"
        if subtopic
        else ""
    )
    title = f"<span class='sc-title'>{_escaped(passage.title)}</span>" if passage.title else ""
    place = f"<span class='sc-place'>{_escaped(passage.path)}</span>" if passage.path else ""
    whole = f"<p>{_escaped(passage.text)}</p>" if short != " ".join(passage.text.split()) else ""
    return (
        f"<li data-passage='{_escaped(passage.id)}'><details><summary>{title}{place}{group}"
        f"<span class='sc-excerpt'>{_escaped(short)}</span></summary>"
        f"{whole}<p class='sc-source'>{_source(member)}</p></details></li>"
    )


def _source(member: MappedPassage) -> str:
    """Say where a passage comes from, under which licence, and its rank among the hits."""
    passage = member.passage
    parts = [f"Hit {member.rank}", *(_escaped(part) for part in _credits(passage))]
    url = passage.metadata.get("url", "")
    if urlsplit(url).scheme in {"http", "https"}:
        parts.append(
            f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>Open the source</a>"
        )
    return " · ".join(parts)


def _credits(passage: Passage) -> list[str]:
    names = ("authors", "year", "venue", "source", "licence")
    return [passage.metadata[name] for name in names if passage.metadata.get(name)]


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
