"""Words for kept hits: what is shown, and what another question did to each passage."""

from subclust.core.records import OTHER_PASSAGES_NAME, QueryEffect, Regrouping, SubtopicMap
from subclust.ui.i18n.language import N_, _, _n, number

SIDES: dict[str, str] = {"after": N_("Now"), "before": N_("Before")}
"""Of the map of kept hits."""

MOVES: tuple[tuple[float, str], ...] = (
    (0.25, N_("stays")),
    (0.75, N_("moves a little")),
    (float("inf"), N_("moves far")),
)
"""How far a passage moves, in words; each holds below its number of mean distances."""

FAR = MOVES[1][0]


def move_in_words(moved: float) -> str:
    """Return how far a passage moved."""
    return _(next(words for below, words in MOVES if moved < below))


def kept_sentence(regrouping: Regrouping) -> str:
    """Return whose hits are grouped under which question."""
    first, other = regrouping.before.query, regrouping.after.query
    passages = _n("{count} passage", "{count} passages", len(regrouping.effects))
    if first == other:
        return _(
            "{passages} found for “{first}” and kept: type another question to group them "
            "under that."
        ).format(passages=passages, first=first.text)
    return _("{passages} found for “{first}”, grouped under “{other}”.").format(
        passages=passages, first=first.text, other=other.text
    )


def effect_sentence(regrouping: Regrouping, *, looks_at_query: bool) -> str:
    """Sum up what the other question did."""
    if not looks_at_query:
        return _(
            "This method does not look at the question, so nothing moves; choose another method "
            "to see the question's effect."
        )
    changed = sum(effect.before != effect.after for effect in regrouping.effects)
    far = sum(effect.moved >= FAR for effect in regrouping.effects)
    if not changed and not far:
        return _("No passage changed group, and none moved far.")
    return _("{changed} changed group; {far} moved far.").format(
        changed=_n("{count} passage", "{count} passages", changed),
        far=_n("{count} passage", "{count} passages", far),
    )


def group_name(subtopics: SubtopicMap, group: int) -> str:
    """Return the name of a group of a map."""
    names = {one.id: one.name for one in subtopics.subtopics}
    return names.get(group, _(OTHER_PASSAGES_NAME))


def effect_explained() -> str:
    """Return what the number behind a move is."""
    return _(
        "How far the passage moved between the two maps, which are turned so that they lie on "
        "each other as well as possible: 0 is not at all, 1 is the mean distance from the middle "
        "of the map."
    )


def moved_number(effect: QueryEffect) -> str:
    """Write how far a passage moved, in words with the number behind."""
    return _("{words} ({number})").format(
        words=move_in_words(effect.moved), number=number(effect.moved, 2)
    )
