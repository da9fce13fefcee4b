"""Explore, of a whole collection: ask for its themes, wait for them, look at them."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.error_words import error_words
from subclust.ui.components.themes_resources import kept_themes, themes_map
from subclust.ui.components.themes_state import current
from subclust.ui.explore.why_style import draw_why_style
from subclust.ui.i18n.language import _
from subclust.ui.themes.ask import draw_ask
from subclust.ui.themes.job import draw_job
from subclust.ui.themes.list import draw_found
from subclust.ui.themes.map import draw_themes_map


def draw_themes() -> None:
    """Draw the page of themes; what cannot be done is said in one sentence."""
    draw_why_style()
    st.html(f"<h1 class='sc-hidden'>{_('The themes of a whole collection')}</h1>")
    try:
        settings = Settings.from_environment()
        shown = current()
        draw_ask(settings, shown)
        if not shown.key:
            return
        themes = kept_themes(settings, shown.key)
        if themes is None:
            draw_job(settings, shown)
            return
        groups = themes_map(settings, themes)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    left, right = st.columns([5, 7], gap="large")
    with left:
        draw_found(shown, themes, groups)
    with right, st.container(key="map-panel"):
        st.html(f"<h2 class='sc-hidden' id='map'>{_('Map')}</h2>")
        draw_themes_map(shown, groups)
