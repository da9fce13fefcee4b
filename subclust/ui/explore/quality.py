"""How good the groups are, in words, for those who ask."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap
from subclust.explanation.record import Reason
from subclust.grouping.naming import bears_out, headings_above
from subclust.pipeline.explainer import Explainer
from subclust.ui import state
from subclust.ui.components.words import FAIRLY_TIGHT, TIGHT, n_passages, plain
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, number

STABLE = 0.75
"""Mean Jaccard coefficient from which a group is called stable, as Hennig (2007) advises."""

FAIRLY_STABLE = 0.6
"""Below this a group is called unstable; again his."""

REASONS: dict[str, str] = {
    "about something else": N_("about something other than the question"),
    "alone": N_("unlike any other passage"),
    "between groups": N_("between two groups"),
    "without a value": N_("without a word on it in their record"),
    "by hand": N_("moved here by hand"),
}
"""Why a passage is among the other passages."""


def _tightness(subtopic: Subtopic) -> str:
    """Return how well the passages of a group hold together, with the mean fit."""
    if subtopic.size == 1:
        return _("a single passage")
    fit = number(subtopic.quality, 2)
    if subtopic.quality >= TIGHT:
        return _("tight ({fit})").format(fit=fit)
    if subtopic.quality >= FAIRLY_TIGHT:
        return _("fairly tight ({fit})").format(fit=fit)
    return _("loose ({fit})").format(fit=fit)


def _stableness(value: float | None) -> str:
    """Return how surely a group comes back; empty where that cannot be said."""
    if value is None:
        return ""
    share = number(value, 2)
    if value >= STABLE:
        return _("stable ({share})").format(share=share)
    if value >= FAIRLY_STABLE:
        return _("fairly stable ({share})").format(share=share)
    return _("unstable ({share})").format(share=share)


def _tightness_explained() -> str:
    """Return what the word for the tightness rests on."""
    return _(
        "Tightness is the mean fit of a group's passages, from −1 (they fit other groups better) "
        "to 1. A group is called tight from {tight}, fairly tight from {fairly}, and loose below "
        "that: where people had sorted the passages, at least two in three tight groups, and one "
        "in two fairly tight ones, mostly held what belongs under one heading."
    ).format(tight=number(TIGHT, 2), fairly=number(FAIRLY_TIGHT, 2))


def _stableness_explained() -> str:
    """Return what the word for the stability rests on."""
    return _(
        "Stability is how much of a group comes back when a fifth of the hits is left out, from 0 "
        "to 1, as the mean of twenty trials. A group is called stable from {stable}, fairly stable "
        "from {fairly}, and unstable below that."
    ).format(stable=number(STABLE, 2), fairly=number(FAIRLY_STABLE, 2))


def _support(subtopic: Subtopic) -> str:
    """Return how many passages say a word of the group's name, or stand under it; "" for none."""
    if subtopic.id == OTHER_PASSAGES:
        return ""
    passages = [member.passage for member in subtopic.passages]
    n_bearing = _n_bearing(
        subtopic.name, tuple(" | ".join((*headings_above(one), one.text)) for one in passages)
    )
    if not n_bearing:  # a general heading, which its passages need not hold
        return ""
    return _("name found in {bearing} of {all}").format(
        bearing=number(n_bearing), all=number(subtopic.size)
    )


# The page asks at every run, and counting goes through all texts of a group.
@lru_cache(maxsize=500)
def _n_bearing(name: str, texts: tuple[str, ...]) -> int:
    return bears_out(name, texts)


def _map_in_words(subtopics: Sequence[Subtopic], stability: Mapping[int, float]) -> str:
    """Sum up how good a map is: of its groups, how many are tight, and how many stable."""
    groups = [one for one in subtopics if one.id != OTHER_PASSAGES and one.size > 1]
    if not groups:
        return ""
    tight = sum(one.quality >= FAIRLY_TIGHT for one in groups)
    mean = sum(one.quality * one.size for one in groups) / sum(one.size for one in groups)
    told = _("{tight} of {all} groups are tight or fairly tight (mean fit {fit})").format(
        tight=number(tight), all=number(len(groups)), fit=number(mean, 2)
    )
    known = [stability[one.id] for one in groups if one.id in stability]
    if not known:
        return _("{quality}; they are too small to try how stable they are.").format(quality=told)
    return _("{quality}; {stable} are stable or fairly stable (mean {share}).").format(
        quality=told,
        stable=number(sum(value >= FAIRLY_STABLE for value in known)),
        share=number(sum(known) / len(known), 2),
    )


def reason_in_words(reason: Reason) -> str:
    """Return why one passage is among the other passages, with the number behind."""
    if reason.kind == "about something else":
        return _("About something other than the question (relevance {value}).").format(
            value=number(reason.value, 2)
        )
    if reason.kind == "alone":
        return _("Unlike any other passage.")
    if reason.kind == "without a value":
        return _("Its record does not say where it belongs.")
    if reason.kind == "by hand":
        return _("Moved here by hand.")
    return _("Between two groups: it would fit its own less than another (fit {value}).").format(
        value=number(reason.value, 2)
    )


def _reasons_in_words(reasons: Sequence[Reason]) -> str:
    """Count why the other passages are where they are."""
    counts = {kind: sum(one.kind == kind for one in reasons) for kind in REASONS}
    return " · ".join(
        n_passages(count) + f" {_(REASONS[kind])}" for kind, count in counts.items() if count
    )


def explainer_of(found: Answer, machine: SubtopicMap | None = None) -> Explainer:
    """Return the explainer of an answer; `machine` has its groups before corrections."""
    known = st.session_state.get(state.EXPLAINER)
    if known and known[0] is found.subtopics and known[1] is machine:
        kept: Explainer = known[2]
        return kept
    made = Explainer(found.pipeline, found.ranking, found.subtopics, machine)
    st.session_state[state.EXPLAINER] = (found.subtopics, machine, made)
    return made


def _stability_of(explainer: Explainer) -> Mapping[int, float]:
    """Return how surely each group comes back, worked out once for each state of the groups."""
    known = st.session_state.get(state.STABILITY)
    if known and known[0] is explainer.subtopics:
        kept: Mapping[int, float] = known[1]
        return kept
    found = explainer.stability()
    st.session_state[state.STABILITY] = (explainer.subtopics, found)
    return found


def may_be_mixed(subtopics: SubtopicMap, subtopic: Subtopic) -> bool:
    """Return whether the passages of a group hold together so little that it is to be said."""
    return (
        subtopic.id != OTHER_PASSAGES
        and subtopic.size > 1
        and subtopics.answered is not False  # all groups of what answers nothing may be
        and subtopic.quality < FAIRLY_TIGHT
    )


def draw_quality(subtopics: SubtopicMap, subtopic: Subtopic, explainer: Explainer) -> None:
    """Draw why the other passages are apart, or what opens to how good another group is."""
    if subtopic.id == OTHER_PASSAGES:
        reasons = [explainer.reason(member.passage.id) for member in subtopic.passages]
        st.caption(plain(_reasons_in_words(reasons)))
        return
    opened = st.expander(
        _("How good is this group?"), key=f"quality-{subtopic.id}", on_change="rerun"
    )
    if not opened.open:
        return
    facts = [_tightness(subtopic), _support(subtopic)]
    told = [_tightness_explained()]
    if subtopics.answered is not False:
        facts.insert(1, _stableness(_stability_of(explainer).get(subtopic.id)))
        told.append(_stableness_explained())
    with opened:
        st.markdown(plain(" · ".join(filter(None, facts))))
        st.caption(plain(" ".join(told)))


def map_quality(subtopics: SubtopicMap, explainer: Explainer) -> str:
    """Return how good the whole map is, and what the words for it rest on.

    Groups of what does not answer the question are not praised.
    """
    if subtopics.answered is False:
        return ""
    told = _map_in_words(subtopics.subtopics, _stability_of(explainer))
    return f"{told} {_tightness_explained()} {_stableness_explained()}" if told else ""
