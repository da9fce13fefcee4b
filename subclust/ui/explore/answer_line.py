"""The sentence that answers, with what can be done with the whole answer."""

import html

import streamlit as st

from subclust.core.settings import Settings
from subclust.labelled.corrections import Corrected
from subclust.ui.components.resources import library_label
from subclust.ui.components.view import View
from subclust.ui.components.words import n_documents, n_passages
from subclust.ui.explore.correct.bar import draw_begin, has_tools
from subclust.ui.explore.correct.save import draw_save
from subclust.ui.explore.divide import draw_divide
from subclust.ui.explore.export import draw_export
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n


def draw_answer(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    """Draw the sentence that answers, and what can be done with the whole answer."""
    with st.container(horizontal=True, vertical_alignment="top", key="answer-line"):
        to_map = html.escape(_("See the map"))
        st.html(
            f"<h2 class='sc-headline'>{html.escape(_answer_sentence(found))} "
            f"<a class='sc-to-map' href='#map'>{to_map}</a></h2>"
        )
        with st.container(horizontal=True, gap="xsmall", width="content", key="answer-do"):
            if not view.session:
                draw_divide(view, found)
            draw_begin(view)
            if not has_tools(view):
                draw_save(settings, view, found, corrected)
            draw_export(view, found)


def _answer_sentence(found: Answer) -> str:
    """Return how many subtopics of what there are in which passages, and what was set aside."""
    shown, aside = found.subtopics, len(found.ranking.set_aside)
    passages, documents = n_passages(len(shown.members)), n_documents(shown.members.values())
    if documents:
        passages = _("{passages} from {documents}").format(passages=passages, documents=documents)
    template = _("{groups} of “{question}” in {passages} of the library “{library}”")
    question = shown.query.text
    if shown.query.way and question != found.ranking.query.text:
        template = _(
            "{groups} of “{question}”, divided {way}, in {passages} of the library “{library}”"
        )
        question = found.ranking.query.text
    told = template.format(
        groups=_n("{count} subtopic", "{count} subtopics", shown.n_clusters),
        question=question,
        way=shown.query.text,
        passages=passages,
        library=library_label(found.ranking.library),
    )
    if not aside:
        return f"{told}."
    rest = _n(
        "{count} further hit is probably about something else.",
        "{count} further hits are probably about something else.",
        aside,
    )
    return f"{told}. {rest}"
