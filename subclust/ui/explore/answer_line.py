"""The sentence that answers; below it, ways to divide the answer and to export it."""

import html
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import streamlit as st

from subclust.comparison import LETTERS, MAX_COLUMNS, Column
from subclust.core.records import MAX_QUESTION, SubtopicMap
from subclust.core.settings import Settings
from subclust.exports import FORMATS, FileFormat, Report, written
from subclust.exports.references import left_out_of
from subclust.labelled.corrections import Corrected
from subclust.pipeline.ways import Way
from subclust.ui import state
from subclust.ui.components.address import write_column
from subclust.ui.components.data_folder import who_opens
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.resources import library_label
from subclust.ui.components.session import go_to
from subclust.ui.components.view import View
from subclust.ui.components.words import file_name, n_documents, n_passages, plain
from subclust.ui.explore.about import grouped_by
from subclust.ui.explore.correct.bar import draw_begin, has_tools
from subclust.ui.explore.correct.desk import desk_of
from subclust.ui.explore.correct.save import draw_save
from subclust.ui.explore.map import known_map
from subclust.ui.explore.search import Answer, opened
from subclust.ui.i18n.language import _, _n, language, language_params, said


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
                _draw_divide(view, found)
            draw_begin(view)
            if not has_tools(view):
                draw_save(settings, view, found, corrected)
            _draw_export(view, found)


def _answer_sentence(found: Answer) -> str:
    """Return how many subtopics of what there are in which passages, and what was set aside."""
    shown, aside = found.subtopics, len(found.ranking.set_aside)
    passages, documents = n_passages(len(shown.members)), n_documents(shown.members.values())
    if documents:
        passages = _("{passages} from {documents}").format(passages=passages, documents=documents)
    question, way = found.ranking.query.text, shown.query.text
    if way == question:
        template = _("{groups} of “{question}” in {passages} of the library “{library}”")
    elif shown.query.way:
        template = _(
            "{groups} of “{question}”, divided {way}, in {passages} of the library “{library}”"
        )
    else:
        template = _(
            "{groups} of “{question}”, grouped under “{way}”, in {passages} of the library "
            "“{library}”"
        )
    told = template.format(
        groups=_n("{count} subtopic", "{count} subtopics", shown.n_clusters),
        question=question,
        way=way,
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


_WAYS_SHOWN = 3
"""Groups of a way that are named."""


def _draw_divide(view: View, found: Answer) -> None:
    """Draw the button that groups the same passages in another way."""

    def draw() -> None:
        ways = found.pipeline.ways(found.ranking)
        others = [way for way in ways if way.key != view.way]
        if others:
            _draw_ways(view, others)
        _draw_own_words(view)
        if ways and not view.trail:
            _draw_compare(view, ways)

    dialog_button(_("Divide by …"), draw, key="divide", focus="field")


def _draw_ways(view: View, ways: Sequence[Way]) -> None:
    """Draw a button for each way; one click groups the passages so."""
    st.caption(_("These passages also divide"))
    with st.container(key="ways", gap="xsmall"):
        for way in ways:
            text = str(said(way.text))
            groups = _n("{count} group", "{count} groups", way.n_groups)
            pressed = st.button(
                plain(_("{way}: {groups}").format(way=_with_names(way), groups=groups)),
                key=f"way-{way.key}",
                width="stretch",
                on_click=_divide,
                args=(view, text),
                kwargs={"way": way.key, "n_clusters": "auto"},
            )
            close_after(pressed)


def _with_names(way: Way) -> str:
    """Return what a way is called, with the names of some groups."""
    told = str(said(way.text))
    if "(" in told:
        return told
    more = ["…"] if way.n_groups > len(way.names[:_WAYS_SHOWN]) else []
    return f"{told} ({', '.join([*way.names[:_WAYS_SHOWN], *more])})"


def _divide(view: View, text: str, **changes: str) -> None:
    go_to(view.keeping().changed(query=text, **{"way": ""} | changes))


def _draw_own_words(view: View) -> None:
    def divide() -> None:
        if asked := str(st.session_state[state.DIVIDE_BY]).strip():
            _divide(view, asked)

    with st.form("divide-form", border=False):
        st.text_input(
            _("Divide these passages by"),
            key=state.DIVIDE_BY,
            placeholder=_("by country, by topic, economy and trade"),
            help=_(
                "No new search: the passages stay, and their groups follow what you type. "
                "“By country” divides by what passages are about, “by topic” by what they say "
                "of it."
            ),
            max_chars=MAX_QUESTION,
        )
        pressed = st.form_submit_button(
            _("Divide"), key="divide-now", type="primary", on_click=divide
        )
    close_after(pressed)


def _draw_compare(view: View, ways: Sequence[Way]) -> None:
    """Draw the link to a comparison of the question's own groups with those of the ways."""
    own = Column(view.method)
    columns = [own, *(Column(view.method, query=said(way.text), way=way.key) for way in ways)]
    st.page_link(
        "pages/compare.py",
        label=_("Compare these ways side by side"),
        query_params={
            "q": view.searched().text,
            "library": view.library,
            "top": str(view.top_k),
            **dict(zip(LETTERS.lower(), map(write_column, columns[:MAX_COLUMNS]), strict=False)),
            **language_params(),
        },
    )


def _draw_export(view: View, found: Answer) -> None:
    """Draw the button to the files and links of the answer; within another page, the way out."""
    if st.context.is_embedded:
        st.link_button(_("Open in Subclust"), _permalink(view), key="way-out")
        return
    drawn = known_map(view, found) if view.projection == "umap" else None
    shown = drawn or found.subtopics
    dialog_button(
        _("Export"), lambda: _draw_exports(view, found, shown), key="take-away", width="medium"
    )


def _draw_exports(view: View, found: Answer, shown: SubtopicMap) -> None:
    _draw_files(view, found, shown)
    _draw_links(view, shown)


def _draw_files(view: View, found: Answer, shown: SubtopicMap) -> None:
    """Draw a button for each kind of file; a file is made when its button is pressed."""
    st.caption(_("Each file contains all passages one by one, with their groups, as shown now."))
    report = Report(
        shown,
        None,
        grouped_by(found),
        address=_permalink(view),
        day=date.today().isoformat(),
        searched=view.searched().text,
        language=language(),
    )
    draw_file_buttons(
        FORMATS, shown, lambda kind: _file_maker(report, found, kind), view.query, key="take"
    )


def draw_file_buttons(
    suffixes: Collection[str],
    shown: SubtopicMap,
    maker: Callable[[FileFormat], Callable[[], bytes]],
    stem: str,
    *,
    key: str,
) -> None:
    """Draw a button for each kind of file, and say below what files leave out of the passages.

    Parameters
    ----------
    suffixes : collection of str
        Of `FORMATS`.
    shown : SubtopicMap
    maker : callable
        Returns what makes a file of a kind; it is called when the button is pressed.
    stem : str
        What files are named after.
    key : str
        Of the buttons, before the suffix.
    """
    with st.container(horizontal=True, gap="small", key=f"{key}-files"):
        for kind in map(FORMATS.__getitem__, suffixes):
            st.download_button(
                _(kind.label),
                maker(kind),
                file_name=file_name(stem, kind.suffix),
                mime=kind.mime,
                key=f"{key}{kind.suffix}",
                help=_(kind.purpose),
                on_click="ignore",
            )
    if left_out := [said(one) for one in left_out_of(shown, *suffixes)]:
        st.caption(plain(" ".join(left_out)))


def _draw_links(view: View, shown: SubtopicMap) -> None:
    """Draw the link to the view and to one of its groups, each with a button that copies it."""
    st.caption(_("This link reopens the question, grouping, map and selection."))
    if (session := opened(view)) is not None and (told := who_opens(session.header)):
        st.caption(plain(told))
    if not desk_of(view).is_saved:
        st.caption(
            _("Save your corrections first: until then, the link shows the groups without them.")
        )
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


def _file_maker(report: Report, found: Answer, kind: FileFormat) -> Callable[[], bytes]:
    """Return a function that makes the file; what made the groups is looked up only then."""
    return lambda: written(replace(report, origin=found.origin()), kind)


def _permalink(view: View) -> str:
    """Return the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    # Named even where it is the usual one, since that may be another when the link is opened.
    params = view.to_params() | {"library": view.library} | language_params()
    return f"{page}?{urlencode(params, doseq=True)}"
