"""Why is this here: what a passage's place rests on, in a dialog or beside the passage."""

import html

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import MappedPassage, Subtopic
from subclust.explanation.record import Explanation, NamedNeighbour, TextPart
from subclust.pipeline.explainer import Explainer
from subclust.ui import state
from subclust.ui.components.markup import draw_passage_heading, draw_status
from subclust.ui.explore.correct.move import open_move
from subclust.ui.explore.passages import asked_passage, draw_passages
from subclust.ui.explore.quality import reason_in_words
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, number

LEAST_SENTENCE = 0.005
"""In strength; a sentence that does less is not called the one that counts."""


def _where(found: Explanation) -> list[str]:
    """Return where a passage is, how well it fits, and what comes next: one sentence each."""
    told = []
    if found.value:
        told.append(_("What decides is what its record says: “{value}”.").format(value=found.value))
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
            else _("The group it is most like is “{group}”, where its fit would be {fit}.").format(
                group=found.nearest.name, fit=number(found.strength, 2)
            )
        )
    if found.runner_up is not None:
        told.append(_margin(found.runner_up.name, found.margin))
    return told


def _margin(name: str, margin: float) -> str:
    if margin >= 0:
        return _("The next group is “{group}”: its mean similarity is lower by {margin}.").format(
            group=name, margin=number(margin, 3)
        )
    return _("The next group is “{group}”: its mean similarity is higher by {margin}.").format(
        group=name, margin=number(-margin, 3)
    )


def _best_sentence(found: Explanation) -> TextPart | None:
    """Return the sentence without which the passage would fit least, None where none counts."""
    best = max(found.sentences, key=lambda one: one.effect, default=None)
    return best if best is not None and best.effect >= LEAST_SENTENCE else None


def _what_counts(found: Explanation) -> str:
    """Return what is marked in the text, and how much it does."""
    if found.value:
        return _("No words are marked here, since the record as a whole decides.")
    best = _best_sentence(found)
    if best is None and not found.words:
        return _("No single sentence or word is decisive; the passage fits as a whole.")
    if best is None:
        return _("The highlighted words matter most: without them, the fit would be lower.")
    if not found.words:
        return _("The shaded sentence matters most: without it, the fit drops by {lost}.").format(
            lost=number(best.effect, 2)
        )
    return _(
        "The shaded sentence matters most: without it, the fit drops by {lost}. "
        "Without the highlighted words, it would be lower, too."
    ).format(lost=number(best.effect, 2))


def _marked_text(found: Explanation) -> str:
    """Write the text as HTML: the sentence that counts most shaded, its words marked."""
    best = _best_sentence(found)
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    if best is not None:
        opening.setdefault(best.start, []).append("<span class='sc-counts'>")
        closing.setdefault(best.end, []).append("</span>")
    for word in found.words:
        opening.setdefault(word.start, []).append("<mark>")
        # Before the sentence's own end tag, in case both end here: tags must nest.
        closing.setdefault(word.end, []).insert(0, "</mark>")
    parts, reached = [], 0
    for place in sorted({*opening, *closing}):
        parts.append(html.escape(found.text[reached:place]))
        parts += closing.get(place, [])
        parts += opening.get(place, [])
        reached = place
    return "".join([*parts, html.escape(found.text[reached:])])


_MOST_KEPT = 50


def draw_why(
    explainer: Explainer, found: Answer, place: DeltaGenerator | None, chosen: str
) -> None:
    """Draw what was asked for; last on the page, since finding the words takes a moment.

    A single passage `chosen` on the map is explained in `place`.
    """
    _answer_asked(explainer, found)
    if place is not None and chosen in explainer.ids:
        with place:
            st.subheader(_("Why is this here?"), anchor=False)
            _draw(explainer, chosen)


@st.fragment
def _answer_asked(explainer: Explainer, found: Answer) -> None:
    """Open the dialog for the button that was pressed, without drawing the page behind it anew."""
    wish, passage_id = asked_passage() or ("", "")
    if wish == "move":
        open_move(found, passage_id)
    elif passage_id in explainer.ids:
        st.dialog(_("Why is this here?"), width="large")(_draw_whole)(explainer, passage_id)


def _draw_whole(explainer: Explainer, passage_id: str) -> None:
    member, subtopic = explainer.found(passage_id)
    draw_passage_heading(member.passage)
    _draw(explainer, passage_id)


def _draw(explainer: Explainer, passage_id: str) -> None:
    quick = explainer.explain(passage_id, with_marks=False)
    told = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in _where(quick))
    st.html(f"<div class='sc-why-told' data-explained='{html.escape(passage_id)}'>{told}</div>")
    text = st.empty()
    with text.container():
        st.html(f"<p class='sc-why-text'>{html.escape(quick.text)}</p>")
        draw_status(_("Finding the words that matter …"))
    first, second = st.columns(2, gap="medium")
    with first:
        heading = (
            _("Most like it, for this question") if quick.query_specific else _("Most like it")
        )
        _draw_neighbours(heading, "with", quick.with_query, explainer)
    with second:
        _draw_neighbours(
            _("Most like it, by the texts alone"), "without", quick.without_query, explainer
        )
    marked = _marked(explainer, passage_id)
    with text.container():
        st.html(f"<p class='sc-why-text' data-marked='yes'>{_marked_text(marked)}</p>")
        draw_status(_what_counts(marked))


def _draw_neighbours(
    heading: str, kind: str, neighbours: tuple[NamedNeighbour, ...], explainer: Explainer
) -> None:
    st.html(f"<h4 class='sc-why-heading' data-near='{kind}'>{html.escape(heading)}</h4>")
    members: list[tuple[MappedPassage, Subtopic]] = [explainer.found(one.id) for one in neighbours]
    notes = {
        one.id: _("similarity {value}").format(value=number(one.score, 2).replace("-", "−"))
        for one in neighbours
    }
    draw_passages(members, show_group=True, notes=notes)


def _marked(explainer: Explainer, passage_id: str) -> Explanation:
    known: dict[str, Explanation]
    owner, known = st.session_state.get(state.MARKED_WORDS) or (None, {})
    if owner is not explainer:
        owner, known = explainer, {}
    if passage_id not in known:
        known[passage_id] = explainer.explain(passage_id)
    for old in list(known)[:-_MOST_KEPT]:
        del known[old]
    st.session_state[state.MARKED_WORDS] = (owner, known)
    return known[passage_id]
