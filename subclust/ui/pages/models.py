"""Models: where each trained model comes from, which is in use, and rolling back."""

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.data_folder import draw_recently_deleted
from subclust.ui.components.resources import default_method
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _
from subclust.ui.models.card import draw_card, draw_comparison, draw_heading, draw_history
from subclust.ui.models.list import (
    draw_actions,
    draw_in_use,
    draw_methods,
    draw_models,
    draw_next,
    draw_upload,
)
from subclust.ui.models.use import draw_said

st.title(_("Models"), anchor=False)

try:
    settings = Settings.from_environment()
    store = CheckpointStore.of(settings)
    default = default_method(settings)
    in_use = st.container()
    st.header(_("All models"), anchor=False)
    method = draw_methods(store, default)
    with in_use:
        draw_said()
        if store.names(method):
            draw_in_use(store, method, store.promoted(method), default=method == default)
        draw_next(store, method)
    left, right = st.columns([4, 7], gap="large")
    with left:
        shown = draw_models(store, method)
        draw_upload(store)
        draw_recently_deleted(settings, "model", f"{method}/")
    if shown is not None:
        with right:
            draw_heading(shown)
            draw_actions(store, settings, shown)
            about, compare, history = st.tabs([_("About"), _("Compare"), _("History")])
            with about:
                draw_card(store, shown)
            with compare:
                draw_comparison(store, shown)
            with history:
                draw_history(store, method)
except SubclustError as error:
    st.warning(plain(error_words(error)))
