"""Sessions: kept under a name, opened, renamed, given away, taken in and deleted."""

import json
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.curation.written import to_object
from subclust.exceptions import SubclustError
from subclust.sessions import SessionHeader, SessionStore, session_of
from subclust.sessions.file import SUFFIX
from subclust.settings import Settings
from subclust.ui.correct_desk import desk_of
from subclust.ui.language import _
from subclust.ui.neighbourhood import known_map
from subclust.ui.other_passages import as_recorded
from subclust.ui.search import Answer
from subclust.ui.session import change_view, go_to
from subclust.ui.take_words import session_line
from subclust.ui.view import View

_TOLD = "told of sessions"


def draw_sessions(settings: Settings, view: View, found: Answer) -> None:
    """Draw how to keep this answer, and the sessions that there are."""
    store = SessionStore(settings.sessions_dir)
    _draw_saving(store, view, found)
    headers = {header.id: header for header in store.headers()}
    if headers:
        _draw_chosen(store, view, headers)
    _draw_taking(store)
    if told := st.session_state.pop(_TOLD, None):
        kind, words = told
        (st.success if kind == "done" else st.warning)(words)


def _draw_saving(store: SessionStore, view: View, found: Answer) -> None:
    st.caption(
        _(
            "Keeps the question, the passages, their groups and the map as they are. Everybody who "
            "can open this page can open saved sessions."
        )
    )
    if view.session:
        st.caption(_("What is shown now is a saved session."))
        return
    st.text_input(_("Name of the session"), key="session-name", placeholder=view.query[:80])
    st.button(_("Save"), key="session-save", on_click=_save, args=(store, view, found))


def _draw_chosen(store: SessionStore, view: View, headers: dict[str, SessionHeader]) -> None:
    st.divider()
    chosen = st.selectbox(
        _("Saved sessions"),
        list(headers),
        format_func=lambda id_: session_line(headers[id_]),
        key="session-chosen",
    )
    header = headers[chosen]
    with st.container(horizontal=True, gap="small", key="session-actions"):
        st.button(
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
        st.button(_("Delete"), key="session-delete", on_click=_delete, args=(store, view, header))
    st.text_input(
        _("New name"), key=f"session-rename-{chosen}", placeholder=header.name, max_chars=120
    )
    st.button(_("Rename"), key="session-rename", on_click=_rename, args=(store, chosen))


def _draw_taking(store: SessionStore) -> None:
    st.divider()
    given = st.file_uploader(
        _("Take in a session file"), type=[SUFFIX.removeprefix(".")], key="session-file"
    )
    st.button(
        _("Take in"),
        key="session-take",
        disabled=given is None,
        on_click=_take,
        args=(store, given),
    )


def _save(store: SessionStore, view: View, found: Answer) -> None:
    name = str(st.session_state.get("session-name") or view.query)[:120]
    drawn = known_map(view, found)
    try:
        kept = session_of(
            as_recorded(found.subtopics),
            found.ranking.hits,
            found.origin(),
            address=replace(view, corrections="").to_params(),
            other_maps=[as_recorded(drawn)] if drawn else [],
            corrections=_corrections(view),
        )
        header = store.save(kept, name)
    except SubclustError as error:
        _tell("wrong", str(error))
    except ValueError:
        _tell("wrong", _("This answer is too large or has signs that cannot be kept."))
    else:
        st.session_state["session-chosen"] = header.id
        st.session_state["session-name"] = ""
        _tell("done", _("Saved as {name}.").format(name=header.name))


def _corrections(view: View) -> list[Any]:
    """List what the groups that are shown were corrected by, as JSON values."""
    edits = [to_object(edit) for edit in desk_of(view).history.done]
    found: list[Any] = json.loads(json.dumps(edits))
    return found


def _open(store: SessionStore, id_: str) -> None:
    try:
        _header, session = store.load(id_)
    except SubclustError as error:
        _tell("wrong", str(error))
    else:
        go_to(View.from_params(session.address).changed(session=id_, corrections=""))


def _rename(store: SessionStore, id_: str) -> None:
    try:
        header = store.rename(id_, str(st.session_state.get(f"session-rename-{id_}") or ""))
    except SubclustError as error:
        _tell("wrong", str(error))
    else:
        _tell("done", _("It is called {name} now.").format(name=header.name))


def _delete(store: SessionStore, view: View, header: SessionHeader) -> None:
    try:
        store.delete(header.id)
    except SubclustError as error:
        _tell("wrong", str(error))
        return
    st.session_state.pop("session-chosen", None)
    if view.session == header.id:
        change_view(session="")
    _tell("done", _("{name} was deleted.").format(name=header.name))


def _take(store: SessionStore, given: UploadedFile) -> None:
    try:
        header = store.take(given.getvalue())
    except SubclustError as error:
        _tell("wrong", str(error))
    else:
        st.session_state["session-chosen"] = header.id
        _tell("done", _("Took in {name}.").format(name=header.name))


def _tell(kind: str, words: str) -> None:
    st.session_state[_TOLD] = (kind, words)
