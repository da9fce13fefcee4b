"""Explore: a question, its passages in named groups, and the map."""

import html

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.session import current_view, write_address
from subclust.ui.components.themes import draw_switch
from subclust.ui.components.words import ONE_HIT, error_words, headline
from subclust.ui.explore.controls import (
    draw_listings,
    draw_options,
    draw_question,
    draw_stable_count,
    draw_trail,
    draw_within,
)
from subclust.ui.explore.correct.bar import draw_corrections
from subclust.ui.explore.correct.desk import corrected_answer, restore
from subclust.ui.explore.export import draw_footer
from subclust.ui.explore.groups import (
    draw_group_style,
    draw_groups,
    draw_levels,
    draw_levels_note,
    shown_parts,
)
from subclust.ui.explore.kept_hits import draw_kept
from subclust.ui.explore.map import draw_map, prepare
from subclust.ui.explore.passages import draw_hits, draw_marked
from subclust.ui.explore.quality import explainer_of, fill_in
from subclust.ui.explore.search import answer
from subclust.ui.explore.sessions import draw_opened
from subclust.ui.explore.set_aside import draw_little, draw_set_aside
from subclust.ui.explore.table import draw_table
from subclust.ui.explore.unanswered import draw_unanswered
from subclust.ui.explore.why import draw_why
from subclust.ui.i18n.language import _
from subclust.ui.themes.page import draw_themes

if draw_switch() == "collection":
    draw_themes()
    st.stop()
st.html(f"<h1 class='sc-hidden'>{html.escape(_('Explore a question'))}</h1>")

try:
    settings = Settings.from_environment()
    view = current_view()
    write_address(view)
    draw_question(view)
    draw_options(view, settings)
    draw_within(view)
    draw_trail(view)
    restore(settings, view)
    machine = answer(settings, view)
    found, corrected = corrected_answer(view, machine)
except SubclustError as error:
    st.warning(error_words(error))
    st.stop()

draw_opened(view)
draw_kept(view, found)
if not draw_unanswered(view, found):
    st.stop()
explainer = explainer_of(found, machine.subtopics)
draw_group_style(found.subtopics.subtopics, view.group)
draw_corrections(settings, view, found, corrected)
left, right = st.columns([9, 5] if view.listing == "table" else [5, 7], gap="large")
with left:
    st.html(
        f"<h2 class='sc-headline'>{headline(found.subtopics)} "
        f"<a class='sc-to-map' href='#map'>{html.escape(_('See the map'))}</a></h2>"
    )
    if len(found.ranking.hits) == 1:
        st.info(_(ONE_HIT))
    draw_little(found)
    with st.container(horizontal=True, vertical_alignment="bottom", key="groups-how"):
        draw_levels(view)
        draw_stable_count(found)
    draw_levels_note(view, found.subtopics)
    groups, hits, table = draw_listings(view)
    why_place, quality_places = None, {}
    # The open one alone: the others are drawn when they are opened.
    if view.listing == "groups":
        with groups:
            why_place = draw_marked(view, found)
            quality_places = draw_groups(view, found.subtopics, explainer, shown_parts(view, found))
            draw_set_aside(view, found)
    elif view.listing == "hits":
        with hits:
            why_place = draw_marked(view, found)
            draw_hits(found)
    else:
        with table:
            draw_table(found.subtopics, corrected.judgements, view.passages)
with right, st.container(key="map-panel"):
    st.html(f"<h2 class='sc-hidden' id='map'>{html.escape(_('Map'))}</h2>")
    draw_map(view, found)

draw_footer(settings, view, found)
fill_in(found.subtopics, explainer, quality_places, view.group)
draw_why(explainer, found, why_place, view.passages[0] if view.passages else "")
prepare()
