"""Calling a library, or a collection of it, something else."""

import streamlit as st

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.records.names import LONGEST_NAME, check_given_name
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import UNKNOWN, LibraryEntry
from subclust.text.library.names import find_library, rename_collection, rename_library
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes
from subclust.ui.components.resources import library_name
from subclust.ui.i18n.language import _, _n
from subclust.ui.library.said import say


def name_problem(
    settings: Settings, name: str, own: str | None = None, *, may_exist: bool = False
) -> str:
    """Return why a library cannot be called so; empty where it can.

    Parameters
    ----------
    settings : Settings
    name : str
    own : str, optional
        Id of the library that is to be called so.
    may_exist : bool
        Whether the name of a library that is there will do.
    """
    try:
        check_given_name(name)
    except InputError as error:
        return error_words(error)
    found = find_library(settings.library_dir, name)
    if found is None or found == own or may_exist:
        return ""
    return _("There is a library of this name; choose another one.")


@changes
def draw_rename(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that opens the dialog."""
    if st.button(_("Rename"), key="library-rename"):
        st.dialog(_("Rename"))(_draw_dialog)(settings, entry)


def _draw_dialog(settings: Settings, entry: LibraryEntry) -> None:
    called = library_name(entry.name)
    name = st.text_input(
        _("Name of the library"),
        called,
        key=f"library-rename-to-{entry.name}",
        max_chars=LONGEST_NAME,
    )
    problem = name_problem(settings, name, entry.name)
    if problem:
        st.warning(plain(problem))
    if st.button(
        _("Rename the library"),
        key="library-rename-yes",
        type="primary",
        disabled=bool(problem) or name.strip() == called,
    ):
        _rename(settings, entry.name, name)
    collections = [one for one in entry.collections if one and one != UNKNOWN]
    if not collections:
        return
    st.divider()
    old = st.selectbox(_("Collection"), collections, key=f"library-rename-of-{entry.name}")
    new = st.text_input(
        _("Its new name"), old, key=f"library-rename-part-{old}", max_chars=LONGEST_NAME
    ).strip()
    if new != old and new in collections:
        st.warning(_("There is a collection of this name; both become one."))
    if st.button(
        _("Rename the collection"), key="library-rename-part-yes", disabled=not new or new == old
    ):
        _rename_collection(settings, entry.name, old, new)


def _rename(settings: Settings, id_: str, name: str) -> None:
    try:
        rename_library(settings.library_dir, id_, name)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    say(_("The library is called {library} now.").format(library=library_name(id_)))
    st.rerun()


def _rename_collection(settings: Settings, id_: str, old: str, new: str) -> None:
    try:
        with st.spinner(_("Renaming …")):
            check_unused(settings, "library", id_)
            library = PassageLibrary.open(settings.library_dir, id_)
            n_passages = rename_collection(library, old, new)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    say(
        _n(
            "{count} passage is in the collection {{collection}} now.",
            "{count} passages are in the collection {{collection}} now.",
            n_passages,
        ).format(collection=new)
    )
    st.rerun()
