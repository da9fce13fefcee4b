"""One library: what is in it, how it is encoded, and what can be done with it."""

import html

import streamlit as st

from subclust.deleting.removal import delete_library
from subclust.encoders import Encoder
from subclust.exceptions import SubclustError
from subclust.library.catalogue import LibraryEntry
from subclust.settings import Settings
from subclust.ui.dialogs import close_after, dialog_button
from subclust.ui.error_words import error_words
from subclust.ui.language import _, _n
from subclust.ui.library_backup import draw_backup
from subclust.ui.library_browse import draw_browse
from subclust.ui.library_encoding import draw_encoding
from subclust.ui.library_rename import draw_rename
from subclust.ui.library_said import say
from subclust.ui.library_shown import IMPORT, show_library, show_view
from subclust.ui.library_taken_back import draw_imports, draw_unfinished
from subclust.ui.library_words import facts_html
from subclust.ui.plain import plain
from subclust.ui.resources import library_name

TARGET = "library-import-into"
"""Holds the library that documents are to be added to."""


def draw_library(settings: Settings, entry: LibraryEntry, encoder: Encoder | None) -> None:
    """Draw a library with its facts, its actions and its passages."""
    st.html(f"<h2 class='sc-run-title'>{html.escape(library_name(entry.name))}</h2>")
    if entry.problem:
        st.warning(plain(error_words(entry.problem)))
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
        st.button(
            _("Add documents to it"),
            key="library-add-to",
            on_click=_add_to,
            args=(entry.name,),
        )
        draw_rename(settings, entry)
        draw_backup(settings, entry)
        _draw_delete(settings, entry)
    draw_imports(settings, entry.name)
    if not entry.n_passages:
        st.info(_("It is empty. Add documents to it, and they can be searched and grouped."))
        return
    st.header(_("Its passages"), anchor=False)
    draw_browse(settings, entry)


def _add_to(name: str) -> None:
    st.session_state[TARGET] = name
    show_view(IMPORT)


def _draw_delete(settings: Settings, entry: LibraryEntry) -> None:
    dialog_button(_("Delete it"), lambda: _ask_to_delete(settings, entry), key="library-delete")


def _ask_to_delete(settings: Settings, entry: LibraryEntry) -> None:
    told = _(
        "Delete the library {library} with all that is in it? This cannot be undone; keep a "
        "backup if you may want it again."
    ).format(library=library_name(entry.name))
    st.write(plain(told))
    deleted = st.button(
        _n("Delete {count} passage", "Delete {count} passages", entry.n_passages)
        if entry.n_passages
        else _("Delete the library"),
        key=f"library-delete-yes-{entry.name}",
        on_click=_delete,
        args=(settings, entry.name),
    )
    close_after(deleted)


def _delete(settings: Settings, name: str) -> None:
    called = library_name(name)
    try:
        delete_library(settings, name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    say(_("The library {library} is deleted.").format(library=called))
    show_library("")
