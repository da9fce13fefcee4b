"""The question, where it is asked and how it is grouped."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from subclust.core.records import MAX_QUESTION, QUERY_CONTEXTS, StabilityCurve
from subclust.core.settings import Settings
from subclust.figures.bars import stability_line
from subclust.methods import METHODS
from subclust.pipeline.parts import stability_curve
from subclust.text.retrieval import understood
from subclust.ui import state
from subclust.ui.components.address import MAX_GROUPS
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.resources import default_method, library_label, library_names
from subclust.ui.components.session import change_view, go_to, show_in_widget
from subclust.ui.components.themes import explore, kept_themes, look_at
from subclust.ui.components.view import TOP_K, View, expected_of
from subclust.ui.components.words import (
    CONTEXTS,
    LEVEL_NAMES,
    LISTINGS,
    MAPS,
    cut_words,
    method_label,
    n_passages,
    plain,
    with_current,
)
from subclust.ui.explore.kept_hits import draw_keep
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, number, said

_GROUPS = ["auto", *range(2, MAX_GROUPS + 1)]


def draw_question(view: View, settings: Settings) -> None:
    """Draw the question, the library that is asked, and the button that opens the options."""
    show_in_widget(state.QUERY, view.query)
    show_in_widget(state.LIBRARY, view.library)
    with st.container(horizontal=True, vertical_alignment="center", key="question"):
        st.text_input(
            _("What are you looking for?"),
            key=state.QUERY,
            placeholder=_("A question or a few words"),
            on_change=_take(state.QUERY),
            autocomplete="off",
            label_visibility="collapsed",
        )
        st.selectbox(
            _("Library"),
            with_current(library_names(settings), view.library),
            key=state.LIBRARY,
            format_func=library_label,
            on_change=_take(state.LIBRARY),
            label_visibility="collapsed",
            width=180,
        )
        st.button(_("Search"), key="search", type="primary", on_click=_take(state.QUERY))
        n_changed = _n_changed(view)
        st.button(
            _("Refine ({count})").format(count=number(n_changed)) if n_changed else _("Refine"),
            key="refine-open",
            icon=":material/tune:",
            on_click=_open_or_close,
        )
    _draw_options(view, settings)
    if told := cut_words(view.query):
        st.caption(told)
    _draw_read(view)


_OPTIONS = (
    "listing", "projection", "levels", "n_clusters", "top_k", "method", "context", "hits",
    "expected",
)  # fmt: skip
"""Fields of the view that the options set."""


def _n_changed(view: View) -> int:
    """Count the options that differ from the usual."""
    return sum(getattr(view, name) != getattr(View, name) for name in _OPTIONS)


def _open_or_close() -> None:
    st.session_state[state.REFINING] = not st.session_state.get(state.REFINING, False)


def _draw_read(view: View) -> None:
    """Draw how operators and fields of the question that finds the hits were read."""
    told = understood(view.searched().text).told
    if told:
        st.caption(plain(" ".join(said(one) for one in told)))


def _draw_options(view: View, settings: Settings) -> None:
    """Draw what is shown and what decides the groups; hidden until it is asked for.

    Hidden options are drawn as well, so that none of them forgets its value.
    """
    is_open = st.session_state.get(state.REFINING, False)
    with st.container(border=True, key="refine" if is_open else "refine-closed"):
        with st.container(horizontal=True, key="options-look"):
            _draw_looks(view)
        with st.container(horizontal=True, key="options"):
            _draw_grouping(view, settings)
        _draw_expected(view)
        draw_keep(view)


def _draw_looks(view: View) -> None:
    """Draw what stands where the groups stand, how deep they go, and which map."""
    for key, value in ((state.LISTING, view.listing), (state.PROJECTION, view.projection)):
        show_in_widget(key, value)
    show_in_widget(state.LEVELS, view.levels)
    for label, key, names, help in (
        (_("Show"), state.LISTING, LISTINGS, None),
        (
            _("Levels of subtopics"),
            state.LEVELS,
            LEVEL_NAMES,
            _("Divides each group further where its passages fall into parts."),
        ),
        (_("Map"), state.PROJECTION, MAPS, None),
    ):
        st.segmented_control(
            label,
            list(names),
            key=key,
            required=True,
            format_func={name: _(words) for name, words in names.items()}.__getitem__,
            on_change=_take(key, _FIELDS[key]),
            help=help,
        )


_FIELDS = {state.LISTING: "listing", state.LEVELS: "levels", state.PROJECTION: "projection"}


def _draw_grouping(view: View, settings: Settings) -> None:
    """Draw what decides the groups."""
    default = default_method(settings)
    _draw_counts(view)
    _draw_method(view, default)
    _draw_context(view, default)


def _draw_counts(view: View) -> None:
    """Draw how many groups there are, and of how many hits."""
    show_in_widget(state.N_CLUSTERS, view.n_clusters)
    show_in_widget(state.TOP_K, view.top_k)
    automatic = _("automatic")
    counts = {count: n_passages(count) for count in TOP_K}
    st.select_slider(
        _("Number of groups"),
        _GROUPS,
        key=state.N_CLUSTERS,
        format_func=lambda number: automatic if number == "auto" else str(number),
        on_change=_take(state.N_CLUSTERS, "n_clusters"),
        width=240,
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


def _draw_method(view: View, default: str | None) -> None:
    """Draw by which method passages are compared."""
    show_in_widget(state.METHOD, view.method)
    offered = [card for card in METHODS.values() if not card.comparison]
    names = with_current(["default", *(card.name for card in offered)], view.method)
    methods = {name: method_label(name, default) for name in names}
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


def _draw_context(view: View, default: str | None) -> None:
    """Draw what a trained method uses as the question."""
    show_in_widget(state.CONTEXT, view.context)
    contexts = {name: _(words) for name, words in CONTEXTS.items()}
    st.selectbox(
        _("Groups follow"),
        QUERY_CONTEXTS,
        key=state.CONTEXT,
        format_func=contexts.__getitem__,
        on_change=_take(state.CONTEXT),
        disabled=not _looks_at_query(view.method, default),
        help=_(
            "What a trained method uses as the question when it compares passages. "
            "The other methods ignore the question."
        ),
        width=270,
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


def _draw_expected(view: View) -> None:
    """Draw where to say which subtopics are to have groups of their own."""
    show_in_widget(state.EXPECTED, "; ".join(view.expected))
    st.text_input(
        _("Expected subtopics"),
        key=state.EXPECTED,
        placeholder=_("taxes; slavery"),
        on_change=lambda: change_view(expected=expected_of(st.session_state[state.EXPECTED])),
        help=_(
            "Each gets a group of its own, with the passages that are about it. Separate several "
            "with a semicolon."
        ),
        autocomplete="off",
        max_chars=MAX_QUESTION,
        width=500,
    )


def _take(key: str, field: str | None = None) -> Callable[[], None]:
    """Make a callback that carries a widget's value into the view."""
    return lambda: change_view(**{field or key: st.session_state.get(key)})


def _looks_at_query(method: str, default: str | None) -> bool:
    name = default if method == "default" else method
    return name in METHODS and METHODS[name].query_specific


def draw_stable_count(found: Answer) -> None:
    """Draw what opens to the curve; it is computed once somebody opens it."""
    dialog_button(
        _("How many groups?"),
        lambda: _draw_curve(_curve(found), found.subtopics.n_clusters),
        key="how-many",
    )


def _draw_curve(curve: StabilityCurve, shown: int) -> None:
    if not curve.n_clusters:
        st.write(_("No curve: the method builds no dendrogram, or there are too few passages."))
        return
    st.write(_in_words(curve))
    if curve.suggested is not None:
        taken = st.button(
            _("Show {count} groups").format(count=curve.suggested),
            key="take-suggested",
            disabled=curve.suggested == shown,
            on_click=change_view,
            kwargs={"n_clusters": curve.suggested},
        )
        close_after(taken)
    st.plotly_chart(
        stability_line(curve, shown=shown, theme=figure_theme()),
        key="stability",
        theme=None,
        config={"displayModeBar": False},
        alt=_("How stable each number of groups is; the table below has the numbers."),
    )
    st.dataframe(
        pd.DataFrame(
            {
                _("Groups"): list(map(str, curve.n_clusters)),
                _("Stability"): [number(value, 2) for value in curve.stability],
            }
        ),
        hide_index=True,
        height=180,
        alt=_("How stable each number of groups is"),
    )


def _in_words(curve: StabilityCurve) -> str:
    told = _(
        "How reliably the groups come back when a fifth of the passages is left "
        "out, over and over: 1 is always, 0 is by chance."
    )
    if curve.suggested is None:
        return told + " " + _("No number of groups is stable here.")
    return (
        told
        + " "
        + _("The largest number of groups that is about as stable as the best is {count}.").format(
            count=curve.suggested
        )
        + " "
        + _(
            "This is not a recommendation: on labelled questions, the automatic "
            "number is closer to the groups that people made."
        )
    )


def _curve(found: Answer) -> StabilityCurve:
    """Return the curve, computed once for as long as the tree is the same."""
    grounds = found.subtopics.grounds
    known = st.session_state.get(state.STABILITY_CURVE)
    if known is None or known[0] is not grounds:
        known = (grounds, stability_curve(grounds, max_k=MAX_GROUPS))
        st.session_state[state.STABILITY_CURVE] = known
    curve: StabilityCurve = known[1]
    return curve


def draw_within(view: View) -> None:
    """Draw within which theme is searched, with the ways out."""
    if not view.theme:
        return
    key, number = view.theme.split("-")
    themes = kept_themes(Settings.from_environment(), key)
    name = themes.names.get(int(number), "") if themes else ""
    size = themes.sizes().get(int(number), 0) if themes else 0
    with st.container(horizontal=True, vertical_alignment="center", key="within", gap="small"):
        said = _("Only within the theme **{name}**").format(name=plain(name))
        st.markdown(f"{said} ({n_passages(size)})", width="content")
        st.button(
            _("Search the whole library"),
            key="within-leave",
            type="tertiary",
            on_click=change_view,
            kwargs={"theme": ""},
        )
        st.button(
            _("Back to the themes"),
            key="within-back",
            type="tertiary",
            on_click=_back,
            args=(view.library, key, int(number)),
        )


def search_within(library: str, theme: str, query: str) -> None:
    """Ask a question of a theme's texts alone; for callbacks."""
    explore("question")
    change_view(library=library, query=query, theme=theme, hits=None, trail=(), n_clusters="auto")


def _back(library: str, key: str, theme: int) -> None:
    explore("collection")
    look_at(library=library, key=key, theme=theme)


def draw_trail(view: View) -> None:
    """Draw where the visitor has dug in; each place but the last leads back."""
    if not view.trail:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="trail", gap="small"):
        st.caption(_("You are here:"), width="content")
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
            st.caption("›", width="content")
        st.markdown(f"**{plain(places[-1])}**", width="content")
