"""About an answer: what made it, how good it is, how to cite it; and the ways on below it."""

import html
from datetime import date

import streamlit as st

from subclust.core.settings import Settings
from subclust.grouping.naming import LanguageModelNamer, SubtopicNamer
from subclust.methods import METHODS
from subclust.pipeline.explainer import Explainer
from subclust.sessions import Origin
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.themes import draw_to_collection
from subclust.ui.components.view import View
from subclust.ui.components.words import day, n_passages, timings
from subclust.ui.explore.controls import draw_examples, draw_stable_count
from subclust.ui.explore.correct.saved import draw_keeping
from subclust.ui.explore.quality import map_quality
from subclust.ui.explore.search import Answer
from subclust.ui.explore.sessions import draw_sessions
from subclust.ui.i18n.language import _
from subclust.ui.models.facts import own_model_sentence


def draw_ways_on(settings: Settings, view: View, found: Answer, explainer: Explainer) -> None:
    """Draw, below an answer, what is saved, what is known of the answer, and other questions."""
    if st.context.is_embedded:
        return
    st.divider()
    with st.container(horizontal=True, gap="small", key="footer"):
        dialog_button(
            _("Saved sessions"), lambda: draw_sessions(settings, view), key="take-sessions"
        )
        draw_keeping(settings, view)
        draw_stable_count(found)
        dialog_button(
            _("About this answer"),
            lambda: _draw_about(found, explainer),
            key="about",
            width="medium",
        )
        draw_to_collection()
    draw_examples()


def _draw_about(found: Answer, explainer: Explainer) -> None:
    origin, shown = found.origin(), found.subtopics
    library = _("{library} ({passages}, version {version})").format(
        library=origin.library,
        passages=n_passages(origin.n_passages),
        version=origin.library_revision[:12],
    )
    rows = {
        _("Method"): grouped_by(found),
        _("Library"): library,
        _("Set aside"): n_passages(len(found.ranking.set_aside)),
        _("Quality"): map_quality(shown, explainer),
        _("Time"): timings(shown.timings_ms),
        _("Privacy"): _what_leaves(found.pipeline.namer),
        _("How to cite"): " ".join(filter(None, (_citation(found, origin), _paper(shown.method)))),
    }
    items = "".join(
        f"<dt>{html.escape(term)}</dt><dd>{html.escape(told)}</dd>"
        for term, told in rows.items()
        if told
    )
    st.html(f"<dl class='sc-terms'>{items}</dl>")


def grouped_by(found: Answer) -> str:
    """Return what made the groups: the method, and of a model made here whose it is."""
    card, checkpoint = METHODS[found.subtopics.method], found.pipeline.method.checkpoint
    if checkpoint is None:
        return f"{_(card.label)}: {_(card.summary)}"
    if own := own_model_sentence(checkpoint):
        return f"{_(card.label)}: {own}"
    return _("{method} (model {name}): {summary}").format(
        method=_(card.label), name=checkpoint.name, summary=_(card.summary)
    )


def _citation(found: Answer, origin: Origin) -> str:
    return _(
        "Subclust {version}: subtopics of “{question}” in the library “{library}”, by {method}, "
        "{day}."
    ).format(
        version=origin.subclust,
        question=found.subtopics.query.text,
        library=origin.library,
        method=_(METHODS[found.subtopics.method].label),
        day=day(date.today().isoformat()),
    )


def _paper(method: str) -> str:
    paper = METHODS[method].paper
    return _("Method: {paper}.").format(paper=paper.rstrip(".")) if paper else ""


def _what_leaves(namer: SubtopicNamer) -> str:
    """Return what of a search leaves the machine: nothing, unless a language model gives names."""
    if isinstance(namer, LanguageModelNamer):
        return _(
            "To name the groups, the question and some passages were sent to the language model "
            "that this installation has set."
        )
    return _(
        "Nothing you type leaves this machine, and it is stored only if you save "
        "it. Drafts of corrections are kept for a month."
    )
