"""The view of this visitor, kept equal to the address, and what is selected in charts."""

from typing import Any

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.sessions import SessionStore
from subclust.ui import state
from subclust.ui.components.address import address_values, fill_address
from subclust.ui.components.resources import usual_library
from subclust.ui.components.view import View
from subclust.ui.i18n.language import PARAMETER, language_params


class Selections:
    """The charts and tables of one page in which marks or rows can be chosen.

    The browser alone can drop what was chosen in a chart, by drawing another in its place. That
    is slow with hundreds of marks, so it is done only where something was chosen.

    Parameters
    ----------
    page : str
        Keeps the pages apart.
    """

    def __init__(self, page: str) -> None:
        self._epoch = state.SELECTIONS_EPOCH + page
        self._drawn = state.SELECTIONS_DRAWN + page

    def key(self, name: str) -> str:
        """Return the key of the chart or table of that name; another once it is to start anew."""
        key = f"{name}-{st.session_state.get(self._epoch, 0)}"
        st.session_state.setdefault(self._drawn, set()).add(key)
        return key

    def forget(self) -> None:
        """Make the charts and tables start anew, if something is chosen in one of them."""
        drawn: set[str] = st.session_state.setdefault(self._drawn, set())
        if any(_chosen(key) for key in drawn):
            st.session_state[self._epoch] = st.session_state.get(self._epoch, 0) + 1
            drawn.clear()


def selected_marks(key: str) -> list[str]:
    """Return the ids of the marks that are selected in a chart, never their positions."""
    points = st.session_state[key].selection.points
    return [str(point["customdata"][0]) for point in points if point.get("customdata")]


def _chosen(key: str) -> bool:
    """Return whether marks, rows, or an area without any are chosen in a chart or table."""
    chart = st.session_state.get(key) or {}
    return any(chart.get("selection", {}).values())


SELECTIONS = Selections("explore")
"""What can be chosen in the map, the table and the list of what moved."""


def current_view() -> View:
    """Return the visitor's view, once a run of the page.

    The address decides at the first visit and whenever the visitor changes it (a link, the back
    button). An empty one, as after coming back from another page, changes nothing; nor does one
    that comes with a change made on the page, since a quick visitor's browser may still send the
    address of before.
    """
    address = _address()
    changed_here = st.session_state.pop(state.VIEW_CHANGED, False)
    known = state.VIEW in st.session_state
    changed_there = bool(address) and address != st.session_state.get(state.WRITTEN_ADDRESS)
    if not known or (changed_there and not changed_here):
        st.session_state[state.VIEW] = _view_of(address)
        SELECTIONS.forget()
    elif not address:  # nobody asked for a library that has been deleted since
        shown: View = st.session_state[state.VIEW]
        st.session_state[state.VIEW] = shown.changed(library=usual_library(shown.library))
    view: View = st.session_state[state.VIEW]
    return view


def change_view(**changes: Any) -> None:
    """Change the view; for callbacks, which run before the page is drawn again."""
    st.session_state[state.VIEW] = known_view().changed(**changes)
    st.session_state[state.VIEW_CHANGED] = True


def go_to(view: View) -> None:
    """Show another view; for callbacks, as `change_view`."""
    st.session_state[state.VIEW] = view
    st.session_state[state.VIEW_CHANGED] = True
    SELECTIONS.forget()


def write_address(view: View) -> None:
    """Make the address of the page a permanent link to the view."""
    params = view.to_params()
    written = {
        name: value if isinstance(value, list) else [value] for name, value in params.items()
    }
    # An empty address is filled in by the browser, which adds no step to its history.
    arrived_empty = not st.query_params
    fill_address(params | language_params() if arrived_empty else {})
    if not arrived_empty and _address() != written:
        st.query_params.from_dict(params | language_params())
    st.session_state[state.WRITTEN_ADDRESS] = written


def link_params(**changes: Any) -> dict[str, str | list[str]]:
    """Return the parameters of a link to the view with changes.

    With all of them the page that opens need not write its address anew, which would be one more
    step for the back button.
    """
    view: View = st.session_state.get(state.VIEW) or _view_of({})
    return view.changed(**changes).to_params() | language_params()


def show_in_widget(key: str, value: object) -> None:
    """Make a widget that is about to be drawn show a value of the view."""
    # Any value that code sets is sent to the browser, even an equal one, and would overwrite what
    # the visitor is typing.
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def mark_group(group: int | None) -> None:
    """Mark a group, or none; marking it again unmarks it."""
    again = known_view().group == group
    change_view(group=None if again else group, passages=())
    SELECTIONS.forget()


def mark_passages(ids: list[str]) -> None:
    """Mark passages by hand."""
    # An empty selection unmarks nothing, but still counts as a change made on the page: the address
    # that comes with it may be an old one.
    change_view(**({"passages": tuple(dict.fromkeys(ids)), "group": None} if ids else {}))


def unmark() -> None:
    """Mark nothing."""
    change_view(group=None, passages=())
    SELECTIONS.forget()


def begin_to_correct() -> None:
    """Open the tools that correct groups; for callbacks."""
    st.session_state[state.CORRECTING] = True


def end_correcting() -> None:
    """Close the tools that correct groups; for callbacks."""
    st.session_state[state.CORRECTING] = False


def known_view() -> View:
    """Return the visitor's view in callbacks, which run before the page is drawn again."""
    view: View = st.session_state.get(state.VIEW) or _view_of(_address())
    return view


def _view_of(address: dict[str, list[str]]) -> View:
    """Read a view; an address without a library means one that is there."""
    view = View.from_params({"library": [usual_library()]} | address)
    return _as_saved(view) if view.session else view


def _as_saved(view: View) -> View:
    """Return a view of a session with its own question, where the address has another one."""
    try:
        _header, session = SessionStore(Settings.from_environment().sessions_dir).load(view.session)
    except SubclustError:  # which is told in the place of the answer
        return view
    own = View.from_params(session.address)
    if (own.query, own.hits, own.library) == (view.query, view.hits, view.library):
        return view
    return own.changed(session=view.session, corrections="")


def _address() -> dict[str, list[str]]:
    return {name: values for name, values in address_values().items() if name != PARAMETER}


def note_press(key: str) -> None:
    """Note that a button was pressed; the callback of one that acts on what is chosen beside it.

    The arguments of a callback are those of the last time that the button was drawn: what a quick
    visitor has chosen a moment before would not be among them. `was_pressed` is asked after
    everything is read.
    """
    st.session_state[f"{key}-pressed"] = True


def was_pressed(key: str) -> bool:
    """Return, once, whether a press of a button was noted."""
    return st.session_state.pop(f"{key}-pressed", False) is True
