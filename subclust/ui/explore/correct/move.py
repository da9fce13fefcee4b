"""Moving a passage from where it stands in a list."""

import html

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic
from subclust.figures.wrapping import excerpt
from subclust.labelled import corrections as curation
from subclust.ui import state
from subclust.ui.components.dialogs import close_after
from subclust.ui.components.plain import plain
from subclust.ui.components.session import known_view
from subclust.ui.explore.correct.desk import correct, desk_of
from subclust.ui.explore.correct.split import name_of
from subclust.ui.explore.groups import group_key
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _

_EXCERPT = 160


def open_move(found: Answer, passage_id: str) -> None:
    """Open the dialog that asks where a passage is to go.

    Parameters
    ----------
    found : Answer
        With the groups that are shown.
    passage_id : str
    """
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
            help=_("Left empty, it is named after what its passages have in common."),
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
