"""What a visitor compares, to and from the page's address."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote

import streamlit as st

from subclust.comparison import LETTERS, MAX_COLUMNS, MIN_COLUMNS, Column
from subclust.core.records import MAX_QUESTION
from subclust.ui import state
from subclust.ui.components.address import (
    address_values,
    changed_on,
    read_column,
    repair,
    to_show,
    write_address,
    write_column,
)
from subclust.ui.components.resources import usual_library
from subclust.ui.components.session import Selections
from subclust.ui.components.view import TOP_K, View, hit_count
from subclust.ui.components.words import EXAMPLES

PAGE = "compare"

NAMES = ("q", "library", "top", *LETTERS.lower(), "between", "marked")
"""Parameters of the address: a letter a column."""


SELECTIONS = Selections("compare")
"""What can be chosen in the maps and tables of a comparison."""


@dataclass(frozen=True)
class CompareView:
    """Everything that decides what the Compare page shows; an address carries all of it.

    Parameters
    ----------
    query : str
        Finds the hits that all columns share.
    library : str
    top_k : int
        At most so many hits, one of `TOP_K`.
    columns : tuple of Column
        Two to four.
    between : tuple of int and int
        The two columns whose differences are listed.
    marked : tuple of str
        Ids of the passages that are marked on all maps.
    """

    query: str = EXAMPLES[0]
    library: str = "demo"
    top_k: int = View.top_k
    columns: tuple[Column, ...] = field(
        default_factory=lambda: (Column(), Column(method="centred-cosine"))
    )
    between: tuple[int, int] = (0, 1)
    marked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Put defaults in place of what a view cannot hold, and cut a question that is too long."""
        repair(self, _ACCEPTED)
        object.__setattr__(self, "query", self.query[:MAX_QUESTION])

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> "CompareView":
        """Read a view from an address; what cannot be read keeps its default."""
        written = [params.get(letter, "") for letter in LETTERS.lower()]
        columns = tuple(read_column(text) for text in written if text)
        view = cls(
            query=params.get("q", cls.query),
            library=params.get("library", ""),
            top_k=hit_count(params.get("top", "")),
            marked=tuple(unquote(one) for one in params.get("marked", "").split(",") if one),
        )
        # A comparison needs two, so an address with a single column borrows the usual second one.
        if len(columns) == 1:
            columns = (*columns, view.columns[1])
        view = replace(view, columns=columns or view.columns)
        return replace(view, between=_between(params.get("between", ""), len(view.columns)))

    def to_params(self) -> dict[str, str]:
        """Write the parameters of this view's address; what is default is left empty."""
        columns = dict(zip(LETTERS.lower(), map(write_column, self.columns), strict=False))
        if self.columns == CompareView().columns:
            columns = {}
        first, second = self.between
        return {
            "q": self.query,
            "library": self.library if self.library != CompareView.library else "",
            "top": str(self.top_k) if self.top_k != CompareView.top_k else "",
            **{letter: columns.get(letter, "") for letter in LETTERS.lower()},
            "between": f"{LETTERS[first]}{LETTERS[second]}".lower()
            if (first, second) != (0, 1)
            else "",
            "marked": ",".join(quote(one, safe="") for one in self.marked),
        }

    def taking_over(self, explored: View) -> "CompareView":
        """Return this view with Explore's question, hits and, as the first column, groups.

        Where kept hits are divided by something else there, that is the second column.
        """
        asked = explored.first()
        first = replace(
            self.columns[0],
            method=explored.method,
            checkpoint=None,
            n_clusters=explored.n_clusters,
            context=asked.context,
            description=asked.description,
        )
        columns = (first, *self.columns[1:])
        if explored.regroups():
            divided = replace(
                first,
                context=explored.context,
                description=explored.description,
                query=explored.query,
                way=explored.way,
            )
            columns = (first, divided, *self.columns[2:])
        return replace(
            self,
            query=explored.searched().text,
            library=explored.library,
            top_k=explored.top_k,
            columns=columns,
            marked=(),
        )

    def grouping(self) -> tuple[str, str, int, tuple[Column, ...]]:
        """Name everything that decides the groups."""
        return self.library, self.query.strip(), self.top_k, self.columns


_ACCEPTED: dict[str, Callable[[Any], bool]] = {
    "query": lambda value: isinstance(value, str),
    "library": lambda value: isinstance(value, str) and bool(value),
    "top_k": lambda value: value in TOP_K,
    "columns": lambda value: isinstance(value, tuple) and bool(value),
    "between": lambda value: isinstance(value, tuple) and len(value) == 2,
    "marked": lambda value: isinstance(value, tuple),
}
"""Of each field of a view, what it may hold."""


def current_view() -> CompareView:
    """Return the visitor's view, once a run of the page.

    The address decides where it changed; without one, a question that was asked on Explore since
    is taken over, with its library, method and number of groups.
    """
    known: CompareView | None = st.session_state.get(state.COMPARE_VIEW)
    now = known.to_params() | {"library": known.library} if known else None
    shown = to_show(PAGE, NAMES, now)
    if shown != now and "q" not in address_values():
        shown["q"] = CompareView.query
    view = CompareView.from_params(shown | {"library": shown["library"] or usual_library()})
    asked = any(address_values().get(name) for name in NAMES)
    explored = st.session_state.get(state.VIEW)
    if explored is not None and not asked:
        taken = st.session_state.get(state.COMPARE_EXPLORED)
        if taken is None or taken.grouping() != explored.grouping():
            view = view.taking_over(explored)
        st.session_state[state.COMPARE_EXPLORED] = explored
    if not asked:  # for a library, which may have been deleted since
        view = replace(view, library=usual_library(view.library))
    if known is not None and view != known:
        SELECTIONS.forget()
    st.session_state[state.COMPARE_VIEW] = view
    write_address(PAGE, view.to_params())
    return view


def change_view(**changes: Any) -> None:
    """Change the view; for callbacks. Another question or library drops the marks."""
    known: CompareView = st.session_state[state.COMPARE_VIEW]
    # What a widget that was not drawn before hands over changes nothing.
    view = replace(known, **{name: one for name, one in changes.items() if _ACCEPTED[name](one)})
    if (view.query, view.library) != (known.query, known.library):
        view = replace(view, marked=())
        SELECTIONS.forget()
    st.session_state[state.COMPARE_VIEW] = view
    changed_on(PAGE)


def change_column(place: int, **changes: Any) -> None:
    """Change one column; another method takes its own model, own words their own way."""
    view: CompareView = st.session_state[state.COMPARE_VIEW]
    if "method" in changes:
        changes = {"checkpoint": None} | changes
    if "query" in changes:
        changes = {"way": ""} | changes
    columns = list(view.columns)
    columns[place] = replace(columns[place], **changes)
    change_view(columns=tuple(columns))


def add_column() -> None:
    """Add a column like the last one, to be changed."""
    view: CompareView = st.session_state[state.COMPARE_VIEW]
    if len(view.columns) < MAX_COLUMNS:
        change_view(columns=(*view.columns, view.columns[-1]))


def remove_column(place: int) -> None:
    """Remove a column; those after it move up."""
    view: CompareView = st.session_state[state.COMPARE_VIEW]
    if len(view.columns) > MIN_COLUMNS:
        kept = (*view.columns[:place], *view.columns[place + 1 :])
        # The columns after it move up, so the old pair could name a column that no longer exists.
        change_view(columns=kept, between=(0, 1))


def mark(ids: list[str], *, anew: bool = False) -> None:
    """Mark passages on all maps; `anew` makes charts and tables drop what was selected in them."""
    change_view(marked=tuple(dict.fromkeys(ids)))
    if anew:
        SELECTIONS.forget()


def _between(text: str, n_columns: int) -> tuple[int, int]:
    places = [LETTERS.lower().find(letter) for letter in text]
    if len(places) == 2 and 0 <= places[0] < places[1] < n_columns:
        return places[0], places[1]
    return 0, 1
