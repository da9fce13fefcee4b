"""How good the groups are, written into their places once it is known."""

import html
from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap
from subclust.pipeline.explainer import Explainer
from subclust.ui.explore.explaining import known_stability, stability_of
from subclust.ui.explore.quality_words import (
    map_in_words,
    reasons_in_words,
    stableness,
    stableness_explained,
    support,
    tightness,
    tightness_explained,
)
from subclust.ui.i18n.language import _, _n

MAP_PLACE = "map"

Places = dict[int | str, DeltaGenerator]
"""Where the quality of each group, by its number, and that of the map are written."""


def draw_map_quality(subtopics: SubtopicMap, places: Places) -> None:
    """Draw the sentence on the whole map; what is not known yet is filled in by `fill_in`.

    Groups of what does not answer the question are not praised.
    """
    if subtopics.answered is False:
        return
    places[MAP_PLACE] = st.empty()
    _write_map(places[MAP_PLACE], subtopics, known_stability(subtopics))


def draw_facts(
    subtopics: SubtopicMap, subtopic: Subtopic, explainer: Explainer, places: Places, marked: bool
) -> None:
    """Draw a group's size and quality; what is not known yet is filled in by `fill_in`."""
    if subtopic.id == OTHER_PASSAGES:
        reasons = [explainer.reason(member.passage.id) for member in subtopic.passages]
        facts = [_n("{count} passage", "{count} passages", subtopic.size)]
        if len({one.kind for one in reasons}) > 0:
            facts = [reasons_in_words(reasons)]
        _write_facts(st.empty(), [html.escape(fact) for fact in facts], marked)
        return
    if subtopics.answered is False:
        size = _n("{count} passage", "{count} passages", subtopic.size)
        _write_facts(st.empty(), [html.escape(one) for one in (size, support(subtopic))], marked)
        return
    place = places[subtopic.id] = st.empty()
    known = known_stability(subtopics)
    _write(place, subtopic, known, marked)


def fill_in(
    subtopics: SubtopicMap, explainer: Explainer, places: Places, marked: int | None
) -> None:
    """Try how stable the groups are and write it into its places; last on the page."""
    if not places or known_stability(subtopics) is not None:
        return
    stability = stability_of(explainer)
    _write_map(places[MAP_PLACE], subtopics, stability)
    for subtopic in subtopics.subtopics:
        if subtopic.id in places:
            _write(places[subtopic.id], subtopic, stability, subtopic.id == marked)


def _write(
    place: DeltaGenerator, subtopic: Subtopic, stability: Mapping[int, float] | None, marked: bool
) -> None:
    facts = [
        html.escape(_n("{count} passage", "{count} passages", subtopic.size)),
        _titled(tightness(subtopic), tightness_explained()),
    ]
    if stability is not None and (told := stableness((stability).get(subtopic.id))):
        facts.append(_titled(told, stableness_explained()))
    facts.append(html.escape(support(subtopic)))
    _write_facts(place, facts, marked)


def _write_facts(place: DeltaGenerator, facts: list[str], marked: bool) -> None:
    spans = [f"<span>{fact}</span>" for fact in facts]
    if marked:
        told = _("marked on the map")
        spans.append(f"<strong>{html.escape(told)}</strong>")
    place.html(f"<p class='sc-facts'>{' · '.join(spans)}</p>")


def _write_map(
    place: DeltaGenerator, subtopics: SubtopicMap, stability: Mapping[int, float] | None
) -> None:
    told = map_in_words(subtopics.subtopics, stability)
    hint = html.escape(f"{tightness_explained()} {stableness_explained()}", quote=True)
    place.html(f"<p class='sc-note' data-quality='map' title='{hint}'>{html.escape(told)}</p>")


def _titled(text: str, title: str) -> str:
    return f"<span title='{html.escape(title, quote=True)}'>{html.escape(text)}</span>"
