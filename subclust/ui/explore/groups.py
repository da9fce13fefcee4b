"""The list of groups, and the one that is open beside it."""

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap, SubtopicPart
from subclust.figures.palette import group_style
from subclust.grouping.naming import evidence
from subclust.pipeline.explainer import Explainer
from subclust.pipeline.parts import has_tree, parts_of
from subclust.ui import state
from subclust.ui.components.browser import draw_style, figure_theme
from subclust.ui.components.session import begin_to_correct, go_to, mark_group
from subclust.ui.components.view import View
from subclust.ui.components.words import plain, sizes
from subclust.ui.explore.passages import (
    document_list,
    draw_close,
    draw_documents,
    excerpt_with,
    mark_class,
    with_marks,
)
from subclust.ui.explore.quality import draw_quality, may_be_mixed, reason_in_words
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, number


def draw_groups(
    subtopics: SubtopicMap,
    parts: Mapping[int, Sequence[SubtopicPart]] | None = None,
) -> None:
    """Draw one line a group; its name is a button that opens the group beside the list."""
    parts = parts or {}
    largest = max((one.size for one in subtopics.subtopics), default=1)
    # The other passages have a place of their own: in the place that was the last group's before,
    # their button would stand beside another group's name until the run has ended.
    cards, other = st.container(key="cards", gap=None), st.container(gap=None)
    for place, is_other in ((cards, False), (other, True)):
        drawn = [one for one in subtopics.subtopics if (one.id == OTHER_PASSAGES) == is_other]
        with place:
            for subtopic in drawn:
                _draw_line(subtopics, subtopic, largest, parts.get(subtopic.id, ()))
            _clear_after(len(drawn), is_other)


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
    """Put its symbol before each group's name, as on the map, and shade the marked group."""
    theme = figure_theme()
    rules = []
    for subtopic in subtopics:
        style, key = group_style(subtopic.id, theme), group_key(subtopic.id)
        rules.append(
            # The empty text after the slash is what screen readers say for the symbol.
            f":is(.st-key-{key}, .st-key-move-to-{key}) button::before, "
            f".{mark_class(subtopic.id)}::before "
            f"{{ content: '{style.glyph}' / ''; color: {style.outline} }}"
        )
    if marked is not None:
        rules.append(
            f".st-key-card-{group_key(marked)} {{ background: var(--sc-counts); "
            "box-shadow: inset 3px 0 0 var(--sc-focus) }"
        )
    draw_style("".join(rules))


def _draw_line(
    subtopics: SubtopicMap, subtopic: Subtopic, largest: int, parts: Sequence[SubtopicPart]
) -> None:
    key = group_key(subtopic.id)
    with st.container(key=f"card-{key}", gap=None):
        st.button(
            plain(subtopic.name),
            key=key,
            type="tertiary",
            width="stretch",
            on_click=mark_group,
            args=(subtopic.id,),
        )
        st.html(_line(subtopics, subtopic, largest))
        if parts:
            st.html(_list(parts))


def _line(subtopics: SubtopicMap, subtopic: Subtopic, largest: int) -> str:
    """Write how large a group is, and words that show what it is about."""
    told = html.escape(sizes(subtopic.passages), quote=True)
    mixed = f"<strong>{html.escape(_('may be mixed'))}</strong> · "
    return (
        f"<p class='sc-size' title='{told}'><span class='sc-bar' aria-hidden='true'>"
        f"<span style='width: {100 * subtopic.size / largest:.0f}%'></span></span>"
        f"<span aria-hidden='true'>{number(subtopic.size)}</span>"
        f"<span class='sc-hidden'>{told}</span></p>"
        f"<p class='sc-about'>{mixed if may_be_mixed(subtopics, subtopic) else ''}"
        f"<span class='sc-excerpt'>{_telling(subtopic)}</span></p>"
    )


_ABOUT = 110


def _telling(subtopic: Subtopic) -> str:
    """Write the beginning of the most central passage that holds a word of the group's name."""
    name = "" if subtopic.id == OTHER_PASSAGES else subtopic.name
    texts = [member.passage.text for member in subtopic.passages]
    best = next((one for one in texts if name and evidence(name, one)), texts[0])
    return with_marks(excerpt_with(best, name, _ABOUT), name)


def draw_open_group(view: View, found: Answer, explainer: Explainer, *, is_corrected: bool) -> None:
    """Draw the group that is marked, if one is: its passages, and what can be done with it.

    Where it `is_corrected`, the tools for that are open already.
    """
    subtopic = next((one for one in found.subtopics.subtopics if one.id == view.group), None)
    if subtopic is None:
        return
    key = group_key(subtopic.id)
    with st.container(key="open-group", gap="small"):
        with st.container(horizontal=True, vertical_alignment="top", wrap=False):
            mark = mark_class(subtopic.id)
            st.html(
                f"<h3 class='sc-chosen {mark}'>{html.escape(subtopic.name)}</h3>"
                f"<p class='sc-facts'>{html.escape(sizes(subtopic.passages))}</p>"
            )
            draw_close()
        _draw_dig(view, subtopic, is_corrected)
        with st.container(key=f"all-{key}"):
            draw_documents(
                [(member, subtopic) for member in subtopic.passages],
                marks="" if subtopic.id == OTHER_PASSAGES else subtopic.name,
                notes=_reasons(subtopic, explainer),
            )
        draw_quality(found.subtopics, subtopic, explainer)


def _reasons(subtopic: Subtopic, explainer: Explainer) -> dict[str, str]:
    """Return why each of the other passages is there."""
    if subtopic.id != OTHER_PASSAGES:
        return {}
    ids = [member.passage.id for member in subtopic.passages]
    return {id_: reason_in_words(explainer.reason(id_)) for id_ in ids}


LEAST_TO_DIG = 4
"""Passages that a group must have to be grouped alone."""


def _draw_dig(view: View, subtopic: Subtopic, is_corrected: bool) -> None:
    """Draw the ways into a group (its passages alone, its name in the question), and to correct."""
    with st.container(horizontal=True, key=f"dig-{subtopic.id}", gap="small"):
        if subtopic.id != OTHER_PASSAGES:
            if subtopic.size >= LEAST_TO_DIG:
                st.button(
                    _("Group these alone"),
                    key="dig-into",
                    on_click=go_to,
                    args=(view.into(subtopic.name, [one.passage.id for one in subtopic.passages]),),
                    help=_("Divides the passages of this group as if they were the only hits."),
                )
            st.button(
                _("Add to the question"),
                key="dig-name",
                on_click=go_to,
                args=(view.adding(subtopic.name),),
                help=_("Searches again with the name of this group added to the question."),
            )
        if not is_corrected:
            st.button(
                _("Correct"),
                key="correct-group",
                on_click=begin_to_correct,
                help=_("Rename, merge or split the group, or move its passages."),
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
        known = (
            key,
            parts_of(
                subtopics, view.levels, found.pipeline.namer_for(found.ranking, subtopics.query)
            ),
        )
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


def _list(parts: Sequence[SubtopicPart]) -> str:
    """Write the parts of a group as a nested list; each opens to its passages."""
    return f"<ul class='sc-parts'>{''.join(_item(part) for part in parts)}</ul>"


def _item(part: SubtopicPart) -> str:
    size = sizes(part.passages)
    inside = _list(part.parts) if part.parts else document_list(part.passages, marks=part.name)
    return (
        f"<li data-part='{part.number}'><details><summary>"
        f"<span class='sc-title'>{html.escape(part.name)}</span>"
        f"<span class='sc-place'>{size}</span></summary>{inside}</details></li>"
    )
