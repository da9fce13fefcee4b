"""Themes: a whole collection of short texts, grouped without any question."""

from subclust.themes.find import find_themes, plan_themes
from subclust.themes.kept import KeptThemes, ThemeStore, themes_report
from subclust.themes.request import ThemesRequest

__all__ = [
    "KeptThemes",
    "ThemeStore",
    "ThemesRequest",
    "find_themes",
    "plan_themes",
    "themes_report",
]
