"""The question and how it is grouped."""

from collections.abc import Callable

import streamlit as st

from subclust.core.records import MAX_QUESTION, QUERY_CONTEXTS
from subclust.core.settings import Settings
from subclust.methods import METHODS
from subclust.ui import state
from subclust.ui.components.resources import default_method, library_label, library_names
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.components.view import MAX_GROUPS, TOP_K, View
from subclust.ui.components.words import CONTEXTS, EXAMPLES, method_label
from subclust.ui.explore.kept_hits import draw_keep
from subclust.ui.i18n.language import _, _n, number

_GROUPS = ["auto", *range(2, MAX_GROUPS + 1)]


def draw_question(view: View) -> None:
    """Draw the query box and the examples."""
    show_in_widget(state.QUERY, view.query)
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.text_input(
            _("What are you looking for?"),
            key=state.QUERY,
            placeholder=_("A question or a few words"),
            on_change=_take(state.QUERY),
            autocomplete="off",
            max_chars=MAX_QUESTION,
        )
        st.button(_("Search"), key="search", type="primary", on_click=_take(state.QUERY))
        draw_keep(view)
    if len(view.query) == MAX_QUESTION:
        told = _("At most {count} characters of a question are read.")
        st.caption(told.format(count=number(MAX_QUESTION, 0)))
    with st.container(horizontal=True, gap="small", key="examples"):
        st.html(f"<span class='sc-note'>{_('Examples:')}</span>", width="content")
        for place, example in enumerate(EXAMPLES):
            st.button(
                example,
                key=f"example-{place}",
                type="tertiary",
                on_click=change_view,
                kwargs={"query": example, "hits": None},
            )


def draw_options(view: View, settings: Settings) -> None:
    """Draw what decides the groups: library, method, number of groups, what guides them."""
    default = default_method(settings)
    offered = [card for card in METHODS.values() if not card.comparison]
    for key in (state.LIBRARY, state.METHOD, state.CONTEXT):
        show_in_widget(key, getattr(view, key))
    show_in_widget(state.N_CLUSTERS, view.n_clusters)
    show_in_widget(state.TOP_K, view.top_k)
    automatic = _("automatic")
    names = _with(["default", *(card.name for card in offered)], view.method)
    methods = {name: method_label(name, default) for name in names}
    contexts = {name: _(words) for name, words in CONTEXTS.items()}
    counts = {count: _n("{count} passage", "{count} passages", count) for count in TOP_K}
    with st.container(horizontal=True, key="options"):
        st.selectbox(
            _("Library"),
            _with(library_names(settings), view.library),
            key=state.LIBRARY,
            format_func=library_label,
            on_change=_take(state.LIBRARY),
            width=170,
        )
        st.selectbox(
            _("Method"),
            list(methods),
            key=state.METHOD,
            format_func=methods.__getitem__,
            on_change=_take(state.METHOD),
            help=_("How passages are compared.")
            + " "
            + " ".join(f"**{_(card.label)}**: {_(card.summary)}" for card in offered),
            width=240,
        )
        st.selectbox(
            _("Groups follow"),
            QUERY_CONTEXTS,
            key=state.CONTEXT,
            format_func=contexts.__getitem__,
            on_change=_take(state.CONTEXT),
            disabled=not _looks_at_query(view.method, default),
            help=_(
                "What a trained method takes as the question when it compares passages. "
                "The other methods do not look at the question."
            ),
            width=270,
        )
        st.selectbox(
            _("At most"),
            TOP_K,
            key=state.TOP_K,
            format_func=counts.__getitem__,
            on_change=_take(state.TOP_K, "top_k"),
            help=_("How many of the best hits are grouped."),
            width=150,
        )
        st.select_slider(
            _("Number of groups"),
            _GROUPS,
            key=state.N_CLUSTERS,
            format_func=lambda number: automatic if number == "auto" else str(number),
            on_change=_take(state.N_CLUSTERS, "n_clusters"),
            width=240,
        )
    if view.context == "description" and _looks_at_query(view.method, default):
        show_in_widget(state.DESCRIPTION, view.description)
        st.text_area(
            _("Your question in more words"),
            key=state.DESCRIPTION,
            on_change=_take(state.DESCRIPTION),
            placeholder=_("Two or three sentences on what you want to know"),
            max_chars=MAX_QUESTION,
            height=90,
        )


def _take(key: str, field: str | None = None) -> Callable[[], None]:
    """Make a callback that carries a widget's value into the view."""
    return lambda: change_view(**{field or key: st.session_state.get(key)})


def _with(known: list[str], name: str) -> list[str]:
    """Add what the address asks for, so that it is shown (and answered by a sentence)."""
    return known if name in known else [*known, name]


def _looks_at_query(method: str, default: str | None) -> bool:
    name = default if method == "default" else method
    return name in METHODS and METHODS[name].query_specific
