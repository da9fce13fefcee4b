"""Deleting passages of a library: those that were chosen, or all that fit the filters."""

from collections.abc import Sequence

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_passages
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter, count_matching
from subclust.text.library.catalogue import LibraryEntry
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes
from subclust.ui.i18n.language import _n
from subclust.ui.library.said import say


@changes
def draw_delete_chosen(settings: Settings, entry: LibraryEntry, chosen: Sequence[Passage]) -> None:
    """Offer to delete the passages that were chosen in the table."""
    which = PassageFilter(ids=tuple(one.id for one in chosen))
    told = _n("Delete {count} chosen passage", "Delete {count} chosen passages", len(chosen))
    dialog_button(
        told,
        lambda: _draw_confirm(settings, entry, which, len(chosen), "chosen"),
        key="library-delete-chosen",
    )


@changes
def draw_delete_matching(settings: Settings, entry: LibraryEntry, which: PassageFilter) -> None:
    """Offer to delete everything that fits the filters."""
    try:
        library = PassageLibrary.open(settings.library_dir, entry.name)
        found = count_matching(library, which)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    told = _n(
        "Delete {count} passage that fits the filters",
        "Delete {count} passages that fit the filters",
        found.n_passages,
    )
    dialog_button(
        told,
        lambda: _draw_confirm(settings, entry, which, found.n_passages, "matching"),
        key="library-delete-matching",
    )


def _draw_confirm(
    settings: Settings, entry: LibraryEntry, which: PassageFilter, count: int, key: str
) -> None:
    told = _n(
        "{count} passage is deleted from {{library}}, and can be put back for seven days.",
        "{count} passages are deleted from {{library}}, and can be put back for seven days.",
        count,
    ).format(library=entry.name)
    st.write(plain(told))
    deleted = st.button(
        _n("Delete {count} passage", "Delete {count} passages", count),
        key=f"library-delete-{key}-yes",
        on_click=_delete,
        args=(settings, entry.name, which),
    )
    close_after(deleted)


def _delete(settings: Settings, name: str, which: PassageFilter) -> None:
    try:
        gone = delete_passages(settings, name, which)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    say(
        _n(
            "{count} passage is deleted from {{library}}.",
            "{count} passages are deleted from {{library}}.",
            gone,
        ).format(library=name)
    )
