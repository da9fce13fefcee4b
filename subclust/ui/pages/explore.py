"""Explore: a question, its passages in named groups, and the map."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.markup import draw_hidden_heading
from subclust.ui.components.session import current_view, write_address
from subclust.ui.components.themes import draw_to_collection, draw_to_question, explored
from subclust.ui.components.words import ONE_HIT
from subclust.ui.explore.about import draw_examples, draw_opened, draw_ways_on
from subclust.ui.explore.answer_line import draw_answer
from subclust.ui.explore.controls import draw_question, draw_trail, draw_within
from subclust.ui.explore.correct.bar import draw_corrections, has_tools
from subclust.ui.explore.correct.desk import corrected_answer, restore
from subclust.ui.explore.groups import (
    draw_group_style,
    draw_groups,
    draw_levels_note,
    draw_open_group,
    shown_parts,
)
from subclust.ui.explore.kept_hits import draw_kept
from subclust.ui.explore.map import draw_map, draw_table, prepare
from subclust.ui.explore.passages import draw_hits, draw_marked
from subclust.ui.explore.quality import explainer_of
from subclust.ui.explore.search import answer
from subclust.ui.explore.themes import draw_themes
from subclust.ui.explore.unanswered import (
    draw_first_steps,
    draw_little,
    draw_problem,
    draw_set_aside,
    draw_unanswered,
)
from subclust.ui.explore.why import draw_why
from subclust.ui.i18n.language import _

if explored() == "collection":
    draw_to_question()
    draw_themes()
    st.stop()
draw_hidden_heading(1, _("Explore a question"))

view = current_view()
try:
    settings = Settings.from_environment()
    write_address(view)
    draw_question(view, settings)
    draw_within(view)
    draw_trail(view)
    restore(settings, view)
    machine = answer(settings, view)
    found, corrected = corrected_answer(view, machine)
except SubclustError as error:
    if draw_problem(error, view.query):
        draw_to_collection()
        draw_examples()
    st.stop()

draw_opened(view)
draw_kept(view, found)
explainer = explainer_of(found, machine.subtopics)
if not draw_unanswered(view, found):
    draw_ways_on(settings, view, found, explainer, grouped=False)
    st.stop()
draw_group_style(found.subtopics.subtopics, view.group)
draw_answer(settings, view, found, corrected)
draw_corrections(settings, view, found, corrected)
with st.container(key="answer"):
    with st.container(key=f"list-{view.listing}", gap="small"):
        if len(found.ranking.hits) == 1:
            st.info(_(ONE_HIT))
        draw_little(found)
        if view.listing == "hits":
            draw_hits(found)
        elif view.listing == "table":
            draw_table(found.subtopics, corrected.judgements, view.passages)
        else:
            draw_levels_note(view, found.subtopics)
            draw_groups(found.subtopics, shown_parts(view, found))
            draw_set_aside(view, found)
    with st.container(key="open-panel"):
        why_place = draw_marked(view, found)
        draw_open_group(view, found, explainer, is_corrected=has_tools(view))
    with st.container(key="map-panel", gap="small"):
        draw_hidden_heading(2, _("Map"), "map")
        draw_map(view, found)

draw_ways_on(settings, view, found, explainer)
draw_why(explainer, found, why_place, view.passages[0] if view.passages else "")
draw_first_steps()
# Last, since compiling takes the processor away from drawing the page.
prepare()
