"""The explainer of what a visitor sees, made once for each state of the groups."""

from collections.abc import Mapping

import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.pipeline.explainer import Explainer
from subclust.ui import state
from subclust.ui.explore.search import Answer


def explainer_of(found: Answer, machine: SubtopicMap | None = None) -> Explainer:
    """Return the explainer of an answer.

    Parameters
    ----------
    found : Answer
        Its groups perhaps corrected.
    machine : SubtopicMap, optional
        The groups before that.
    """
    known = st.session_state.get(state.EXPLAINER)
    if known and known[0] is found.subtopics and known[1] is machine:
        kept: Explainer = known[2]
        return kept
    made = Explainer(found.pipeline, found.ranking, found.subtopics, machine)
    st.session_state[state.EXPLAINER] = (found.subtopics, machine, made)
    return made


def stability_of(explainer: Explainer) -> Mapping[int, float]:
    """Return how surely each group comes back, worked out once for each state of the groups."""
    known = st.session_state.get(state.STABILITY)
    if known and known[0] is explainer.subtopics:
        kept: Mapping[int, float] = known[1]
        return kept
    found = explainer.stability()
    st.session_state[state.STABILITY] = (explainer.subtopics, found)
    return found


def known_stability(subtopics: SubtopicMap) -> Mapping[int, float] | None:
    """Return what was worked out of these groups before, if it was."""
    known = st.session_state.get(state.STABILITY)
    return known[1] if known and known[0] is subtopics else None
