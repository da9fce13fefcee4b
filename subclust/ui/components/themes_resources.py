"""The texts and the themes that visitors share, read once."""

from typing import Any

import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.core.settings import Settings
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import stamp
from subclust.themes import KeptThemes, ThemeStore
from subclust.themes.texts import ChosenTexts, choose_texts


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
    return _kept(str(settings.themes_dir), key, _named_by(found), found)


def themes_map(settings: Settings, themes: KeptThemes) -> SubtopicMap:
    """Give themes with their texts.

    Raises
    ------
    SubclustError
        If one of the texts is no longer in the library.
    """
    return _map(str(settings.library_dir), themes.key, _named_by(themes), settings, themes)


def _named_by(themes: KeptThemes) -> str:
    return str(themes.told.get("names", ""))


# Keyed on names and versions; the arguments with an underscore are not looked at.


@st.cache_resource(max_entries=2, show_spinner=False)
def _texts(
    folder: str, written: str, filters: tuple[str, ...], _library: PassageLibrary
) -> ChosenTexts:
    return choose_texts(_library, filters)


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept(folder: str, key: str, named_by: str, _found: KeptThemes) -> KeptThemes:
    return _found


@st.cache_resource(max_entries=3, show_spinner=False)
def _map(folder: str, key: str, named_by: str, _settings: Any, _themes: KeptThemes) -> SubtopicMap:
    found = PassageLibrary.open(_settings.library_dir, _themes.request.library)
    return _themes.as_map(found.get(_themes.ids).passages)
