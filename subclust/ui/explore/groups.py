"""The list of groups: name, size, quality, parts, and the passages that show what each is about."""

import html
from collections.abc import Mapping, Sequence
from contextlib import nullcontext

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap, SubtopicPart
from subclust.figures import group_style
from subclust.pipeline.explainer import Explainer
from subclust.pipeline.parts import has_tree, parts_of
from subclust.ui import state
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.session import change_view, go_to, mark_group, show_in_widget
from subclust.ui.components.view import LEVELS, View
from subclust.ui.components.words import plain, sizes
from subclust.ui.explore.passages import document_list, draw_documents, mark_class
from subclust.ui.explore.quality import Places, draw_facts, draw_map_quality, reason_in_words
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _

N_TELLING = 2
"""Documents that show what a group is about, as long as it is not marked."""


def draw_groups(
    view: View,
    subtopics: SubtopicMap,
    explainer: Explainer,
    parts: Mapping[int, Sequence[SubtopicPart]] | None = None,
) -> Places:
    """Draw one card a group; its name is a button that marks the group on the map.

    Returns where `quality.fill_in` writes what takes a moment to find out.
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
    """Remove the cards of an answer with more groups; else they stay until the run has ended."""
    before = st.session_state.setdefault(state.N_CARDS, {})
    for _card in range(n_cards, before.get(is_other, 0)):
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
            _draw_dig(view, subtopic)
        _draw_parts(parts)
        if parts and not is_marked:
            return
        members = [(member, subtopic) for member in subtopic.passages]
        with (
            st.container(height=460, border=False, key=f"all-{key}")
            if is_marked and len(members) > 4
            else nullcontext()
        ):
            draw_documents(
                members,
                most=None if is_marked else N_TELLING,
                marks="" if subtopic.id == OTHER_PASSAGES else subtopic.name,
                notes=_reasons(subtopic, explainer),
            )


def _reasons(subtopic: Subtopic, explainer: Explainer) -> dict[str, str]:
    """Return why each of the other passages is there."""
    if subtopic.id != OTHER_PASSAGES:
        return {}
    ids = [member.passage.id for member in subtopic.passages]
    return {id_: reason_in_words(explainer.reason(id_)) for id_ in ids}


LEAST_TO_DIG = 4
"""Passages that a group must have to be grouped alone."""


def _draw_dig(view: View, subtopic: Subtopic) -> None:
    """Draw the two ways into a group: its passages alone, or its name in the question."""
    if subtopic.id == OTHER_PASSAGES:
        return
    with st.container(horizontal=True, key=f"dig-{subtopic.id}", gap="small"):
        if subtopic.size >= LEAST_TO_DIG:
            st.button(
                _("Group these alone"),
                key="dig-into",
                on_click=go_to,
                args=(view.into(subtopic.name, [one.passage.id for one in subtopic.passages]),),
                help=_("Divides the passages of this group as if they were the only hits."),
            )
        st.button(
            _("Add the name to the question"),
            key="dig-name",
            on_click=go_to,
            args=(view.adding(subtopic.name),),
            help=_("Searches again with the name of this group added to the question."),
        )


_NAMES = {1: N_("Groups"), 2: N_("with parts"), 3: N_("parts of parts")}


def draw_levels(view: View) -> None:
    """Draw the switch between flat and nested subtopics."""
    show_in_widget(state.LEVELS, view.levels)
    st.segmented_control(
        _("Levels of subtopics"),
        list(LEVELS),
        key=state.LEVELS,
        required=True,
        format_func={level: _(words) for level, words in _NAMES.items()}.__getitem__,
        on_change=lambda: change_view(levels=st.session_state[state.LEVELS]),
        help=_("Divides each group further where its passages fall into parts."),
    )


def shown_parts(view: View, found: Answer) -> dict[int, tuple[SubtopicPart, ...]]:
    """Return the parts of each group, divided once for as long as the groups are the same."""
    if view.levels == 1:
        return {}
    subtopics = found.subtopics
    key = (
        view.levels,
        subtopics.query.text,
        subtopics.projection,
        tuple(
            (one.id, one.name, tuple(m.passage.id for m in one.passages))
            for one in subtopics.subtopics
        ),
    )
    known = st.session_state.get(state.PARTS)
    if known is None or known[0] != key:
        known = (key, parts_of(subtopics, view.levels, found.pipeline.namer_for(found.ranking)))
        st.session_state[state.PARTS] = known
    parts: dict[int, tuple[SubtopicPart, ...]] = known[1]
    return parts


def draw_levels_note(view: View, subtopics: SubtopicMap) -> None:
    """Draw where the parts come from, unless it is the dendrogram of the groups."""
    if view.levels > 1 and not has_tree(subtopics):
        st.caption(
            _(
                "This method builds no dendrogram, so each group is divided on its own, "
                "by the similarities that the method uses."
            )
        )


def _draw_parts(parts: Sequence[SubtopicPart]) -> None:
    """Draw the parts of a group as a nested list; each opens to its passages."""
    if parts:
        st.html(_list(parts))


def _list(parts: Sequence[SubtopicPart]) -> str:
    return f"<ul class='sc-parts'>{''.join(_item(part) for part in parts)}</ul>"


def _item(part: SubtopicPart) -> str:
    size = sizes(part.passages)
    inside = _list(part.parts) if part.parts else document_list(part.passages, marks=part.name)
    return (
        f"<li data-part='{part.number}'><details><summary><span class='sc-number'>{part.number}"
        f"</span> <span class='sc-title'>{html.escape(part.name)}</span>"
        f"<span class='sc-place'>{size}</span></summary>{inside}</details></li>"
    )
