"""The passages of a library: filtered, page by page, read, and deleted."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.records import Passage
from subclust.core.records.languages import language_name as told_in
from subclust.core.records.links import web_address
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_passages
from subclust.exports.collection import write_collection
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import Listing, PassageFilter, browse, count_matching
from subclust.text.library.catalogue import LibraryEntry
from subclust.text.library.facets import OTHERS, UNKNOWN
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.markup import draw_status
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, _n, language, number
from subclust.ui.library.records import other_fields, passages_html
from subclust.ui.library.shown import report_done

_PAGE_SIZE = 50
_MOST_WRITTEN = 20_000
"""Passages that are written to a file from the page."""

_COLUMNS = ("year", "authors", "language", "source")
"""Fields of a record that have a column under a name of ours."""


def draw_browse(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the filters, the table of one page, and what can be done with the passages."""
    try:
        which = _draw_filters(entry)
        library = PassageLibrary.open(settings.library_dir, entry.name)
        page = _page(entry.name, which)
        listing = browse(library, which, offset=page * _PAGE_SIZE, limit=_PAGE_SIZE)
        if not listing.passages and page:  # what was on the last page has been deleted
            _turn_to(entry.name, which, 0)
            listing = browse(library, which, offset=0, limit=_PAGE_SIZE)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    if not listing.n_passages:
        st.info(_("No passage matches these filters. Remove one, or clear them all."))
        return
    _draw_pager(settings, entry.name, which, listing)
    chosen = _draw_table(entry, listing)
    if chosen:
        with st.container(border=True, key="library-chosen", gap="small"):
            told = _n("{count} passage selected", "{count} passages selected", len(chosen))
            st.subheader(told, anchor=False)
            st.html(passages_html(chosen))
            _draw_delete_chosen(settings, entry, chosen)
    if not which.is_empty:
        _draw_delete_matching(settings, entry, which)


def language_name(code: str) -> str:
    """Return the name of a language in the visitor's; an unknown code stays as it is."""
    if code in (UNKNOWN, OTHERS):
        return _("language not given") if code == UNKNOWN else _("others")
    return told_in(code, language())


def _draw_filters(entry: LibraryEntry) -> PassageFilter:
    """Draw the filters, and return them."""
    turn = f"{entry.name}-{st.session_state.get(state.BROWSE_ROUND, 0)}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="library-filters"):
        words = st.text_input(
            _("Words"),
            key=f"library-words-{turn}",
            placeholder=_("in title or text"),
            width=200,
        )
        collection = _choice(_("Collection"), entry.collections, f"collection-{turn}")
        tongue = _choice(_("Language"), entry.languages, f"language-{turn}", language_name)
        source = _choice(_("Source"), entry.sources, f"source-{turn}")
        given = sorted(int(year) for year in entry.years if year.isdecimal())
        first = last = None
        if len(given) > 1:
            first = _year(_("From year"), given, f"from-{turn}")
            last = _year(_("To year"), given, f"to-{turn}")
        which = PassageFilter(
            words=words.strip(),
            collection=collection,
            language=tongue,
            source=source,
            year_from=first,
            year_to=last,
        )
        if which != PassageFilter():
            st.button(_("Clear filters"), key="library-clear", on_click=_clear)
    return which


def _choice(
    label: str,
    counts: Mapping[str, int],
    key: str,
    told: Callable[[str], str] = str,
) -> str | None:
    """Draw the choice of a value; nothing where there is only one."""
    known = [name for name in counts if name != OTHERS]
    if len(known) < 2:
        return None

    def shown(name: str) -> str:
        said = _("not given") if name == UNKNOWN else told(name)
        return f"{said} ({number(counts[name])})"

    chosen: str | None = st.selectbox(
        label,
        known,
        index=None,
        format_func=shown,
        placeholder=_("all"),
        key=f"library-{key}",
        width=150,
    )
    return chosen


def _year(label: str, given: list[int], key: str) -> int | None:
    chosen: int | None = st.selectbox(
        label,
        given,
        index=None,
        format_func=str,
        placeholder=_("all"),
        key=f"library-year-{key}",
        width=110,
    )
    return chosen


def _clear() -> None:
    st.session_state[state.BROWSE_ROUND] = st.session_state.get(state.BROWSE_ROUND, 0) + 1


def _draw_pager(settings: Settings, name: str, which: PassageFilter, listing: Listing) -> None:
    first, last = listing.offset + 1, listing.offset + len(listing.passages)
    told = (
        _n("{count} passage", "{count} passages", listing.n_passages)
        if listing.n_passages <= _PAGE_SIZE
        else _("{first} to {last} of {total} passages").format(
            first=number(first), last=number(last), total=number(listing.n_passages)
        )
    )
    with st.container(horizontal=True, vertical_alignment="center", key="library-pager"):
        draw_status(told, "sc-kept", "content")
        if listing.n_passages > _PAGE_SIZE:
            page = listing.offset // _PAGE_SIZE
            st.button(
                _("Previous page"),
                key="library-earlier",
                disabled=page == 0,
                on_click=_turn_to,
                args=(name, which, page - 1),
            )
            st.button(
                _("Next page"),
                key="library-later",
                disabled=last >= listing.n_passages,
                on_click=_turn_to,
                args=(name, which, page + 1),
            )
        if listing.n_passages <= _MOST_WRITTEN:
            st.download_button(
                _("Download as CSV"),
                lambda: _as_csv(settings, name, which),
                file_name=f"{name}.csv",
                mime="text/csv",
                on_click="ignore",
                key="library-csv",
                help=_("All passages that match the filters"),
            )


def _as_csv(settings: Settings, name: str, which: PassageFilter) -> bytes:
    library = PassageLibrary.open(settings.library_dir, name)
    found = browse(library, which, limit=_MOST_WRITTEN).passages
    with TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "passages.csv"
        write_collection(found, path)
        return path.read_bytes()


def _draw_table(entry: LibraryEntry, listing: Listing) -> list[Passage]:
    others = other_fields((one.metadata for one in listing.passages), _COLUMNS)
    frame = pd.DataFrame(
        [
            {
                _("Title"): one.title,
                _("Year"): one.metadata.get("year", ""),
                _("Authors"): one.metadata.get("authors", ""),
                _("Collection"): one.collection,
                _("Passage"): one.text,
                _("Language"): one.metadata.get("language", ""),
                _("Source"): one.metadata.get("source", ""),
                _("Link"): web_address(one.metadata),
                _("Id"): one.id,
                **{name: one.metadata.get(name, "") for name in others},
            }
            for one in listing.passages
        ],
        index=[one.id for one in listing.passages],
    )
    # Most records fill only a few of the fields; empty columns would push those off the screen.
    frame = frame.loc[:, [bool(frame[name].any()) for name in frame.columns]]
    # A choice is kept by the place in the frame: other passages, another table.
    key = f"library-table-{entry.name}-{crc32(chr(10).join(frame.index).encode()):08x}"
    event = st.dataframe(
        frame,
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=min(560, 40 + 35 * len(frame)),
        alt=_("Passages of the library"),
        column_config={
            _("Title"): st.column_config.TextColumn(width=220),
            _("Year"): st.column_config.TextColumn(width=60),
            _("Authors"): st.column_config.TextColumn(width=120),
            _("Passage"): st.column_config.TextColumn(width=700),
            _("Link"): st.column_config.LinkColumn(),
        },
    )
    st.caption(_("Select rows to read them in full, or to delete them."))
    return [listing.passages[row] for row in event.selection.rows]


def _page(name: str, which: PassageFilter) -> int:
    kept = st.session_state.get(state.BROWSE_PAGE)
    return kept[1] if kept is not None and kept[0] == (name, which) else 0


def _turn_to(name: str, which: PassageFilter, page: int) -> None:
    st.session_state[state.BROWSE_PAGE] = ((name, which), page)


@changes("library")
def _draw_delete_chosen(settings: Settings, entry: LibraryEntry, chosen: Sequence[Passage]) -> None:
    """Draw the button that deletes the selected passages."""
    which = PassageFilter(ids=tuple(one.id for one in chosen))
    told = _n("Delete {count} selected passage", "Delete {count} selected passages", len(chosen))
    dialog_button(
        told,
        lambda: _draw_confirm(settings, entry, which, len(chosen), "chosen"),
        key="library-delete-chosen",
    )


@changes("library")
def _draw_delete_matching(settings: Settings, entry: LibraryEntry, which: PassageFilter) -> None:
    """Draw the button that deletes everything that matches the filters."""
    try:
        library = PassageLibrary.open(settings.library_dir, entry.name)
        found = count_matching(library, which)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    told = _n(
        "Delete {count} matching passage",
        "Delete {count} matching passages",
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
        "This deletes {count} passage of {{library}}. You can restore it for 30 days.",
        "This deletes {count} passages of {{library}}. You can restore them for 30 days.",
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
    report_done(
        _n(
            "{count} passage of {{library}} was deleted.",
            "{count} passages of {{library}} were deleted.",
            gone,
        ).format(library=name)
    )
