"""The libraries of this machine: their list, and the open one."""

import html
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st

from subclust.core.access import acting
from subclust.core.exceptions import InUseError, SubclustError
from subclust.core.limits import limit_library, teams_of
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.deleting.removal import delete_library
from subclust.text.encoders import Encoder
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import LibraryEntry, describe, stamp
from subclust.text.library.facets import OTHERS, UNKNOWN, ordered
from subclust.text.library.imports import read_imports
from subclust.ui import state
from subclust.ui.components.data_folder import (
    changes,
    draw_build_demo,
    draw_read_only,
    draw_recently_deleted,
    told_of_others,
)
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.resources import library_name, shared_encoder
from subclust.ui.components.words import error_words, moment, plain
from subclust.ui.i18n.language import _, _n, file_size, number
from subclust.ui.library.browse import draw_browse, language_name
from subclust.ui.library.care import draw_backup, draw_duplicates, draw_restore
from subclust.ui.library.shown import (
    IMPORT,
    draw_done,
    draw_group_link,
    opened_library,
    report_done,
    show_library,
    show_view,
)
from subclust.ui.library.upkeep import draw_encoding, draw_imports, draw_rename, draw_unfinished

_MOST_NAMED = 4


def draw_libraries(settings: Settings) -> None:
    """Draw the list beside the open library."""
    draw_done()
    names = PassageLibrary.names(settings.library_dir)
    if not names:
        st.info(
            told_of_others(settings)
            or _(
                "No library yet. Build the demo library of 95 Wikipedia articles to try Subclust, "
                "add documents of your own, or restore a backup."
            )
        )
        draw_read_only("library")
        with st.container(horizontal=True):
            draw_build_demo(settings)
            _draw_first()
        draw_restore(settings)
        draw_recently_deleted(settings, "library")
        return
    encoder = _known_encoder(settings)
    entries = [_entry_of(settings, name, encoder) for name in names]
    opened = next((one for one in entries if one.name == opened_library()), entries[0])
    left, right = st.columns([4, 9], gap="large")
    with left:
        st.header(_("Libraries"), anchor=False)
        for entry in entries:
            _draw_card(entry, on=entry is opened)
        draw_restore(settings)
        draw_recently_deleted(settings, "library")
        draw_recently_deleted(settings, "passages")
    with right:
        _draw_library(settings, opened, encoder)


@changes("library")
def _draw_first() -> None:
    st.button(
        _("Add documents"),
        key="library-first",
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
            help=None if on else _("Show this one"),
        )
        shown = f"{_('shown here')} · " if on else ""
        st.caption(plain(shown + _card_words(entry)))


def _draw_library(settings: Settings, entry: LibraryEntry, encoder: Encoder | None) -> None:
    """Draw a library with its facts, its actions and its passages."""
    st.header(plain(library_name(entry.name)), anchor=False)
    if entry.problem:
        st.warning(plain(error_words(entry.problem)))
        draw_read_only("library")
        _draw_delete(settings, entry)
        return
    draw_unfinished(settings, entry.name, entry.unfinished)
    draw_encoding(settings, entry, encoder)
    st.markdown(plain(_contents_words(entry)))
    if not entry.n_passages:
        st.info(_("This library is empty. Add documents, then search and group them."))
    with st.container(horizontal=True, vertical_alignment="center", key="library-actions"):
        _draw_add(entry)
        if entry.n_passages:
            draw_group_link(entry.name)
    with st.expander(_("Details and upkeep"), key="library-upkeep"):
        st.html(_facts_html(entry))
        with st.container(horizontal=True, key="library-manage"):
            draw_rename(settings, entry)
            _draw_limit(settings, entry)
            draw_duplicates(settings, entry)
            draw_backup(settings, entry)
            _draw_delete(settings, entry)
            draw_read_only("library")
        draw_imports(settings, entry.name)
    if not entry.n_passages:
        return
    st.header(_("Passages"), anchor=False)
    draw_browse(settings, entry)


@changes("library")
def _draw_add(entry: LibraryEntry) -> None:
    def add_to() -> None:
        st.session_state[state.IMPORT_TARGET] = entry.name
        show_view(IMPORT)

    st.button(_("Add documents"), key="library-add-to", type="primary", on_click=add_to)


@changes("library")
def _draw_delete(settings: Settings, entry: LibraryEntry) -> None:
    dialog_button(
        _("Delete"),
        lambda: _ask_to_delete(settings, entry),
        key="library-delete",
        focus="field",
        on_open=lambda: st.session_state.pop(state.LIBRARY_DELETE_PROBLEM, None),
    )


def _ask_to_delete(settings: Settings, entry: LibraryEntry) -> None:
    called = library_name(entry.name)
    try:
        check_unused(settings, "library", entry.name)
    except InUseError as error:
        st.warning(plain(error_words(error)))
        return
    told = _(
        "This deletes the library {library} with everything in it. You can restore it for 30 "
        "days, under “Recently deleted”."
    )
    st.write(plain(told.format(library=called)))
    with st.form(f"library-delete-form-{entry.name}", border=False):
        st.text_input(
            _("To delete it, type its name"),  # a label is read out as it is, escapes and all
            key=f"{state.LIBRARY_DELETE_NAME}-{entry.name}",
        )
        st.form_submit_button(
            _("Delete the library"),
            key=f"library-delete-yes-{entry.name}",
            type="primary",
            on_click=_delete,
            args=(settings, entry.name),
        )
    if problem := st.session_state.pop(state.LIBRARY_DELETE_PROBLEM, ""):
        st.warning(plain(problem))


def _delete(settings: Settings, name: str) -> None:
    called = library_name(name)
    if str(st.session_state.get(f"{state.LIBRARY_DELETE_NAME}-{name}", "")).strip() != called:
        told = _("The name does not match. Type {library}, or close this dialog to keep it.")
        st.session_state[state.LIBRARY_DELETE_PROBLEM] = told.format(library=called)
        return
    try:
        delete_library(settings, name)
    except SubclustError as error:
        st.session_state[state.LIBRARY_DELETE_PROBLEM] = error_words(error)
        return
    close_dialog()
    told = _("The library {library} was deleted. You can restore it for 30 days.")
    report_done(told.format(library=called))
    show_library("")


def _known_encoder(settings: Settings) -> Encoder | None:
    """Return the base encoder, None where it is missing; then nothing is said of encodings."""
    try:
        return shared_encoder(settings)
    except SubclustError:
        return None


def _entry_of(settings: Settings, name: str, encoder: Encoder | None) -> LibraryEntry:
    """Describe a library; the same one is not read twice."""
    folder = settings.library_dir
    asked = (encoder.name, encoder.revision) if encoder is not None else None
    try:
        mark = stamp(folder, name)
    except SubclustError as error:
        return LibraryEntry(name, problem=error.sentence)
    entry = _entry(str(folder), name, mark, asked)
    # An interrupted import writes nothing any more, so the stamp does not tell of it.
    return replace(entry, unfinished=tuple(read_imports(folder, name, unfinished=True)))


# `mark` changes with every write to the library; it is there for the key of the cache only.
@st.cache_data(max_entries=64, show_spinner=False)
def _entry(folder: str, name: str, mark: str, encoder: tuple[str, str] | None) -> LibraryEntry:
    try:
        return describe(Path(folder), name, encoder)
    except SubclustError as error:
        return LibraryEntry(name, problem=error.sentence)


def _card_words(entry: LibraryEntry) -> str:
    """Return what a library holds, in a line."""
    if entry.problem:
        return _("cannot be opened")
    facts = [
        _("incomplete: an import was interrupted") if entry.unfinished else "",
        _n("{count} passage", "{count} passages", entry.n_passages),
        _years(entry.years),
        file_size(entry.n_bytes),
        _("prepared with another encoder") if entry.is_current is False else "",
    ]
    return " · ".join(filter(None, facts))


def _contents_words(entry: LibraryEntry) -> str:
    """Return what is in a library, in a line for people."""
    facts = [
        _n("{count} document", "{count} documents", entry.n_documents),
        _n("{count} passage", "{count} passages", entry.n_passages),
        ", ".join(map(language_name, list(_spoken(entry))[:_MOST_NAMED])),
        _years(entry.years),
    ]
    return " · ".join(filter(None, facts))


def _spoken(entry: LibraryEntry) -> Mapping[str, int]:
    """Return the passages by language: as records say, or else as their texts tell."""
    if not entry.recognised:
        return entry.languages
    # Adding counters drops zeros: passages of unknown language are among the recognised.
    said = Counter({**entry.languages, UNKNOWN: 0}) + Counter(entry.recognised)
    return ordered(said)


def _facts_html(entry: LibraryEntry) -> str:
    """Write what a library holds as a list of facts."""
    years = _years(entry.years)
    if years and (without := entry.years.get(UNKNOWN, 0)):
        years += ", " + _n("{count} without a year", "{count} without a year", without)
    size = file_size(entry.n_bytes)
    if entry.n_bytes_other:
        size = _("{size}, and {other} for other encoders").format(
            size=size, other=file_size(entry.n_bytes_other)
        )
    facts = {
        _("Passages"): number(entry.n_passages),
        _("Documents"): number(entry.n_documents),
        _("Collections"): _most(entry.collections),
        _("Languages"): _most(_spoken(entry), language_name),
        _("Years"): years,
        _("Sources"): _most(entry.sources) if set(entry.sources) - {UNKNOWN} else "",
        _("On disk"): size,
        _("Last changed"): moment(entry.written),
        _("Encoder"): entry.encoder_name,
    }
    rows = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(told)}</dd></div>"
        for name, told in facts.items()
        if told
    )
    return f"<dl class='sc-about'>{rows}</dl>"


def _value(key: str) -> str:
    return {UNKNOWN: _("not given"), OTHERS: _("others")}.get(key, key)


def _most(counts: Mapping[str, int], label: Callable[[str], str] = _value) -> str:
    """List the most frequent values: "English 2,950, German 23 and 3 more"."""
    most = list(counts.items())[:_MOST_NAMED]
    told = ", ".join(f"{label(key)} {number(count)}" for key, count in most)
    if len(counts) > _MOST_NAMED:
        more = number(len(counts) - _MOST_NAMED)
        return _("{these} and {count} more").format(these=told, count=more)
    return told


def _years(years: Mapping[str, int]) -> str:
    """Return the first and the last year, empty where none is given."""
    given = sorted((year for year in years if year.isdecimal()), key=int)
    if not given:
        return ""
    return given[0] if given[0] == given[-1] else f"{given[0]}–{given[-1]}"


@changes("library")
def _draw_limit(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that limits a library to teams, where people sign in."""
    if acting().name:
        dialog_button(
            _("Who sees it"), lambda: _draw_teams(settings, entry.name), key="library-limit"
        )


def _draw_teams(settings: Settings, id_: str) -> None:
    now = teams_of(settings.library_dir, id_)
    key = f"library-limit-to-{id_}"
    st.write(_("Only members of these teams see and search it. Without a team, everybody does."))
    st.multiselect(
        _("Teams"),
        sorted({*now, *acting().teams}),
        default=now,
        key=key,
        accept_new_options=True,
    )
    if problem := st.session_state.pop(state.LIMIT_PROBLEM, None):
        st.error(plain(problem))
    st.button(_("Apply"), key="library-limit-yes", on_click=_limit, args=(settings, id_, key))


def _limit(settings: Settings, id_: str, key: str) -> None:
    teams = list(st.session_state[key])
    try:
        limit_library(settings.library_dir, id_, teams)
    except SubclustError as error:
        st.session_state[state.LIMIT_PROBLEM] = error_words(error)
        return
    told = _("{library} is for everybody who signs in now.")
    if teams:
        told = _("{library} is only for {teams} now.")
    report_done(told.format(library=library_name(id_), teams=", ".join(teams)))
    close_dialog()
