"""The tabs beside the map."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from subclust.ui.session import change_view, show_in_widget
from subclust.ui.view import View
from subclust.ui.words import LISTINGS

_KEY = "listing"
_NAMES = {label: name for name, label in LISTINGS.items()}


def draw_listings(view: View) -> Sequence[AbstractContextManager[object]]:
    """Draw one tab a listing, in the order of `LISTINGS`, the view's open."""
    show_in_widget(_KEY, LISTINGS[view.listing])
    return st.tabs(
        list(LISTINGS.values()),
        key=_KEY,
        on_change=lambda: change_view(listing=_NAMES[st.session_state[_KEY]]),
    )
