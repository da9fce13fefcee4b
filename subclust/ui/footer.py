"""What can be taken away and kept, how the answer came about, and how long it took."""

import html

import streamlit as st

from subclust.checkpoints import Checkpoint
from subclust.core.records import MethodCard
from subclust.core.settings import Settings
from subclust.grouping.naming import LanguageModelNamer, SubtopicNamer
from subclust.methods import METHODS
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.view import View
from subclust.ui.components.words import timings
from subclust.ui.explore.correct.keep import draw_keeping
from subclust.ui.explore.export.embed import draw_way_out
from subclust.ui.explore.export.files import draw_files, draw_links
from subclust.ui.explore.export.sessions import draw_sessions
from subclust.ui.explore.neighbourhood import known_map
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _
from subclust.ui.models.facts import own_model_sentence


def draw_footer(settings: Settings, view: View, found: Answer) -> None:
    """Draw what can be taken away, the sessions, the method and the timings."""
    subtopics = found.subtopics
    method = grouped_by(METHODS[subtopics.method], found.pipeline.method.checkpoint)
    drawn = known_map(view, found) if view.projection == "umap" else None
    shown = drawn or subtopics
    st.divider()
    if st.context.is_embedded:
        draw_way_out(view)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="footer"):
        dialog_button(
            _("Take away"), lambda: draw_files(view, found, shown, method), key="take-away"
        )
        dialog_button(_("Link"), lambda: draw_links(view, subtopics), key="take-link")
        draw_keeping(settings, view)
        dialog_button(_("Sessions"), lambda: draw_sessions(settings, view), key="take-sessions")
        told = _("{method} Answered in {times}.")
        words = told.format(method=method, times=timings(subtopics.timings_ms))
        leaves = what_leaves(found.pipeline.namer)
        st.html(f"<p class='sc-note'>{html.escape(words)} {html.escape(leaves)}</p>")


def grouped_by(card: MethodCard, checkpoint: Checkpoint | None) -> str:
    """Return what made the groups: the method, and of a model made here whose it is."""
    if checkpoint is None:
        return f"{_(card.label)}: {_(card.summary)}"
    if own := own_model_sentence(checkpoint):
        return f"{_(card.label)}: {own}"
    return _("{method} (model {name}): {summary}").format(
        method=_(card.label), name=checkpoint.name, summary=_(card.summary)
    )


def what_leaves(namer: SubtopicNamer) -> str:
    """Return what of a search leaves the machine: nothing, unless a language model gives names."""
    if isinstance(namer, LanguageModelNamer):
        return _(
            "To name the groups, the question and some passages were sent to the language model "
            "that this installation has set."
        )
    return _(
        "Nothing you type leaves this machine, and it is recorded only if you save it; corrections "
        "wait as a draft for a month."
    )
