"""The view of this visitor, kept equal to the address of the page."""

from typing import Any

import streamlit as st

from subclust.ui.view import View

_VIEW = "view"
_WRITTEN = "written address"
_EPOCH = "selection epoch"


def current_view() -> View:
    """Give the visitor's view.

    The address decides at the first visit and whenever the visitor changes it (a link, the back
    button). An empty one, as after coming back from another page, changes nothing.
    """
    address = {name: st.query_params.get_all(name) for name in st.query_params}
    known = _VIEW in st.session_state
    if not known or (address and address != st.session_state.get(_WRITTEN)):
        st.session_state[_VIEW] = View.from_params(address)
        forget_selections()
    view: View = st.session_state[_VIEW]
    return view


def change_view(**changes: Any) -> None:
    """Change the view; for callbacks, which run before the page is drawn again."""
    st.session_state[_VIEW] = current_view().changed(**changes)


def write_address(view: View) -> None:
    """Make the address of the page a permanent link to the view."""
    params = view.to_params()
    written = {
        name: value if isinstance(value, list) else [value] for name, value in params.items()
    }
    if {name: st.query_params.get_all(name) for name in st.query_params} != written:
        st.query_params.from_dict(params)
    st.session_state[_WRITTEN] = written


def show_in_widget(key: str, value: object) -> None:
    """Make a widget that is about to be drawn show a value of the view."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def forget_selections() -> None:
    """Make charts and tables drop what was selected in them."""
    st.session_state[_EPOCH] = st.session_state.get(_EPOCH, 0) + 1


def selection_key(name: str) -> str:
    """Name a chart or table, so that it starts anew when selections were forgotten."""
    return f"{name}-{st.session_state.get(_EPOCH, 0)}"


def mark_group(group: int | None) -> None:
    """Mark a group, or none; marking it again unmarks it."""
    again = current_view().group == group
    change_view(group=None if again else group, passages=())
    forget_selections()


def mark_passages(ids: list[str]) -> None:
    """Mark passages by hand."""
    if ids:
        change_view(passages=tuple(dict.fromkeys(ids)), group=None)


def unmark() -> None:
    """Mark nothing."""
    change_view(group=None, passages=())
    forget_selections()
