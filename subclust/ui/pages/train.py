"""Train: from a labelled set to a model that is known to be better, or not."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.changes import may_change
from subclust.labelled.sets import LabelledSetStore, set_reference
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import draw_read_only
from subclust.ui.i18n.language import _
from subclust.ui.style import draw_style
from subclust.ui.train.choose import draw_choice
from subclust.ui.train.columns import draw_columns
from subclust.ui.train.estimate import draw_estimate
from subclust.ui.train.keep import draw_check
from subclust.ui.train.launch import draw_start
from subclust.ui.train.runs import draw_runs
from subclust.ui.train.sets import chosen_html
from subclust.ui.train.shown import draw_switch
from subclust.ui.train.split import draw_split
from subclust.ui.train.style import draw_train_style
from subclust.ui.train.upload import draw_set
from subclust.ui.train.walk import draw_steps, keep_in_address, start_anew, walk
from subclust.ui.train.words import LEAD

draw_style(st.context.theme.type)
draw_train_style()
st.title(_("Train"), anchor=False)

try:
    settings = Settings.from_environment()
    shown = draw_switch()
    here = walk()
    if here.step == 0 and shown == "new":
        st.html(f"<p class='sc-lead'>{_(LEAD)}</p>")
    if shown == "runs":
        draw_runs(settings)
    elif not may_change():
        draw_read_only()
    else:
        draw_steps(here.step)
        if here.chosen:
            keep_in_address()
            kept = LabelledSetStore(settings.sets_dir).load(*set_reference(here.chosen))
            with st.container(horizontal=True, vertical_alignment="center", key="train-chosen"):
                st.html(chosen_html(kept))
                st.button(_("Take another set"), key="train-other-set", on_click=start_anew)
            choice = draw_choice(settings, kept)
            choice = draw_split(choice)
            draw_estimate(settings, choice)
            draw_start(settings, choice)
        elif here.upload is None:
            draw_set(settings)
        elif not here.agreed:
            draw_columns(settings, here.upload)
        else:
            draw_check(settings, here.upload)
except SubclustError as error:
    st.warning(plain(error_words(error)))
    st.button(_("Start from the beginning"), key="train-restart", on_click=start_anew)
