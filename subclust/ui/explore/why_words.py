"""The words in which the page says why a passage is where it is."""

import html

from subclust.explanation.record import Explanation, TextPart
from subclust.ui.explore.quality_words import reason_in_words
from subclust.ui.i18n.language import _, number

LEAST_SENTENCE = 0.005
"""In strength; a sentence that does less is not called the one that counts."""


def where(found: Explanation) -> list[str]:
    """Return where a passage is, how well it fits, and what comes next: one sentence each."""
    told = []
    if found.reason.kind == "in a group":
        told.append(
            _("It is in “{group}”, and its fit is {fit}, from −1 to 1.").format(
                group=found.group.name, fit=number(found.strength, 2)
            )
        )
    else:
        told.append(reason_in_words(found.reason))
    if found.nearest is not None:
        told.append(
            _("On average it is most like “{group}”.").format(group=found.nearest.name)
            if found.reason.kind == "in a group"
            else _(
                "The group that it is most like is “{group}”, where its fit would be {fit}."
            ).format(group=found.nearest.name, fit=number(found.strength, 2))
        )
    if found.runner_up is not None:
        told.append(_margin(found.runner_up.name, found.margin))
    return told


def _margin(name: str, margin: float) -> str:
    if margin >= 0:
        return _("The next group is “{group}”, behind by {margin}.").format(
            group=name, margin=number(margin, 3)
        )
    return _("The next group is “{group}”, which it is more like by {margin}.").format(
        group=name, margin=number(-margin, 3)
    )


def best_sentence(found: Explanation) -> TextPart | None:
    """Return the sentence without which the passage would fit least, None where none counts."""
    best = max(found.sentences, key=lambda one: one.effect, default=None)
    return best if best is not None and best.effect >= LEAST_SENTENCE else None


def what_counts(found: Explanation) -> str:
    """Return what is marked in the text, and how much it does."""
    best = best_sentence(found)
    if best is None and not found.words:
        return _("No single sentence or word decides: the passage as a whole does.")
    if best is None:
        return _("Marked are the words without which it would fit less.")
    if not found.words:
        return _(
            "Shaded is the sentence that counts most: without it the fit loses {lost}."
        ).format(lost=number(best.effect, 2))
    return _(
        "Shaded is the sentence that counts most: without it the fit loses {lost}. Marked are the "
        "words without which it would fit less."
    ).format(lost=number(best.effect, 2))


def marked_text(found: Explanation) -> str:
    """Write the text as HTML: the sentence that counts most shaded, its words marked."""
    best = best_sentence(found)
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    if best is not None:
        opening.setdefault(best.start, []).append("<span class='sc-counts'>")
        closing.setdefault(best.end, []).append("</span>")
    for word in found.words:
        opening.setdefault(word.start, []).append("<mark>")
        closing.setdefault(word.end, []).insert(0, "</mark>")
    parts, reached = [], 0
    for place in sorted({*opening, *closing}):
        parts.append(html.escape(found.text[reached:place]))
        parts += closing.get(place, [])
        parts += opening.get(place, [])
        reached = place
    return "".join([*parts, html.escape(found.text[reached:])])
