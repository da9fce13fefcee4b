"""Below an answer: what made it, how good it is, how to cite it, sessions, other questions."""

import html
from collections import Counter
from collections.abc import Collection
from datetime import date
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.access import may_see
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_session
from subclust.grouping.naming import LanguageModelNamer, SubtopicNamer
from subclust.methods import METHODS
from subclust.pipeline.explainer import Explainer
from subclust.sessions import Change, Origin, SessionHeader, SessionStore
from subclust.sessions.records import SUFFIX
from subclust.ui import state
from subclust.ui.components.data_folder import (
    changes,
    draw_damaged,
    draw_read_only,
    draw_recently_deleted,
    draw_sharing,
)
from subclust.ui.components.dialogs import close_after, close_dialog, dialog_button
from subclust.ui.components.resources import usual_library
from subclust.ui.components.session import change_view, go_to, known_view
from subclust.ui.components.themes import draw_to_collection
from subclust.ui.components.view import View
from subclust.ui.components.words import (
    EXAMPLES,
    day,
    error_words,
    moment,
    n_passages,
    plain,
    timings,
)
from subclust.ui.explore.controls import draw_stable_count
from subclust.ui.explore.correct.desk import say_of_desk
from subclust.ui.explore.correct.saved import draw_keeping
from subclust.ui.explore.quality import map_quality
from subclust.ui.explore.search import Answer, opened
from subclust.ui.i18n.language import _, said
from subclust.ui.models.facts import own_model_sentence


def draw_ways_on(
    settings: Settings, view: View, found: Answer, explainer: Explainer, *, grouped: bool = True
) -> None:
    """Draw, below an answer, what is saved, what is known of the answer, and other questions."""
    if st.context.is_embedded:
        return
    st.divider()
    with st.container(horizontal=True, gap="small", key="footer"):
        dialog_button(
            _("Saved sessions"), lambda: _draw_sessions(settings, view), key="take-sessions"
        )
        draw_keeping(settings, view)
        if grouped:
            draw_stable_count(found)
        dialog_button(
            _("About this answer"),
            lambda: _draw_about(found, explainer),
            key="about",
            width="medium",
        )
        draw_to_collection()
    draw_examples()


def draw_examples() -> None:
    """Draw questions to try, which are about the demo library."""
    if usual_library() != View.library:
        return
    with st.container(horizontal=True, gap="small", key="examples"):
        st.caption(_("Questions to try:"), width="content")
        for place, example in enumerate(EXAMPLES):
            st.button(
                example,
                key=f"example-{place}",
                type="tertiary",
                on_click=change_view,
                kwargs={"query": example, "library": View.library, "hits": None},
            )


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
        return f"{_(card.label)}. {_(card.summary)}"
    if own := own_model_sentence(checkpoint):
        return f"{_(card.label)}: {own}"
    return _("{method} (model {name}). {summary}").format(
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
        "it. Drafts of corrections are kept for 30 days."
    )


def _changed_since(change: Change) -> str:
    """Return what has changed since a session was saved."""
    match change.kind:
        case "library":
            told = _("The library has changed: it had {then} passages then and has {now} now.")
        case "encoder":
            told = _("The encoder was {then} then; it is {now} now.")
        case "model":
            told = _("The groups were made by {then}; {now} is in use now.")
        case "program":
            told = _("It was saved by Subclust {then}; this is {now}.")
    return told.format(then=said(change.then), now=said(change.now))


def _session_lines(headers: Collection[SessionHeader]) -> dict[str, str]:
    """Write each session in a line of its own, by its id; of equal lines none could be chosen."""
    lines = {one.id: _session_line(one, day(one.saved)) for one in headers}
    for ending in ("", ", {id}"):
        times = Counter(lines.values())
        lines |= {
            one.id: _session_line(one, moment(one.saved) + ending.format(id=one.id))
            for one in headers
            if times[lines[one.id]] > 1
        }
    return lines


def _session_line(header: SessionHeader, when: str) -> str:
    """Write a session in a line: name, question and when it was saved."""
    if header.name == header.question:
        return _("{name} ({day})").format(name=header.name, day=when)
    return _("{name}: {question} ({day})").format(
        name=header.name, question=header.question[:80], day=when
    )


def _draw_sessions(settings: Settings, view: View) -> None:
    """Draw the sessions that there are, and how to take one in."""
    store = SessionStore(settings.sessions_dir)
    draw_damaged(store.damaged(), "session", partial(delete_session, settings))
    headers = {header.id: header for header in store.headers()}
    if headers:
        _draw_chosen(settings, store, view, headers)
        st.divider()
    else:
        st.write(_("No saved sessions yet. “Save” stores an answer exactly as it is."))
    draw_read_only("session")
    _draw_taking(store)
    draw_recently_deleted(settings, "session")
    if told := st.session_state.pop(state.SESSIONS_SAID, None):
        kind, words = told
        (st.success if kind == "done" else st.warning)(plain(words))


def _draw_chosen(
    settings: Settings, store: SessionStore, view: View, headers: dict[str, SessionHeader]
) -> None:
    lines = _session_lines(headers.values())
    chosen = st.selectbox(
        _("Saved sessions"),
        list(headers),
        format_func=lines.__getitem__,
        key=state.SAVED_SESSION,
    )
    header = headers[chosen]
    with st.container(horizontal=True, gap="small", key="session-actions"):
        opened = st.button(
            _("Open"), key="session-open", type="primary", on_click=_open, args=(store, chosen)
        )
        st.download_button(
            _("Export"),
            lambda: store.export(chosen),
            file_name=f"session-{chosen}{SUFFIX}",
            mime="application/octet-stream",
            key="session-export",
            on_click="ignore",
        )
    # If opening failed, the dialog stays open to say why.
    if state.SESSIONS_SAID not in st.session_state:
        close_after(opened)
    _draw_changing(settings, store, view, header)


@changes("session")
def _draw_changing(
    settings: Settings, store: SessionStore, view: View, header: SessionHeader
) -> None:
    """Offer to share, rename or delete a session of one's own."""
    id_ = header.id
    if not may_see(header.owner):
        st.caption(plain(_("Shared by {owner}.").format(owner=header.owner)))
        return
    draw_sharing(header, partial(store.share, id_), f"session-share-{id_}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.checkbox(_("I want to delete it"), key=state.DELETE_SESSION + id_)
        st.button(
            _("Delete"),
            key="session-delete",
            on_click=_delete,
            args=(settings, view, header),
            disabled=not st.session_state.get(state.DELETE_SESSION + id_),
        )
    st.text_input(
        _("New name"), key=state.RENAME_SESSION + id_, placeholder=header.name, max_chars=120
    )
    st.button(_("Rename"), key="session-rename", on_click=_rename, args=(store, id_))


@changes("session")
def _draw_taking(store: SessionStore) -> None:
    given = st.file_uploader(
        _("Import a session file"), type=[SUFFIX.removeprefix(".")], key="session-file"
    )
    st.button(
        _("Import"),
        key="session-take",
        disabled=given is None,
        on_click=_take,
        args=(store, given),
    )


def _open(store: SessionStore, id_: str) -> None:
    try:
        _header, session = store.load(id_)
    except SubclustError as error:
        _tell("wrong", error_words(error))
    else:
        go_to(View.from_params(session.address).changed(session=id_, corrections=""))


def _rename(store: SessionStore, id_: str) -> None:
    try:
        header = store.rename(id_, str(st.session_state.get(state.RENAME_SESSION + id_) or ""))
    except SubclustError as error:
        _tell("wrong", error_words(error))
    else:
        _tell("done", _("Renamed to {name}.").format(name=header.name))


def _delete(settings: Settings, view: View, header: SessionHeader) -> None:
    try:
        delete_session(settings, header.id)
    except SubclustError as error:
        _tell("wrong", error_words(error))
        return
    st.session_state.pop(state.SAVED_SESSION, None)
    if view.session == header.id:
        change_view(session="")
    say_of_desk(known_view(), partial(_deleted, header.name))
    close_dialog()


def _deleted(name: str) -> str:
    told = _("Deleted {name}. You can restore it for 30 days under “Saved sessions”.")
    return told.format(name=name)


def _take(store: SessionStore, given: UploadedFile) -> None:
    try:
        header = store.take(given.getvalue())
    except SubclustError as error:
        _tell("wrong", error_words(error))
    else:
        st.session_state[state.SAVED_SESSION] = header.id
        _tell("done", _("Imported {name}.").format(name=header.name))


def _tell(kind: str, words: str) -> None:
    st.session_state[state.SESSIONS_SAID] = (kind, words)


def draw_opened(view: View) -> None:
    """Draw that this is a session, what has changed since, and a button to group again."""
    known = opened(view)
    if known is None:
        return
    told = [
        _("Session “{name}”, saved on {day}, shown exactly as it was.").format(
            name=known.name, day=moment(known.saved)
        ),
        *map(_changed_since, known.changes),
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="opened-session"):
        (st.warning if known.changes else st.info)(plain(" ".join(told)))
        st.button(
            _("Group again"),
            key="session-anew",
            on_click=change_view,
            kwargs={"session": ""},
            help=_("Asks the library the same question again, as it is now."),
        )
