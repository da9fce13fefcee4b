"""The question of a comparison, how each column groups the hits, and the columns' maps."""

import html
from collections.abc import Callable, Sequence

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.comparison import LETTERS, MAX_COLUMNS, MIN_COLUMNS, Column, Comparison
from subclust.core.records import MAX_QUESTION, OTHER_PASSAGES, QUERY_CONTEXTS, Subtopic
from subclust.core.settings import Settings
from subclust.figures.palette import group_style
from subclust.figures.scatter import marked_style, subtopic_scatter
from subclust.methods import METHODS
from subclust.ui import state
from subclust.ui.compare.panels import column_title
from subclust.ui.compare.view import (
    SELECTIONS,
    CompareView,
    add_column,
    change_column,
    change_view,
    mark,
    remove_column,
)
from subclust.ui.components.address import MAX_GROUPS
from subclust.ui.components.browser import draw_style, figure_theme, map_config
from subclust.ui.components.resources import default_method, library_label, library_names
from subclust.ui.components.session import selected_marks, show_in_widget
from subclust.ui.components.view import TOP_K
from subclust.ui.components.words import (
    CONTEXTS,
    cut_words,
    headline,
    method_label,
    n_passages,
    plain,
    with_current,
)
from subclust.ui.i18n.language import _

_GROUPS = ["auto", *range(2, MAX_GROUPS + 1)]


def draw_question(view: CompareView, settings: Settings) -> None:
    """Draw what finds the hits that all columns share."""
    show_in_widget(state.COMPARE_QUERY, view.query)
    show_in_widget(state.COMPARE_LIBRARY, view.library)
    with st.container(horizontal=True, vertical_alignment="center", key="compare-question"):
        st.text_input(
            _("What are you looking for?"),
            key=state.COMPARE_QUERY,
            placeholder=_("A question or a few words"),
            on_change=_ask,
            autocomplete="off",
            label_visibility="collapsed",
        )
        st.selectbox(
            _("Library"),
            with_current(library_names(settings), view.library),
            key=state.COMPARE_LIBRARY,
            format_func=library_label,
            on_change=lambda: change_view(library=st.session_state[state.COMPARE_LIBRARY]),
            label_visibility="collapsed",
            width=180,
        )
        st.button(_("Search"), key="compare-search", type="primary", on_click=_ask)
        st.button(
            _("Columns"),
            key="columns-open",
            icon=":material/tune:",
            on_click=_open_or_close,
            help=_("Chooses how each column groups the passages."),
        )
    if told := cut_words(view.query):
        st.caption(told)


def _ask() -> None:
    change_view(query=st.session_state[state.COMPARE_QUERY])


def _open_or_close() -> None:
    st.session_state[state.COLUMNS_OPEN] = not st.session_state.get(state.COLUMNS_OPEN, False)


def draw_columns(view: CompareView, settings: Settings) -> None:
    """Draw how each column groups the passages, side by side; hidden until it is asked for."""
    is_open = st.session_state.get(state.COLUMNS_OPEN, False)
    # The style sheet hides the closed state. Not drawing the widgets would lose their values.
    with st.container(key="columns-shown" if is_open else "columns-closed"):
        _draw_controls(view, settings)


def _draw_controls(view: CompareView, settings: Settings) -> None:
    default = default_method(settings)
    store = CheckpointStore.of(settings)
    with st.container(key="compare-columns"):
        for place, (drawn, column) in enumerate(
            zip(st.columns(len(view.columns)), view.columns, strict=True)
        ):
            with drawn, st.container(border=True, key=f"column-{LETTERS[place]}"):
                _draw_column(place, column, view, default, store)
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-more"):
        show_in_widget(state.COMPARE_TOP_K, view.top_k)
        st.selectbox(
            _("At most"),
            TOP_K,
            key=state.COMPARE_TOP_K,
            format_func=n_passages,
            on_change=lambda: change_view(top_k=st.session_state[state.COMPARE_TOP_K]),
            help=_("How many of the best hits are grouped."),
            width=170,
        )
        if len(view.columns) < MAX_COLUMNS:
            st.button(_("Add a column"), key="add-column", on_click=add_column)


def _draw_column(
    place: int, column: Column, view: CompareView, default: str | None, store: CheckpointStore
) -> None:
    letter = LETTERS[place]
    with st.container(horizontal=True, vertical_alignment="center", key=f"head-{letter}"):
        st.subheader(_("Column {letter}").format(letter=letter), anchor=False)
        if len(view.columns) > MIN_COLUMNS:
            st.button(
                _("Remove {letter}").format(letter=letter),
                key=f"remove-{letter}",
                on_click=remove_column,
                args=(place,),
                type="tertiary",
            )
    offered = [card.name for card in METHODS.values() if not card.comparison]
    _choice(place, "method", _("Method"), ["default", *offered], column.method, _labels(default))
    method = default if column.method == "default" else column.method
    if method in METHODS and METHODS[method].needs_checkpoint:
        models = ["", *store.names(method)]
        in_use = _("the one in use")
        _choice(
            place, "checkpoint", _("Model"), models, column.checkpoint or "", lambda m: m or in_use
        )
    automatic = _("automatic")
    _choice(
        place,
        "n_clusters",
        _("Number of groups"),
        _GROUPS,
        column.n_clusters,
        lambda n: automatic if n == "auto" else str(n),
    )
    if method in METHODS and METHODS[method].query_specific:
        _choice(
            place,
            "context",
            _("Groups follow"),
            list(QUERY_CONTEXTS),
            column.context,
            lambda context: _(CONTEXTS[context]),
        )
        _draw_words(place, column)


def _draw_words(place: int, column: Column) -> None:
    """Draw what a method that looks at the question can be told instead of it."""
    letter = LETTERS[place]
    if column.context == "description":
        show_in_widget(f"description-{letter}", column.description)
        st.text_area(
            _("Your question in more words"),
            key=f"description-{letter}",
            on_change=_take(place, "description", f"description-{letter}"),
            height=90,
            max_chars=MAX_QUESTION,
        )
    show_in_widget(f"query-{letter}", column.query)
    st.text_input(
        _("Group under another question"),
        key=f"query-{letter}",
        placeholder=_("the one above"),
        on_change=_take(place, "query", f"query-{letter}"),
        help=_("The passages stay those of the question above; only their groups follow this one."),
        autocomplete="off",
        max_chars=MAX_QUESTION,
    )


def _choice(
    place: int,
    field: str,
    label: str,
    options: list[object] | list[str],
    now: object,
    words: Callable[[object], str] | Callable[[str], str],
) -> None:
    key = f"{field}-{LETTERS[place]}"
    show_in_widget(key, now)
    st.selectbox(
        label,
        options if now in options else [*options, now],
        key=key,
        format_func=words,
        on_change=_take(place, field, key),
    )


def _take(place: int, field: str, key: str) -> Callable[[], None]:
    """Make a callback that carries a widget's value into the column."""
    # An emptied field hands over None or "". Only a checkpoint may be None, for the one in use.
    return lambda: change_column(place, **{field: st.session_state[key] or _EMPTY.get(field, "")})


_EMPTY: dict[str, str | None] = {"checkpoint": None}


def _labels(default: str | None) -> Callable[[str], str]:
    return lambda name: method_label(name, default)


def draw_maps(view: CompareView, found: Comparison) -> None:
    """Draw each column's heading, map and groups."""
    with st.container(key="compare-maps"):
        for place, drawn in enumerate(st.columns(len(found.maps), gap="medium")):
            with drawn:
                _draw_map(place, view, found)
    note = _(
        "Groups that hold mostly the same passages have the same colour and symbol. All maps "
        "are turned to match the first. What you choose on one map, or by a group's name, is "
        "marked on all."
    )
    st.caption(note)


def draw_map_style(view: CompareView, found: Comparison) -> None:
    """Put its symbol before each group's name, as on the maps, and highlight what is marked."""
    theme = figure_theme()
    rules = []
    for group in sorted({group.id for one in found.maps for group in one.subtopics}):
        style = group_style(group, theme)
        keys = [f".st-key-{_group_key(place, group)}" for place in range(len(found.maps))]
        rules.append(
            # The empty text after the slash is what screen readers say for the symbol.
            f"{', '.join(f'{key} button::before' for key in keys)} "
            f"{{ content: '{style.glyph}' / ''; color: {style.outline} }}"
        )
    marked = set(view.marked)
    rules += [
        marked_style(one, marked, f"[class*='st-key-map-{LETTERS[place]}-']", theme)
        for place, one in enumerate(found.maps)
    ]
    draw_style("\n".join(rules))


def _group_key(place: int, group: int) -> str:
    """Name the button of a column's group for the style sheet and for tests."""
    return f"of-{LETTERS[place]}-{'other' if group == OTHER_PASSAGES else group}"


def _draw_map(place: int, view: CompareView, found: Comparison) -> None:
    one = found.maps[place]
    title = column_title(found, place)
    st.html(
        f"<h3 class='sc-column'><b>{LETTERS[place]}</b> {html.escape(title)}</h3>"
        f"<p class='sc-note'>{headline(one)}</p>"
    )
    key = SELECTIONS.key(f"map-{LETTERS[place]}")
    st.plotly_chart(
        # Whoever is marked, the figure stays: to draw it again takes a browser much longer.
        subtopic_scatter(one, theme=figure_theme(), height=360, n_labels=0),
        key=key,
        theme=None,
        on_select=lambda: mark(selected_marks(key)),  # a click beside the marks clears them
        config=map_config(),
        alt=_("Map of column {letter}: {groups}. The buttons below mark each group.").format(
            letter=LETTERS[place], groups=", ".join(group.name for group in one.subtopics)
        ),
    )
    with st.container(key=f"groups-{LETTERS[place]}", gap=None):
        for group in one.subtopics:
            _draw_group(place, group, view.marked)


def _draw_group(place: int, group: Subtopic, marked: Sequence[str]) -> None:
    ids = [member.passage.id for member in group.passages]
    again = set(ids) == set(marked)
    st.button(
        f"{plain(group.name)} · {group.size}",
        key=_group_key(place, group.id),
        type="tertiary",
        on_click=lambda: mark([] if again else ids, anew=True),
    )
