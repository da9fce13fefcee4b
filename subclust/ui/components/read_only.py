"""Pages of an app that is served read-only: controls that change something are not drawn."""

import html
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from subclust.core.storage.disk import may_change
from subclust.ui.i18n.language import _

Given = ParamSpec("Given")


def changes(draw: Callable[Given, None]) -> Callable[Given, None]:
    """Have a function that draws controls which change something draw nothing where none may."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> None:
        if may_change():
            draw(*given, **named)

    return drawn


def draw_read_only(told: str = "") -> None:
    """Say, where nothing may be changed, why there is no control here.

    Parameters
    ----------
    told : str
        By default that nothing can be changed.
    """
    if not may_change():
        told = told or _("Nothing can be changed here: this server only shows what there is.")
        st.html(f"<p class='sc-note'>{html.escape(told)}</p>")
