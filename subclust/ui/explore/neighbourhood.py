"""The neighbourhood map, made in the background: its first picture takes ten seconds."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import streamlit as st

from subclust.core.records import FloatArray, SubtopicMap
from subclust.grouping.projection import align, placed_as, warm_up
from subclust.ui import state
from subclust.ui.components.view import View
from subclust.ui.explore.kept_sessions import opened
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _


@st.cache_resource(max_entries=1, show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="neighbourhood-map")


def prepare() -> None:
    """Start compiling, so that the first map comes sooner. Does not wait."""
    warm_up()


def neighbourhood_map(view: View, found: Answer) -> SubtopicMap | None:
    """Return the neighbourhood map of an answer, None as long as it is being made."""
    kept = opened(view)
    if kept and kept.other_map:
        return placed_as(found.subtopics, kept.other_map)
    known = st.session_state.get(state.NEIGHBOURHOODS)
    key = (view.grouping(), found.served)
    if not known or known[0] != key:
        known = (key, _worker().submit(_project, found))
        st.session_state[state.NEIGHBOURHOODS] = known
    future: Future[SubtopicMap] = known[1]
    return placed_as(found.subtopics, future.result()) if future.done() else None


def known_map(view: View, found: Answer) -> SubtopicMap | None:
    """Return the neighbourhood map of an answer if it has been made; makes none."""
    kept = opened(view)
    if kept and kept.other_map:
        return placed_as(found.subtopics, kept.other_map)
    known = st.session_state.get(state.NEIGHBOURHOODS)
    if not known or known[0] != (view.grouping(), found.served) or not known[1].done():
        return None
    return placed_as(found.subtopics, known[1].result())


@st.fragment(run_every=1.0)
def redraw_when_ready() -> None:
    """Look once a second whether the map is ready, and draw the page again when it is."""
    told = _("Being drawn; the overview until then.")
    st.html(f"<p class='sc-note' role='status'>{told}</p>")
    known = st.session_state.get(state.NEIGHBOURHOODS)
    if known and known[1].done():
        st.rerun()


def _project(found: Answer) -> SubtopicMap:
    """Project, and turn the result so that it lies as the overview does."""
    projected = found.pipeline.project(found.subtopics, found.ranking, "umap")
    ids, overview = _coordinates(found.subtopics)
    _, neighbourhoods = _coordinates(projected)
    turned = iter(align(neighbourhoods, ids, overview, ids))
    subtopics = []
    for subtopic in projected.subtopics:
        places = [(member, next(turned)) for member in subtopic.passages]
        members = tuple(replace(member, x=float(x), y=float(y)) for member, (x, y) in places)
        subtopics.append(replace(subtopic, passages=members))
    return replace(projected, subtopics=tuple(subtopics))


def _coordinates(subtopics: SubtopicMap) -> tuple[list[str], FloatArray]:
    members = [member for subtopic in subtopics.subtopics for member in subtopic.passages]
    places = np.array([(member.x, member.y) for member in members], dtype=np.float32)
    return [member.passage.id for member in members], places
