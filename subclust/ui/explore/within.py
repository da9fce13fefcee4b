"""Searching within a theme: where one is, and the way out."""

from collections.abc import Sequence

import streamlit as st

from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.ui.components.plain import plain
from subclust.ui.components.session import change_view
from subclust.ui.components.themes_resources import kept_themes
from subclust.ui.components.themes_state import look_at
from subclust.ui.components.themes_switch import explore
from subclust.ui.components.view import View
from subclust.ui.i18n.language import _, _n


def ids_within(view: View) -> Sequence[str] | None:
    """Return the ids of the texts that are searched; None for the whole library.

    Raises
    ------
    InputError
        If the theme is not there any more.
    """
    if not view.theme:
        return None
    key, number = view.theme.split("-")
    themes = kept_themes(Settings.from_environment(), key)
    if themes is None or int(number) not in themes.names:
        raise InputError(
            _("The theme of this address is not there any more; search the whole library instead.")
        )
    return themes.ids_of(int(number))


def draw_within(view: View) -> None:
    """Say within which theme is searched, with the ways out."""
    if not view.theme:
        return
    key, number = view.theme.split("-")
    themes = kept_themes(Settings.from_environment(), key)
    name = themes.names.get(int(number), "") if themes else ""
    size = themes.sizes().get(int(number), 0) if themes else 0
    with st.container(horizontal=True, vertical_alignment="center", key="within", gap="small"):
        said = _("Only within the theme **{name}**").format(name=plain(name))
        st.markdown(f"{said} ({_n('{count} text', '{count} texts', size)})", width="content")
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
