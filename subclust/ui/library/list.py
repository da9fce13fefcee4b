"""The libraries of this machine: their list, and the one that is open."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.text.encoders import Encoder
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import LibraryEntry, describe, stamp
from subclust.text.library.imports import read_imports
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes, draw_read_only
from subclust.ui.components.recently_deleted import draw_recently_deleted
from subclust.ui.components.resources import library_name, shared_encoder
from subclust.ui.i18n.language import _
from subclust.ui.library.backup import draw_restore
from subclust.ui.library.open import draw_library
from subclust.ui.library.said import draw_said
from subclust.ui.library.shown import IMPORT, opened_library, show_library, show_view
from subclust.ui.library.words import card_words


def draw_libraries(settings: Settings) -> None:
    """Draw the list beside the open library."""
    draw_said()
    names = PassageLibrary.names(settings.library_dir)
    if not names:
        st.info(_("There is no library yet. Add documents from a file, or restore a backup."))
        draw_read_only()
        _draw_first()
        draw_restore(settings)
        draw_recently_deleted(settings, "library")
        return
    encoder = known_encoder(settings)
    entries = [entry_of(settings, name, encoder) for name in names]
    chosen = next((one for one in entries if one.name == opened_library()), entries[0])
    left, right = st.columns([4, 9], gap="large")
    with left:
        st.html(f"<h2 class='sc-headline'>{_('Libraries')}</h2>")
        for entry in entries:
            _draw_card(entry, on=entry is chosen)
        draw_restore(settings)
        draw_recently_deleted(settings, "library")
        draw_recently_deleted(settings, "passages")
    with right:
        draw_library(settings, chosen, encoder)


@changes
def _draw_first() -> None:
    st.button(
        _("Add documents"),
        key="library-first",
        type="primary",
        on_click=show_view,
        args=(IMPORT,),
    )


def _draw_card(entry: LibraryEntry, *, on: bool) -> None:
    kind = "on" if on else "off"
    with st.container(border=True, gap="xsmall", key=f"library-card-{kind}-{entry.name}"):
        st.button(
            plain(library_name(entry.name)),
            key=f"library-open-{entry.name}",
            type="tertiary",
            on_click=show_library,
            args=(entry.name,),
            help=None if on else _("Look at this one"),
        )
        shown = f"{_('shown here')} · " if on else ""
        st.html(f"<p class='sc-facts-line'>{shown}{card_words(entry)}</p>")


def known_encoder(settings: Settings) -> Encoder | None:
    """Return the base encoder, None where it cannot be had; then nothing is said of encodings."""
    try:
        return shared_encoder(settings)
    except SubclustError:
        return None


def entry_of(settings: Settings, name: str, encoder: Encoder | None) -> LibraryEntry:
    """Describe a library; the same one is not read twice."""
    folder = settings.library_dir
    asked = (encoder.name, encoder.revision) if encoder is not None else None
    try:
        mark = stamp(folder, name)
    except SubclustError as error:
        return LibraryEntry(name, problem=str(error))
    entry = _entry(str(folder), name, mark, asked)
    # An import that is broken off writes nothing any more.
    return replace(entry, unfinished=tuple(read_imports(folder, name, unfinished=True)))


@st.cache_data(max_entries=64, show_spinner=False)
def _entry(folder: str, name: str, mark: str, encoder: tuple[str, str] | None) -> LibraryEntry:
    try:
        return describe(Path(folder), name, encoder)
    except SubclustError as error:
        return LibraryEntry(name, problem=str(error))
