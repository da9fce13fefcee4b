"""How good a group or a map is, in words, with the number behind."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from subclust.core.records import OTHER_PASSAGES, Subtopic
from subclust.explanation.record import Reason
from subclust.grouping.naming import bears_out
from subclust.ui.components.words import FAIRLY_TIGHT, TIGHT
from subclust.ui.i18n.language import N_, _, _n, number

STABLE = 0.75
"""Mean Jaccard coefficient from which a group is called stable, as Hennig (2007) advises."""

FAIRLY_STABLE = 0.6
"""Below this a group is called unstable; again his."""

REASONS: dict[str, str] = {
    "about something else": N_("about something else than the question"),
    "alone": N_("like no other passage"),
    "between groups": N_("between two groups"),
    "by hand": N_("put here by hand"),
}
"""Why a passage is among the other passages."""


def tightness(subtopic: Subtopic) -> str:
    """Return how well the passages of a group hold together, with the mean fit."""
    if subtopic.size == 1:
        return _("a single passage")
    fit = number(subtopic.quality, 2)
    if subtopic.quality >= TIGHT:
        return _("tight ({fit})").format(fit=fit)
    if subtopic.quality >= FAIRLY_TIGHT:
        return _("fairly tight ({fit})").format(fit=fit)
    return _("loose ({fit})").format(fit=fit)


def stableness(value: float | None) -> str:
    """Return how surely a group comes back; empty where that cannot be said."""
    if value is None:
        return ""
    share = number(value, 2)
    if value >= STABLE:
        return _("stable ({share})").format(share=share)
    if value >= FAIRLY_STABLE:
        return _("fairly stable ({share})").format(share=share)
    return _("unstable ({share})").format(share=share)


def tightness_explained() -> str:
    """Return what the word for the tightness rests on."""
    return _(
        "Mean fit of the passages, from −1 (they fit other groups better) to 1. Tight from "
        "{tight}: of passages that people had sorted, at least two in three such groups held "
        "mostly what is under one heading. Fairly tight from {fairly}: at least every second. "
        "Below that loose."
    ).format(tight=number(TIGHT, 2), fairly=number(FAIRLY_TIGHT, 2))


def stableness_explained() -> str:
    """Return what the word for the stability rests on."""
    return _(
        "How much of the group comes back when a fifth of the hits is left out, from 0 to 1, the "
        "mean of twenty tries. Stable from {stable}, unstable below {unstable}."
    ).format(stable=number(STABLE, 2), unstable=number(FAIRLY_STABLE, 2))


def support(subtopic: Subtopic) -> str:
    """Say in how many passages of the group its name has a word; empty for "other passages"."""
    if subtopic.id == OTHER_PASSAGES:
        return ""
    n_bearing = _n_bearing(
        subtopic.name, tuple(member.passage.text for member in subtopic.passages)
    )
    return _("name found in {bearing} of {all}").format(
        bearing=number(n_bearing), all=number(subtopic.size)
    )


@lru_cache(maxsize=500)
def _n_bearing(name: str, texts: tuple[str, ...]) -> int:
    return bears_out(name, texts)


def map_in_words(subtopics: Sequence[Subtopic], stability: Mapping[int, float] | None) -> str:
    """Sum up how good a map is: of its groups, how many are tight, and how many stable."""
    groups = [one for one in subtopics if one.id != OTHER_PASSAGES and one.size > 1]
    if not groups:
        return ""
    tight = sum(one.quality >= FAIRLY_TIGHT for one in groups)
    mean = sum(one.quality * one.size for one in groups) / sum(one.size for one in groups)
    told = _(
        "Quality of the map: {tight} of {all} groups are tight or fairly tight (mean fit {fit})"
    ).format(tight=number(tight), all=number(len(groups)), fit=number(mean, 2))
    if stability is None:
        return _("{quality}; how stable they are is being tried.").format(quality=told)
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
        return _("About something else than the question (relevance {value}).").format(
            value=number(reason.value, 2)
        )
    if reason.kind == "alone":
        return _("Like no other passage.")
    if reason.kind == "by hand":
        return _("Put here by hand.")
    return _("Between two groups: it would fit its own less than another (fit {value}).").format(
        value=number(reason.value, 2)
    )


def reasons_in_words(reasons: Sequence[Reason]) -> str:
    """Count why the other passages are where they are."""
    counts = {kind: sum(one.kind == kind for one in reasons) for kind in REASONS}
    return " · ".join(
        _n("{count} passage", "{count} passages", count) + f" {_(REASONS[kind])}"
        for kind, count in counts.items()
        if count
    )
