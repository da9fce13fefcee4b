"""The list of groups: name, size, how tight, and the passages that show what each is about."""

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from subclust.records import OTHER_PASSAGES, Subtopic, SubtopicMap, SubtopicPart
from subclust.ui.digging import draw_dig
from subclust.ui.levels import draw_parts
from subclust.ui.passages import draw_passages
from subclust.ui.plain import plain
from subclust.ui.session import mark_group
from subclust.ui.view import View
from subclust.ui.words import counted, quality_explained, quality_in_words

N_TELLING = 2
"""Passages that show what a group is about, as long as it is not marked."""


def draw_groups(
    view: View,
    subtopics: SubtopicMap,
    parts: Mapping[int, Sequence[SubtopicPart]] | None = None,
) -> None:
    """Draw one card a group; its name is a button that marks the group on the map."""
    for subtopic in subtopics.subtopics:
        _draw_group(view, subtopic, (parts or {}).get(subtopic.id, ()))


def group_key(group: int) -> str:
    """Name a group's card for the style sheet and for tests."""
    return f"group-{'other' if group == OTHER_PASSAGES else group}"


def _draw_group(view: View, subtopic: Subtopic, parts: Sequence[SubtopicPart]) -> None:
    key, is_marked = group_key(subtopic.id), subtopic.id == view.group
    # The same key marked or not: otherwise the button would lose the keyboard's focus.
    with st.container(border=True, key=f"card-{key}", gap=None):
        st.button(
            plain(subtopic.name),
            key=key,
            type="tertiary",
            on_click=mark_group,
            args=(subtopic.id,),
        )
        _draw_facts(subtopic, is_marked=is_marked)
        if is_marked:
            draw_dig(view, subtopic)
        draw_parts(parts)
        if parts and not is_marked:
            return
        shown = subtopic.passages if is_marked else subtopic.passages[:N_TELLING]
        members = [(member, subtopic) for member in shown]
        if is_marked and len(members) > 4:
            with st.container(height=460, border=False, key=f"all-{key}"):
                draw_passages(members)
        else:
            draw_passages(members)


def _draw_facts(subtopic: Subtopic, *, is_marked: bool) -> None:
    facts = [f"<span>{counted(subtopic.size, 'passage')}</span>"]
    if subtopic.id != OTHER_PASSAGES:
        facts.append(
            f"<span title='{html.escape(quality_explained(subtopic))}'>"
            f"{quality_in_words(subtopic)}</span>"
        )
    else:
        facts.append("<span>fit no group well</span>")
    if is_marked:
        facts.append("<strong>marked on the map</strong>")
    st.html(f"<p class='sc-facts'>{' · '.join(facts)}</p>")
