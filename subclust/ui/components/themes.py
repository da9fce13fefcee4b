"""Themes of a whole collection: the way to them, what is shown of them, their texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st

from subclust.core.exceptions import InputError
from subclust.core.records import SubtopicMap
from subclust.core.settings import Settings
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import stamp
from subclust.themes import KeptThemes, ThemeStore
from subclust.themes.texts import ChosenTexts, choose_texts
from subclust.ui import state
from subclust.ui.components.address import address_values, whole_number
from subclust.ui.components.resources import usual_library
from subclust.ui.components.session import change_view, known_view
from subclust.ui.components.view import View
from subclust.ui.i18n.language import PARAMETER, _, language_params

Mode = Literal["question", "collection"]

WHOLE = "whole"
"""Parameter of the address that names the library whose themes are shown."""


def explored() -> Mode:
    """Return what is explored: as the address asks, or as was chosen here."""
    mode: Mode = st.session_state.get(state.EXPLORE_MODE_SHOWN, "question")
    if not st.session_state.pop(state.EXPLORE_MODE_CHANGED, False):
        if WHOLE in st.query_params:
            mode = "collection"
        elif "q" in st.query_params:
            mode = "question"
    st.session_state[state.EXPLORE_MODE_SHOWN] = mode
    return mode


def draw_to_collection() -> None:
    """Draw the way from a question to the themes of a whole collection."""
    st.button(
        _("Themes of a whole library"),
        key="explore-collection",
        on_click=explore,
        args=("collection",),
        help=_("Groups all passages of a library, without a question."),
    )


def draw_to_question() -> None:
    """Draw the way back from themes to a question."""
    st.button(
        _("Back to a question"),
        key="explore-question",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=explore,
        args=("question",),
    )


def explore(mode: Mode) -> None:
    """Go over to a question or to a whole collection; for callbacks."""
    st.session_state[state.EXPLORE_MODE_SHOWN] = mode
    st.session_state[state.EXPLORE_MODE_CHANGED] = True
    if mode == "question":
        for key in _WIDGETS:  # drawn anew, the browser is to be told their values
            st.session_state.pop(key, None)
        change_view()  # the address of before is not to decide what is asked


_WIDGETS = (
    state.QUERY, state.DESCRIPTION, state.LIBRARY, state.METHOD, state.CONTEXT, state.TOP_K,
    state.N_CLUSTERS, state.STRICTNESS, state.LISTING, state.LEVELS, state.PROJECTION, state.KEEP,
)  # fmt: skip
"""Of the page of a question, which are not drawn as long as themes are looked at."""


@dataclass(frozen=True)
class Shown:
    """What is looked at.

    Parameters
    ----------
    library : str
    key : str
        Of the themes, found or being found; empty before any were asked for.
    theme : int or None
        The one that is open.
    """

    library: str
    key: str = ""
    theme: int | None = None

    def to_params(self) -> dict[str, str]:
        """Write the parameters of the address."""
        params = {WHOLE: self.library}
        if self.key:
            params["themes"] = self.key
        if self.theme is not None:
            params["theme"] = str(self.theme)
        return params


def current() -> Shown:
    """Return what is looked at, once a run: the address decides where somebody has changed it."""
    # The language is no part of what is shown: changing it must not reset the page.
    here = {name: values[-1] for name, values in address_values().items() if name != PARAMETER}
    changed = st.session_state.pop(state.THEMES_CHANGED, False)
    known: Shown | None = st.session_state.get(state.THEMES_SHOWN)
    if known is None or (
        WHOLE in here and here != st.session_state.get(state.THEMES_WRITTEN) and not changed
    ):
        theme, key = here.get("theme", ""), here.get("themes", "")
        known = Shown(
            here.get(WHOLE) or known_view().library,
            key if re.fullmatch(r"[0-9a-f]{16}", key) else "",
            whole_number(theme, 0, 9999),
        )
    elif WHOLE not in here and (library := usual_library(known.library)) != known.library:
        known = Shown(library)  # nobody asked for a library that has been deleted since
    st.session_state[state.THEMES_SHOWN] = known
    written = known.to_params()
    if here != written:
        st.query_params.from_dict({**written, **language_params()})
    st.session_state[state.THEMES_WRITTEN] = written
    return known


def look_at(**changes: Any) -> None:
    """Look at something else; for callbacks."""
    known: Shown = st.session_state.get(state.THEMES_SHOWN) or Shown("")
    st.session_state[state.THEMES_SHOWN] = replace(known, **changes)
    st.session_state[state.THEMES_CHANGED] = True


def texts_of(settings: Settings, library: str, filters: tuple[str, ...]) -> ChosenTexts:
    """Read the texts of a library that meet all filters.

    Raises
    ------
    SubclustError
        If there is no such library, it is damaged, or a filter finds nothing.
    """
    opened = PassageLibrary.open(settings.library_dir, library)
    written = stamp(settings.library_dir, library)
    return _texts(str(settings.library_dir), written, filters, opened)


def kept_themes(settings: Settings, key: str) -> KeptThemes | None:
    """Read the themes of a key; None where they are not found yet."""
    found = ThemeStore(settings.themes_dir).find(key)
    if found is None:
        return None
    return _kept(str(settings.themes_dir), key, _state(found), found)


def themes_map(settings: Settings, themes: KeptThemes) -> SubtopicMap:
    """Return themes with their texts.

    Raises
    ------
    SubclustError
        If one of the texts is no longer in the library.
    """
    return _map(str(settings.library_dir), themes.key, _state(themes), settings, themes)


def _state(themes: KeptThemes) -> str:
    """Return what may change of themes of the same key: their names, and their map."""
    return f"{themes.told.get('names', '')} {themes.projection}"


# Keyed on names and versions; the arguments with an underscore are not looked at.


@st.cache_resource(max_entries=2, show_spinner=False)
def _texts(
    folder: str, written: str, filters: tuple[str, ...], _library: PassageLibrary
) -> ChosenTexts:
    return choose_texts(_library, filters)


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept(folder: str, key: str, state: str, _found: KeptThemes) -> KeptThemes:
    return _found


@st.cache_resource(max_entries=3, show_spinner=False)
def _map(folder: str, key: str, state: str, _settings: Any, _themes: KeptThemes) -> SubtopicMap:
    found = PassageLibrary.open(_settings.library_dir, _themes.request.library)
    return _themes.as_map(found.get(_themes.ids).passages)


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
        raise InputError(_("This theme no longer exists. Search the whole library instead."))
    return themes.ids_of(int(number))
