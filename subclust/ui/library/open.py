"""One library: what is in it, how it is encoded, and what can be done with it."""

import html

import streamlit as st

from subclust.core.exceptions import InUseError, SubclustError
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.deleting.removal import delete_library
from subclust.text.encoders import Encoder
from subclust.text.library.catalogue import LibraryEntry
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes, draw_read_only
from subclust.ui.components.resources import library_name
from subclust.ui.i18n.language import _
from subclust.ui.library.backup import draw_backup
from subclust.ui.library.browse import draw_browse
from subclust.ui.library.encoding import draw_encoding
from subclust.ui.library.rename import draw_rename
from subclust.ui.library.said import say
from subclust.ui.library.shown import IMPORT, show_library, show_view
from subclust.ui.library.taken_back import draw_imports, draw_unfinished
from subclust.ui.library.words import facts_html

_TYPED, _REFUSED = "library-delete-name", "library-delete-refused"

TARGET = "library-import-into"
"""Holds the library that documents are to be added to."""


def draw_library(settings: Settings, entry: LibraryEntry, encoder: Encoder | None) -> None:
    """Draw a library with its facts, its actions and its passages."""
    st.html(f"<h2 class='sc-run-title'>{html.escape(library_name(entry.name))}</h2>")
    if entry.problem:
        st.warning(plain(error_words(entry.problem)))
        draw_read_only()
        _draw_delete(settings, entry)
        return
    draw_unfinished(settings, entry.name, entry.unfinished)
    st.html(facts_html(entry))
    draw_encoding(settings, entry, encoder)
    with st.container(horizontal=True, vertical_alignment="center", key="library-actions"):
        if entry.n_passages:
            st.page_link(
                "pages/explore.py",
                label=_("Group this library"),
                query_params={"library": entry.name},
            )
        _draw_add(entry)
        draw_rename(settings, entry)
        draw_backup(settings, entry)
        _draw_delete(settings, entry)
        draw_read_only()
    draw_imports(settings, entry.name)
    if not entry.n_passages:
        st.info(_("It is empty. Add documents to it, and they can be searched and grouped."))
        return
    st.header(_("Its passages"), anchor=False)
    draw_browse(settings, entry)


@changes
def _draw_add(entry: LibraryEntry) -> None:
    st.button(_("Add documents to it"), key="library-add-to", on_click=_add_to, args=(entry.name,))


def _add_to(name: str) -> None:
    st.session_state[TARGET] = name
    show_view(IMPORT)


@changes
def _draw_delete(settings: Settings, entry: LibraryEntry) -> None:
    dialog_button(
        _("Delete it"),
        lambda: _ask_to_delete(settings, entry),
        key="library-delete",
        focus="field",
        on_open=lambda: st.session_state.pop(_REFUSED, None),
    )


def _ask_to_delete(settings: Settings, entry: LibraryEntry) -> None:
    called = library_name(entry.name)
    try:
        check_unused(settings, "library", entry.name)
    except InUseError as error:
        st.warning(plain(error_words(error)))
        return
    told = _(
        "The library {library} is deleted with all that is in it. For seven days it can be put "
        "back, under “Recently deleted”."
    )
    st.write(plain(told.format(library=called)))
    with st.form(f"library-delete-form-{entry.name}", border=False):
        st.text_input(
            plain(_("To delete it, type its name: {library}").format(library=called)),
            key=f"{_TYPED}-{entry.name}",
        )
        st.form_submit_button(
            _("Delete the library"),
            key=f"library-delete-yes-{entry.name}",
            type="primary",
            on_click=_delete,
            args=(settings, entry.name),
        )
    if refused := st.session_state.pop(_REFUSED, ""):
        st.warning(plain(refused))


def _delete(settings: Settings, name: str) -> None:
    called = library_name(name)
    if str(st.session_state.get(f"{_TYPED}-{name}", "")).strip() != called:
        told = _("That is not its name; type {library}, or close this to keep it.")
        st.session_state[_REFUSED] = told.format(library=called)
        return
    try:
        delete_library(settings, name)
    except SubclustError as error:
        st.session_state[_REFUSED] = error_words(error)
        return
    close_dialog()
    say(
        _("The library {library} is deleted; for seven days it can be put back.").format(
            library=called
        )
    )
    show_library("")
