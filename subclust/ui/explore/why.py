"""Why is this here: what a passage's place rests on, in a dialog or beside the passage."""

import html

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import MappedPassage, Subtopic
from subclust.explanation.record import Explanation, NamedNeighbour
from subclust.pipeline.explainer import Explainer
from subclust.ui import state
from subclust.ui.explore.correct.move import open_move
from subclust.ui.explore.passage_asked import asked_passage
from subclust.ui.explore.passages import draw_passages
from subclust.ui.explore.search import Answer
from subclust.ui.explore.why_words import marked_text, what_counts, where
from subclust.ui.i18n.language import _

_MOST_KEPT = 50


def draw_why(
    explainer: Explainer, found: Answer, place: DeltaGenerator | None, chosen: str
) -> None:
    """Draw what was asked for; last on the page, since looking for the words takes a moment.

    Parameters
    ----------
    explainer : Explainer
    found : Answer
        With the groups that are shown.
    place : DeltaGenerator or None
        Where the passage chosen on the map is explained, None where none or several are.
    chosen : str
        Its id.
    """
    _answer_asked(explainer, found)
    if place is not None and chosen in explainer.ids:
        with place:
            heading = html.escape(_("Why is this here?"))
            st.html(f"<h3 class='sc-chosen'>{heading}</h3>")
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
    head = f"<span class='sc-place'>{html.escape(member.passage.path or '')}</span>"
    st.html(f"<h3 class='sc-chosen'>{html.escape(member.passage.title)} {head}</h3>")
    _draw(explainer, passage_id)


def _draw(explainer: Explainer, passage_id: str) -> None:
    quick = explainer.explain(passage_id, with_marks=False)
    told = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in where(quick))
    st.html(f"<div class='sc-why-told' data-explained='{html.escape(passage_id)}'>{told}</div>")
    text = st.empty()
    with text.container():
        st.html(f"<p class='sc-why-text'>{html.escape(quick.text)}</p>")
        waiting = _("Looking for the words that count …")
        st.html(f"<p class='sc-note' role='status'>{waiting}</p>")
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
        st.html(f"<p class='sc-why-text' data-marked='yes'>{marked_text(marked)}</p>")
        st.html(f"<p class='sc-note' role='status'>{html.escape(what_counts(marked))}</p>")


def _draw_neighbours(
    heading: str, kind: str, neighbours: tuple[NamedNeighbour, ...], explainer: Explainer
) -> None:
    st.html(f"<h4 class='sc-why-heading' data-near='{kind}'>{html.escape(heading)}</h4>")
    members: list[tuple[MappedPassage, Subtopic]] = [explainer.found(one.id) for one in neighbours]
    notes = {
        one.id: _("likeness {value}").format(value=f"{one.score:.2f}".replace("-", "−"))
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
