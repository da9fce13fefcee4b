"""Moving a passage from where it stands in a list; what the method proposes for new groups."""

import html
from collections.abc import Sequence
from typing import Literal

import numpy as np
import streamlit as st

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic, SubtopicMap
from subclust.figures.wrapping import excerpt
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import Split, free_name
from subclust.ui import state
from subclust.ui.components.dialogs import close_after
from subclust.ui.components.session import known_view
from subclust.ui.components.words import plain
from subclust.ui.explore.correct.desk import correct, desk_of
from subclust.ui.explore.groups import group_key
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _

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
    names = found.pipeline.namer_for(found.ranking, found.subtopics.query).name(
        found.subtopics.query, texts, labels
    )
    return free_name(names[new], [group.name for group in found.subtopics.subtopics])


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
    title = html.escape(member.passage.title)
    head = f"{title} <span class='sc-place'>{html.escape(member.passage.path or '')}</span>"
    st.html(
        f"<h3 class='sc-chosen' data-moving='{html.escape(id_)}'>{head}</h3>"
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
    refused = desk_of(known_view()).refused
    if pressed and refused:
        st.warning(plain(refused))
    else:
        close_after(pressed)
