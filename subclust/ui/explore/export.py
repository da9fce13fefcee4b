"""Below the answer: its files and links, sessions, the method and the timings."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import streamlit as st

from subclust.checkpoints import Checkpoint
from subclust.core.records import MethodCard, SubtopicMap
from subclust.core.settings import Settings
from subclust.exports import FORMATS, FileFormat, Report, written
from subclust.exports.references import left_out_of
from subclust.grouping.naming import LanguageModelNamer, SubtopicNamer
from subclust.methods import METHODS
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.view import View
from subclust.ui.components.words import plain, timings
from subclust.ui.explore.correct.saved import draw_keeping
from subclust.ui.explore.map import known_map
from subclust.ui.explore.search import Answer
from subclust.ui.explore.sessions import draw_sessions
from subclust.ui.i18n.language import _, language_params, said
from subclust.ui.models.facts import own_model_sentence


def draw_footer(settings: Settings, view: View, found: Answer) -> None:
    """Draw what can be taken away, the sessions, the method and the timings."""
    subtopics = found.subtopics
    method = _grouped_by(METHODS[subtopics.method], found.pipeline.method.checkpoint)
    drawn = known_map(view, found) if view.projection == "umap" else None
    shown = drawn or subtopics
    st.divider()
    if st.context.is_embedded:
        _draw_way_out(view)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="footer"):
        dialog_button(_("Export"), lambda: _draw_files(view, found, shown, method), key="take-away")
        dialog_button(_("Link"), lambda: _draw_links(view, subtopics), key="take-link")
        draw_keeping(settings, view)
        dialog_button(_("Sessions"), lambda: draw_sessions(settings, view), key="take-sessions")
        told = _("{method} Answered in {times}.")
        words = told.format(method=method, times=timings(subtopics.timings_ms))
        leaves = _what_leaves(found.pipeline.namer)
        st.html(f"<p class='sc-note'>{html.escape(words)} {html.escape(leaves)}</p>")


def _grouped_by(card: MethodCard, checkpoint: Checkpoint | None) -> str:
    """Return what made the groups: the method, and of a model made here whose it is."""
    if checkpoint is None:
        return f"{_(card.label)}: {_(card.summary)}"
    if own := own_model_sentence(checkpoint):
        return f"{_(card.label)}: {own}"
    return _("{method} (model {name}): {summary}").format(
        method=_(card.label), name=checkpoint.name, summary=_(card.summary)
    )


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


_LONGEST_NAME = 60


def _draw_files(view: View, found: Answer, shown: SubtopicMap, made_by: str) -> None:
    """Draw a button for each kind of file; a file is made when its button is pressed."""
    st.caption(_("Each file contains all passages one by one, with their groups, as shown now."))
    for suffix in FORMATS:
        if sentence := left_out_of(shown, suffix):
            st.caption(plain(said(sentence)))
    report = Report(
        shown,
        None,
        made_by,
        address=_permalink(view),
        day=date.today().isoformat(),
        searched=view.searched().text,
    )
    with st.container(horizontal=True, gap="small", key="take-files"):
        for kind in FORMATS.values():
            st.download_button(
                _(kind.label),
                file_maker(report, found, kind),
                file_name=file_name(view.query, kind),
                mime=kind.mime,
                key=f"take{kind.suffix}",
                help=_(kind.purpose),
                on_click="ignore",
            )


def _draw_links(view: View, shown: SubtopicMap) -> None:
    """Draw the link to the view and to one of its groups, each with a button that copies it."""
    st.caption(_("This link reopens the question, grouping, map and selection."))
    st.code(_permalink(view), language=None, wrap_lines=True)
    names = {group.id: group.name for group in shown.subtopics}
    group = st.selectbox(
        _("Link to a group"),
        list(names),
        format_func=lambda number: names[number],
        index=None,
        placeholder=_("Choose a group"),
        key="link-group",
    )
    if group is not None:
        st.code(_permalink(view.changed(group=group, passages=())), language=None, wrap_lines=True)


def file_maker(report: Report, found: Answer, kind: FileFormat) -> Callable[[], bytes]:
    """Return a function that makes the file; what made the groups is looked up only then."""
    return lambda: written(replace(report, origin=found.origin()), kind)


def file_name(question: str, kind: FileFormat) -> str:
    """Name a file after the question, in signs that every system takes."""
    words = re.sub(r"[^\w-]+", "-", question.strip().lower()).strip("-_")
    return (words[:_LONGEST_NAME].rstrip("-_") or "subclust") + kind.suffix


def _permalink(view: View) -> str:
    """Write the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(view.to_params() | language_params(), doseq=True)}"


def _draw_way_out(view: View) -> None:
    """Draw a link that opens the whole page in a tab of its own."""
    st.link_button(_("Open in Subclust"), _permalink(view), key="way-out")
