"""Divide the same passages in another way: those that suggest themselves, or in own words."""

from collections.abc import Sequence

import streamlit as st

from subclust.comparison import LETTERS, MAX_COLUMNS, Column
from subclust.core.records import MAX_QUESTION
from subclust.pipeline.ways import Way
from subclust.ui import state
from subclust.ui.components.columns import write_column
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.session import go_to
from subclust.ui.components.view import View
from subclust.ui.components.words import plain
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n, language_params, said

_SHOWN = 3
"""Groups of a way that are named."""


def draw_divide(view: View, found: Answer) -> None:
    """Draw the button that groups the same passages in another way."""

    def draw() -> None:
        ways = found.pipeline.ways(found.ranking)
        others = [way for way in ways if way.key != view.way]
        if others:
            _draw_ways(view, others)
        _draw_own_words(view)
        if ways and not view.trail:
            _draw_compare(view, ways)

    dialog_button(_("Divide by …"), draw, key="divide", focus="field")


def _draw_ways(view: View, ways: Sequence[Way]) -> None:
    """Draw a button for each way; one click groups the passages so."""
    st.html(f"<p class='sc-note'>{_('These passages also divide')}</p>")
    with st.container(key="ways", gap="xsmall"):
        for way in ways:
            text = str(said(way.text))
            groups = _n("{count} group", "{count} groups", way.n_groups)
            pressed = st.button(
                plain(_("{way}: {groups}").format(way=_with_names(way), groups=groups)),
                key=f"way-{way.key}",
                width="stretch",
                on_click=_divide,
                args=(view, text),
                kwargs={"way": way.key, "n_clusters": "auto"},
            )
            close_after(pressed)


def _with_names(way: Way) -> str:
    """Return what a way is called, with the names of some groups."""
    told = str(said(way.text))
    if "(" in told:
        return told
    more = ["…"] if way.n_groups > len(way.names[:_SHOWN]) else []
    return f"{told} ({', '.join([*way.names[:_SHOWN], *more])})"


def _divide(view: View, text: str, **changes: str) -> None:
    go_to(view.keeping().changed(query=text, **{"way": ""} | changes))


def _draw_own_words(view: View) -> None:
    def divide() -> None:
        if asked := str(st.session_state[state.DIVIDE_BY]).strip():
            _divide(view, asked)

    with st.form("divide-form", border=False):
        st.text_input(
            _("Divide these passages by"),
            key=state.DIVIDE_BY,
            placeholder=_("by country, by topic, economy and trade"),
            help=_(
                "No new search: the passages stay, and their groups follow what you type. "
                "“By country” divides by what passages are about, “by topic” by what they say "
                "of it."
            ),
            max_chars=MAX_QUESTION,
        )
        pressed = st.form_submit_button(
            _("Divide"), key="divide-now", type="primary", on_click=divide
        )
    close_after(pressed)


def _draw_compare(view: View, ways: Sequence[Way]) -> None:
    """Draw the link to a comparison of the question's own groups with those of the ways."""
    own = Column(view.method)
    columns = [own, *(Column(view.method, query=said(way.text), way=way.key) for way in ways)]
    st.page_link(
        "pages/compare.py",
        label=_("Compare these ways side by side"),
        query_params={
            "q": view.searched().text,
            "library": view.library,
            "top": str(view.top_k),
            **dict(zip(LETTERS.lower(), map(write_column, columns[:MAX_COLUMNS]), strict=False)),
            **language_params(),
        },
    )
