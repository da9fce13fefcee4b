"""Digging into a group, and the breadcrumb that leads back."""

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic
from subclust.ui.components.plain import plain
from subclust.ui.components.session import go_to
from subclust.ui.components.view import View
from subclust.ui.i18n.language import _

LEAST_TO_DIG = 4
"""Passages that a group must have to be grouped alone."""


def draw_trail(view: View) -> None:
    """Draw where the visitor has dug in; each place but the last leads back."""
    if not view.trail:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="trail", gap="small"):
        st.html(f"<span class='sc-note'>{_('You are here:')}</span>", width="content")
        places = [view.trail[0].query, *(step.name for step in view.trail)]
        for place, name in enumerate(places[:-1]):
            st.button(
                plain(name),
                key=f"trail-{place}",
                type="tertiary",
                on_click=go_to,
                args=(view.back_to(place),),
                help=_("Go back to this"),
            )
            st.html("<span class='sc-note' aria-hidden='true'>›</span>", width="content")
        st.markdown(f"**{plain(places[-1])}**", width="content")


def draw_dig(view: View, subtopic: Subtopic) -> None:
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
                help=_("Divides the passages of this group as if they were all that was found."),
            )
        st.button(
            _("Add the name to the question"),
            key="dig-name",
            on_click=go_to,
            args=(view.adding(subtopic.name),),
            help=_("Asks again, with the name of this group behind the question."),
        )
