"""The files and links of an answer."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.exports import FORMATS, FileFormat, Report, written
from subclust.exports.references import left_out_of
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.view import View
from subclust.ui.components.words import plain
from subclust.ui.explore.about import grouped_by
from subclust.ui.explore.map import known_map
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, language_params, said


def draw_export(view: View, found: Answer) -> None:
    """Draw the button to the files and links of the answer; within another page, the way out."""
    if st.context.is_embedded:
        st.link_button(_("Open in Subclust"), permalink(view), key="way-out")
        return
    drawn = known_map(view, found) if view.projection == "umap" else None
    shown = drawn or found.subtopics
    dialog_button(
        _("Export"), lambda: _draw_ways(view, found, shown), key="take-away", width="medium"
    )


def _draw_ways(view: View, found: Answer, shown: SubtopicMap) -> None:
    _draw_files(view, found, shown)
    _draw_links(view, shown)


_LONGEST_NAME = 60


def _draw_files(view: View, found: Answer, shown: SubtopicMap) -> None:
    """Draw a button for each kind of file; a file is made when its button is pressed."""
    st.caption(_("Each file contains all passages one by one, with their groups, as shown now."))
    report = Report(
        shown,
        None,
        grouped_by(found),
        address=permalink(view),
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
    left_out = [said(one) for suffix in FORMATS if (one := left_out_of(shown, suffix))]
    if left_out:
        st.caption(plain(" ".join(left_out)))


def _draw_links(view: View, shown: SubtopicMap) -> None:
    """Draw the link to the view and to one of its groups, each with a button that copies it."""
    st.caption(_("This link reopens the question, grouping, map and selection."))
    st.code(permalink(view), language=None, wrap_lines=True)
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
        st.code(permalink(view.changed(group=group, passages=())), language=None, wrap_lines=True)


def file_maker(report: Report, found: Answer, kind: FileFormat) -> Callable[[], bytes]:
    """Return a function that makes the file; what made the groups is looked up only then."""
    return lambda: written(replace(report, origin=found.origin()), kind)


def file_name(question: str, kind: FileFormat) -> str:
    """Name a file after the question, in signs that every system takes."""
    words = re.sub(r"[^\w-]+", "-", question.strip().lower()).strip("-_")
    return (words[:_LONGEST_NAME].rstrip("-_") or "subclust") + kind.suffix


def permalink(view: View) -> str:
    """Return the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(view.to_params() | language_params(), doseq=True)}"
