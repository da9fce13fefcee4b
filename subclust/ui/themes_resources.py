"""The texts and the themes that visitors share, read once."""

from typing import Any

import streamlit as st

from subclust.library import FoundPassages, PassageLibrary
from subclust.records import SubtopicMap
from subclust.settings import Settings
from subclust.themes import KeptThemes, ThemeStore


def texts_of(settings: Settings, library: str) -> FoundPassages:
    """Read all texts of a library, in the order of their ids.

    Raises
    ------
    SubclustError
        If there is no such library, or it is damaged.
    """
    opened = PassageLibrary.open(settings.library_dir, library)
    return _texts(str(settings.library_dir), library, opened.revision(), opened)


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
def _texts(folder: str, library: str, revision: str, _library: PassageLibrary) -> FoundPassages:
    return _library.passages()


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept(folder: str, key: str, named_by: str, _found: KeptThemes) -> KeptThemes:
    return _found


@st.cache_resource(max_entries=3, show_spinner=False)
def _map(folder: str, key: str, named_by: str, _settings: Any, _themes: KeptThemes) -> SubtopicMap:
    found = PassageLibrary.open(_settings.library_dir, _themes.request.library)
    return _themes.as_map(found.get(_themes.ids).passages)
