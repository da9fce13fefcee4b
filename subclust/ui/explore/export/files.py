"""The groups as files, and links to them."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.exports import FORMATS, FileFormat, Report, written
from subclust.ui.components.view import View
from subclust.ui.explore.export_words import FORMATS as WORDS
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, language_params

_LONGEST_NAME = 60


def draw_files(view: View, found: Answer, shown: SubtopicMap, made_by: str) -> None:
    """Draw a button for each kind of file; a file is made when its button is pressed."""
    st.caption(_("Each file has all passages with their groups, as they are shown now."))
    report = Report(shown, None, made_by, address=permalink(view), day=date.today().isoformat())
    with st.container(horizontal=True, gap="small", key="take-files"):
        for kind in FORMATS.values():
            name, purpose = (_(words) for words in WORDS[kind.suffix])
            st.download_button(
                name,
                file_maker(report, found, kind),
                file_name=file_name(view.query, kind),
                mime=kind.mime,
                key=f"take{kind.suffix}",
                help=purpose,
                on_click="ignore",
            )


def draw_links(view: View, shown: SubtopicMap) -> None:
    """Draw the link to the view and to one of its groups, each with a button that copies it."""
    st.caption(_("Opens this question, grouping, map and selection again."))
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
    """Write the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(view.to_params() | language_params(), doseq=True)}"
