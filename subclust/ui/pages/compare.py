"""Compare: the same passages grouped in two to four ways, side by side."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.compare_answer import compared
from subclust.ui.compare_columns import draw_columns, draw_question
from subclust.ui.compare_gold import draw_gold, draw_over_questions
from subclust.ui.compare_maps import draw_map_style, draw_maps
from subclust.ui.compare_panels import (
    draw_agreement,
    draw_between,
    draw_flow,
    draw_marked,
    draw_moved,
)
from subclust.ui.compare_style import draw_compare_style
from subclust.ui.compare_take import draw_downloads
from subclust.ui.compare_view import current_view
from subclust.ui.error_words import error_words
from subclust.ui.language import _
from subclust.ui.style import draw_style
from subclust.ui.unanswered import draw_unanswered_note

draw_style(st.context.theme.type)
draw_compare_style()
st.title(_("Compare"), anchor=False)
lead = _("The same passages, grouped in two to four ways: what agrees, what moves, and what fits.")
st.html(f"<p class='sc-lead'>{lead}</p>")

try:
    settings = Settings.from_environment()
    view = current_view()
    draw_question(view, settings)
    draw_columns(view, settings)
    found = compared(settings, view)
    draw_unanswered_note(found.ranking)
    draw_map_style(view, found)
    st.html(f"<h2 class='sc-part'>{_('The maps')}</h2>")
    draw_maps(view, found)
    draw_marked(view, found)
    st.html(f"<h2 class='sc-part'>{_('Where the passages go')}</h2>")
    draw_flow(view, found)
    st.html(f"<h2 class='sc-part'>{_('Where two columns differ')}</h2>")
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
    st.warning(error_words(error))
