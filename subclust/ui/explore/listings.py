"""The tabs beside the map."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from subclust.ui import state
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.components.view import View
from subclust.ui.components.words import LISTINGS
from subclust.ui.i18n.language import _


def draw_listings(view: View) -> Sequence[AbstractContextManager[object]]:
    """Draw one tab a listing, in the order of `LISTINGS`, the view's open."""
    labels = {name: _(label) for name, label in LISTINGS.items()}
    names = {label: name for name, label in labels.items()}
    show_in_widget(state.LISTING, labels[view.listing])
    return st.tabs(
        list(names),
        key=state.LISTING,
        on_change=lambda: change_view(listing=names.get(st.session_state[state.LISTING])),
    )
