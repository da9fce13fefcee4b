"""The list of groups: name, size, quality, and the passages that show what each is about."""

from collections.abc import Mapping, Sequence

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap, SubtopicPart
from subclust.figures import group_style
from subclust.pipeline.explainer import Explainer
from subclust.ui import state
from subclust.ui.components.plain import plain
from subclust.ui.components.session import mark_group
from subclust.ui.components.theme import figure_theme
from subclust.ui.components.view import View
from subclust.ui.explore.digging import draw_dig
from subclust.ui.explore.levels import draw_parts
from subclust.ui.explore.passages import draw_passages, mark_class
from subclust.ui.explore.quality import Places, draw_facts, draw_map_quality
from subclust.ui.explore.quality_words import reason_in_words

N_TELLING = 2
"""Passages that show what a group is about, as long as it is not marked."""


def draw_groups(
    view: View,
    subtopics: SubtopicMap,
    explainer: Explainer,
    parts: Mapping[int, Sequence[SubtopicPart]] | None = None,
) -> Places:
    """Draw one card a group; its name is a button that marks the group on the map.

    Returns
    -------
    mapping
        Where `quality.fill_in` writes what takes a moment to find out.
    """
    places: Places = {}
    draw_map_quality(subtopics, places)
    parts = parts or {}
    # The other passages have a place of their own: in the place that was the last card's before,
    # their button would stand beside another group's name until the run has ended.
    cards, other = st.container(key="cards"), st.container()
    for place, is_other in ((cards, False), (other, True)):
        drawn = [one for one in subtopics.subtopics if (one.id == OTHER_PASSAGES) == is_other]
        with place:
            for subtopic in drawn:
                _draw_group(view, subtopic, explainer, places, parts.get(subtopic.id, ()))
            _clear_after(len(drawn), is_other)
    return places


def _clear_after(n_cards: int, is_other: bool) -> None:
    """Take away cards of an answer with more groups; else they stand until the run has ended."""
    before = st.session_state.setdefault(state.N_CARDS, {})
    for _ in range(n_cards, before.get(is_other, 0)):
        st.empty()
    before[is_other] = n_cards


def group_key(group: int) -> str:
    """Name a group's card for the style sheet and for tests."""
    return f"group-{'other' if group == OTHER_PASSAGES else group}"


def draw_group_style(subtopics: Sequence[Subtopic], marked: int | None) -> None:
    """Put its symbol before each group's name, as on the map, and frame the marked group."""
    theme = figure_theme()
    rules = []
    for subtopic in subtopics:
        style, key = group_style(subtopic.id, theme), group_key(subtopic.id)
        rules.append(
            f":is(.st-key-{key}, .st-key-move-to-{key}) button::before, "
            f".{mark_class(subtopic.id)}::before "
            f"{{ content: '{style.glyph}' / ''; color: {style.outline} }}"
        )
    if marked is not None:
        rules.append(
            f".st-key-card-{group_key(marked)} {{ border-color: var(--sc-focus) !important; "
            "box-shadow: inset 4px 0 0 var(--sc-focus) }"
        )
    st.html(f"<style>{''.join(rules)}</style>")


def _draw_group(
    view: View,
    subtopic: Subtopic,
    explainer: Explainer,
    places: Places,
    parts: Sequence[SubtopicPart],
) -> None:
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
        draw_facts(explainer.subtopics, subtopic, explainer, places, is_marked)
        if is_marked:
            draw_dig(view, subtopic)
        draw_parts(parts)
        if parts and not is_marked:
            return
        notes = _reasons(subtopic, explainer)
        shown = subtopic.passages if is_marked else subtopic.passages[:N_TELLING]
        members = [(member, subtopic) for member in shown]
        if is_marked and len(members) > 4:
            with st.container(height=460, border=False, key=f"all-{key}"):
                draw_passages(members, show_evidence=True, notes=notes)
        else:
            draw_passages(members, show_evidence=True, notes=notes)


def _reasons(subtopic: Subtopic, explainer: Explainer) -> dict[str, str]:
    """Say of each of the other passages why it is there."""
    if subtopic.id != OTHER_PASSAGES:
        return {}
    ids = [member.passage.id for member in subtopic.passages]
    return {id_: reason_in_words(explainer.reason(id_)) for id_ in ids}
