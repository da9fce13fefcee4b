"""Compare: the same passages grouped in two to four ways, side by side."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.compare.answer import compared, draw_downloads, draw_gold, draw_over_questions
from subclust.ui.compare.columns import draw_columns, draw_map_style, draw_maps, draw_question
from subclust.ui.compare.panels import (
    draw_agreement,
    draw_between,
    draw_flow,
    draw_headline,
    draw_marked,
    draw_moved,
)
from subclust.ui.compare.view import current_view
from subclust.ui.components.markup import draw_hidden_heading
from subclust.ui.explore.unanswered import draw_problem, draw_unanswered_note
from subclust.ui.i18n.language import _

draw_hidden_heading(1, _("Compare"))

view = current_view()
try:
    settings = Settings.from_environment()
    draw_question(view, settings)
    draw_columns(view, settings)
    found = compared(settings, view)
    draw_unanswered_note(found.ranking)
    draw_map_style(view, found)
    draw_headline(found)
    draw_maps(view, found)
    draw_marked(view, found)
    st.header(_("Where the passages go"), anchor=False)
    draw_flow(view, found)
    st.header(_("Where two columns differ"), anchor=False)
    first, second = draw_between(view, found)
    moved, agreement, gold = st.tabs(
        [_("Only what moved"), _("Agreement"), _("Against the labels")], key="compare-tabs"
    )
    with moved:
        draw_moved(found, first, second)
    with agreement:
        draw_agreement(found, first, second)
    with gold:
        draw_gold(found)
        draw_over_questions(view, found, settings)
    draw_downloads(found)
except SubclustError as error:
    draw_problem(error, view.query)
