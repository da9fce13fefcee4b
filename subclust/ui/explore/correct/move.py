"""Choosing passages by a word, moving one, and what the method proposes for new groups."""

import html
from collections.abc import Sequence
from typing import Literal

import numpy as np
import streamlit as st

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Passage, Subtopic, SubtopicMap
from subclust.explanation.units import Span
from subclust.figures.palette import group_style
from subclust.figures.wrapping import excerpt
from subclust.grouping.naming import LanguageModelNamer
from subclust.grouping.naming.base import as_heading
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import Split, free_name
from subclust.text.retrieval import holding
from subclust.text.retrieval.typed_words import where_held
from subclust.ui import state
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.markup import draw_passage_heading, draw_status
from subclust.ui.components.session import SELECTIONS, known_view, mark_passages, unmark
from subclust.ui.components.view import View
from subclust.ui.components.words import n_passages, plain
from subclust.ui.explore.correct.desk import correct, desk_of
from subclust.ui.explore.groups import group_key
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n, number

PARTS: dict[str, int | Literal["auto"]] = {"two": 2, "three": 3, "auto": "auto"}
"""Into how many parts a group can be split."""


def split_by_model(
    found: Answer, now: SubtopicMap, group: int, n_parts: int | Literal["auto"]
) -> Split:
    """Group the passages of a group alone, by the method of the answer.

    Raises
    ------
    InputError
        If it does not fall into parts, or there is no such group.
    """
    ids = {member.passage.id for one in now.subtopics if one.id == group for member in one.passages}
    rows = [row for row, hit in enumerate(found.ranking.hits) if hit.passage.id in ids]
    alone = found.ranking.taking(rows)
    parts: list[tuple[str, Sequence[str]]] = []
    if len(rows) > 1:
        wanted = n_parts if n_parts == "auto" else min(n_parts, len(rows))
        # max_other=0: every passage must end up in one of the parts.
        inside = found.pipeline.group(
            alone, found.subtopics.query, n_clusters=wanted, max_other=0.0
        )
        parts = [
            (part.name, [member.passage.id for member in part.passages])
            for part in inside.subtopics
        ]
    return curation.split(now, group, parts)


def name_of(found: Answer, passages: Sequence[str]) -> str:
    """Name passages after what they have in common and the others have not."""
    chosen = set(passages)
    members = [
        (member.passage, group.id)
        for group in found.subtopics.subtopics
        for member in group.passages
    ]
    new = max(group for _, group in members) + 1
    labels = np.array([new if one.id in chosen else group for one, group in members])
    texts = [one.text for one, _ in members]
    # All groups are handed over, because a name is chosen to tell its group from the others.
    names = found.pipeline.namer_for(found.ranking, found.subtopics.query).name(
        found.subtopics.query, texts, labels
    )
    return free_name(names[new], [group.name for group in found.subtopics.subtopics])


_MOST_NAMES = 6


def other_names(found: Answer, group: int) -> list[str]:
    """List what else a group might be called, best first: names that no group has, at most six."""
    now = found.subtopics
    members = [(one.passage.text, other.id) for other in now.subtopics for one in other.passages]
    texts, labels = zip(*members, strict=True)
    namer = found.pipeline.namer_for(found.ranking)
    if isinstance(namer, LanguageModelNamer):  # which takes seconds to answer
        namer = namer.otherwise
    proposed = namer.proposals(now.query, texts, np.array(labels))[group]
    taken = {one.name.casefold() for one in now.subtopics}
    names = {one.casefold(): as_heading(one) for one in reversed(proposed)}
    return [name for key, name in reversed(names.items()) if key not in taken][:_MOST_NAMES]


_EXCERPT = 160


def open_move(found: Answer, passage_id: str) -> None:
    """Open the dialog that asks where a passage is to go."""
    there = next(
        (
            (member, group)
            for group in found.subtopics.subtopics
            for member in group.passages
            if member.passage.id == passage_id
        ),
        None,
    )
    if there is not None:
        st.session_state.pop(state.MOVE_NAME, None)
        st.dialog(_("Move this passage"))(_draw)(found, *there)


def _draw(found: Answer, member: MappedPassage, home: Subtopic) -> None:
    now, id_ = found.subtopics, member.passage.id
    draw_passage_heading(member.passage)
    st.html(
        f"<p class='sc-moving'>{html.escape(excerpt(member.passage.text, _EXCERPT))}</p>"
        f"<p class='sc-note'>{html.escape(_('From “{group}” to:').format(group=home.name))}</p>"
    )

    def move(target: int) -> None:
        correct(known_view(), now, lambda groups: curation.move(groups, [id_], target))

    def separate() -> None:
        name = str(st.session_state[state.MOVE_NAME]).strip()
        correct(
            known_view(),
            now,
            lambda groups: curation.separate(groups, [id_], name or name_of(found, [id_])),
        )

    names = {one.id: one.name for one in now.subtopics if one.id != OTHER_PASSAGES}
    names[OTHER_PASSAGES] = _("Other passages")
    with st.container(key="move-to", gap="xsmall"):
        for group, name in names.items():
            if group != home.id:
                _go_on_after(
                    st.button(
                        plain(name),
                        key=f"move-to-{group_key(group)}",
                        on_click=move,
                        args=(group,),
                        width="stretch",
                    )
                )
    with st.form("move-form", border=False):
        st.text_input(
            _("Or a new group of this name"),
            key=state.MOVE_NAME,
            max_chars=120,
            help=_("If empty, the group is named after what its passages have in common."),
        )
        _go_on_after(
            st.form_submit_button(_("Make the group"), key="move-separate", on_click=separate)
        )


def _go_on_after(pressed: bool) -> None:
    """Close the dialog, unless what was asked for was refused: then say why."""
    refused = desk_of(known_view()).refused()
    if pressed and refused:
        st.warning(plain(refused))
    else:
        close_after(pressed)


MOST_SHOWN = 40
"""Passages that are listed at once; more words make them fewer."""

# Streamlit names a box by the Markdown of its label, with all its signs; the label itself says it.
_NAMER = """
let watching = null;
const name = () => {
  const named = document.querySelectorAll('[role=dialog] [data-testid=stCheckbox] [aria-label]');
  for (const box of named) box.removeAttribute('aria-label');
};
export default function () {
  watching?.disconnect();
  watching = new MutationObserver(name);
  watching.observe(document.body, { childList: true, subtree: true });
  name();
  return () => watching.disconnect();
}
"""

_namer = st.components.v2.component("subclust_box_names", js=_NAMER)


_Members = dict[str, tuple[MappedPassage, Subtopic]]


def draw_chooser(view: View, found: Answer) -> None:
    """Draw the button to choose passages by the words they hold."""
    pairs = [(member, group) for group in found.subtopics.subtopics for member in group.passages]
    pairs.sort(key=lambda pair: pair[0].rank)
    members = {member.passage.id: (member, group) for member, group in pairs}

    def begin() -> None:
        st.session_state[state.CHOSEN_WORDS] = ""
        st.session_state[state.CHOSEN_IDS] = [one for one in view.passages if one in members]

    dialog_button(
        _("Choose passages"),
        lambda: _draw_choice(members),
        key="correct-choose",
        focus="field",
        width="medium",
        on_open=begin,
    )


def _draw_choice(members: _Members) -> None:
    chosen: list[str] = st.session_state.setdefault(state.CHOSEN_IDS, [])
    st.text_input(
        _("A word of their title or text"),
        key=state.CHOSEN_WORDS,
        placeholder=_("Type a word, or several, then press Enter"),
        max_chars=200,
    )
    typed = str(st.session_state[state.CHOSEN_WORDS])
    hits = holding((member.passage for member, _group in members.values()), typed)
    if typed.strip():
        draw_status(_sum(typed, len(hits)))
    for passage in hits[:MOST_SHOWN]:
        _draw_box(passage, members[passage.id][1], typed, chosen)
    listed = {passage.id for passage in hits[:MOST_SHOWN]}
    others = [one for one in chosen if one in members and one not in listed]
    if others:
        st.caption(_("Also selected:"))
        for one in others:
            _draw_box(members[one][0].passage, members[one][1], typed, chosen)
    with st.container(key="script-boxes"):
        _namer(key="boxes")
    with st.container(horizontal=True):
        take = _("Choose {passages}").format(passages=n_passages(len(chosen)))
        close_after(
            st.button(
                take if chosen else _("Choose none"),
                key="correct-choose-take",
                type="primary",
                on_click=_take,
                args=(chosen,),
            )
        )
        more = [passage.id for passage in hits if passage.id not in chosen]
        if len(hits) > 1 and more:
            st.button(
                _("Add all {count}").format(count=number(len(hits))),
                key="correct-choose-all",
                on_click=lambda: chosen.extend(more),
            )


def _draw_box(passage: Passage, group: Subtopic, typed: str, chosen: list[str]) -> None:
    id_ = passage.id
    key = state.PICKED + id_
    # Streamlit forgets a box that is not drawn, such as one that other words do not find; `chosen`
    # remembers it.
    st.session_state[key] = id_ in chosen

    def toggle() -> None:
        if id_ in chosen:
            chosen.remove(id_)
        else:
            chosen.append(id_)

    held = where_held(passage, typed)
    title = f"**{_marked(passage.title, held.in_title)}** " if passage.title else ""
    words = _marked(held.sentence, held.in_sentence)
    st.checkbox(f"{group_style(group.id).glyph} {title}{words}", key=key, on_change=toggle)


def _take(chosen: Sequence[str]) -> None:
    if chosen:
        mark_passages(list(chosen))
        SELECTIONS.forget()
    else:
        unmark()


def _sum(typed: str, count: int) -> str:
    told = _n("{count} passage holds “{{typed}}”.", "{count} passages hold “{{typed}}”.", count)
    if not count:
        told = _("No passage holds “{typed}”; parts of words are found as well.")
    elif count > MOST_SHOWN:
        told = _n(
            "{count} passage holds “{{typed}}”; the first {{most}} are listed.",
            "{count} passages hold “{{typed}}”; the first {{most}} are listed.",
            count,
        )
    return told.format(typed=typed.strip(), most=MOST_SHOWN)


def _marked(text: str, places: Sequence[Span]) -> str:
    """Write a text as Markdown, with places marked."""
    parts, reached = [], 0
    for place in places:
        parts += [
            plain(text[reached : place.start]),
            f":yellow-background[{plain(place.of(text))}]",
        ]
        reached = place.end
    return "".join([*parts, plain(text[reached:])])
