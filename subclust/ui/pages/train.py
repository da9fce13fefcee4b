"""Train: from a labelled set to a model, and whether it groups better than the one in use."""

import streamlit as st

from subclust.core.access import may_change
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.labelled.sets import LabelledSetStore, set_reference
from subclust.ui.components.data_folder import draw_read_only
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _
from subclust.ui.train.check import draw_check, draw_columns
from subclust.ui.train.choose import draw_choice, draw_decided, draw_split, in_words
from subclust.ui.train.runs import draw_runs
from subclust.ui.train.sets import chosen_words, draw_set
from subclust.ui.train.start import draw_estimate, draw_start
from subclust.ui.train.walk import draw_switch, keep_in_address, restart, steps_html, walk

st.title(_("Train"), anchor=False)

try:
    settings = Settings.from_environment()
    shown = draw_switch()
    here = walk()
    if here.step == 0 and shown == "new":
        lead = _(
            "Show Subclust how you would group passages, and it learns from your examples. "
            "Training runs in the background, and you can close this page. At the end you "
            "see whether the new model does better than the one in use on questions that neither "
            "has seen, and you decide."
        )
        st.markdown(lead)
    if shown == "runs":
        draw_runs(settings)
    elif not may_change("job"):
        draw_read_only("job")
    else:
        st.html(steps_html(here.step))
        if here.chosen:
            keep_in_address()
            kept = LabelledSetStore(settings.sets_dir).load(*set_reference(here.chosen))
            with st.container(horizontal=True, vertical_alignment="center", key="train-chosen"):
                st.markdown(chosen_words(kept))
                st.button(_("Choose another set"), key="train-other-set", on_click=restart)
            if here.decided is None:
                draw_choice(settings, kept)
            else:
                draw_decided(here.decided)
                choice = draw_split(here.decided)
                draw_start(settings, choice)
                draw_estimate(settings, choice)
        elif here.upload is None:
            draw_set(settings)
        elif not here.agreed:
            draw_columns(settings, here.upload)
        else:
            draw_check(settings, here.upload)
except SubclustError as error:
    st.warning(plain(in_words(error_words(error))))
    st.button(_("Restart"), key="train-restart", on_click=restart)
