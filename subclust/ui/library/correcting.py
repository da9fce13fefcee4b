"""What corrects a file: its encoding, its columns, and the rows that were rejected."""

import io
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.apart import TooMuchMemoryError, TooSlowError, call_apart
from subclust.exports.refused import ReportRow, original_columns, write_refused
from subclust.text.ingest.preview import LONGEST, MOST_MEMORY
from subclust.text.ingest.uploads import ReceivedFile, receive_file
from subclust.text.sources.columns import (
    Column,
    columns_for,
    columns_of,
    remember_columns,
    remembered_in,
)
from subclust.text.sources.decoding import Decoding
from subclust.text.sources.encodings import ENCODINGS
from subclust.text.sources.fields import BY_NAME, field_of
from subclust.text.sources.record import TEXT_COLUMNS
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, _n, said
from subclust.ui.library.shown import IMPORT, show_next

_MOST_ROWS = 200
"""That the page offers; the table to download has all."""


def chosen_encoding(file: ReceivedFile) -> str | None:
    """Return the encoding that the visitor chose for a file; None where it is as detected."""
    chosen = st.session_state.get(_encoding_key(file))
    return str(chosen) if chosen else None


def chosen_columns(settings: Settings, file: ReceivedFile) -> Mapping[str, str]:
    """Return what was said of a table's columns, of this file or an earlier one with its head."""
    kept = remembered_in(settings.data_dir)
    if not kept.is_file():
        return {}
    mark = str(kept.stat().st_mtime_ns)
    return _known(str(settings.data_dir), mark, str(file.path), chosen_encoding(file))


def draw_encoding(file: ReceivedFile, decoding: Decoding | None) -> None:
    """Draw in which encoding a file was read, with lines that show it, and a menu of others.

    Nothing is drawn of a file that is UTF-8 throughout, as most are.
    """
    chosen = chosen_encoding(file)
    if decoding is None or not (decoding.is_assumed or chosen):
        return
    with st.container(key=f"library-letters-{file.path.parent.name}"):
        st.selectbox(
            _("Encoding"),
            [None, *ENCODINGS],
            key=_encoding_key(file),
            format_func=lambda name: _shown(name, decoding, chosen),
            help=_("Choose another one if letters in these lines are wrong."),
            width=320,
        )
        if decoding.samples:
            st.text("\n".join(decoding.samples))


def has_columns(settings: Settings, file: ReceivedFile) -> bool:
    """Return whether a file is a table, be its columns known or not."""
    return bool(_columns(settings, file))


def draw_columns(settings: Settings, file: ReceivedFile, *, opened: bool = False) -> None:
    """Draw what each column of a table is read as, to be corrected; nothing of another file.

    What is corrected counts for this file and the next ones with the same head.
    """
    chosen = chosen_columns(settings, file)
    columns = _columns(settings, file)
    if not columns:
        return
    n_read = sum(1 for one in columns if one.field)
    told = _("Columns: {count} of {total} are known").format(count=n_read, total=len(columns))
    with st.expander(told, expanded=opened):
        # The editor keeps its edits by row under its key. Once one is stored, a new key drops it.
        key = f"library-columns-{file.path.parent.name}-{len(chosen)}"
        st.data_editor(
            _table(columns),
            key=key,
            hide_index=True,
            disabled=["theirs", "samples"],
            placeholder=_("choose"),
            column_config={
                "theirs": _("Column of the file"),
                "ours": st.column_config.SelectboxColumn(
                    _("Read as"), options=[*BY_NAME], format_func=_meaning
                ),
                "samples": st.column_config.TextColumn(_("First values"), width="large"),
            },
            on_change=_correct,
            args=(settings, file, columns, key),
        )
        st.caption(
            _("A correction counts for this file and for later files with the same columns.")
        )


def _columns(settings: Settings, file: ReceivedFile) -> Sequence[Column]:
    chosen = tuple(chosen_columns(settings, file).items())
    return _seen(str(file.path), chosen, chosen_encoding(file))


# Uploads are looked at in a process of their own, which no file makes take too much; each has a
# folder of its own, so that its path is key enough.
@st.cache_data(max_entries=64, show_spinner=False)
def _seen(path: str, chosen: tuple[tuple[str, str], ...], encoding: str | None) -> Sequence[Column]:
    given = {"columns": dict(chosen), "encoding": encoding}
    try:
        found: list[Column] = call_apart(
            columns_of, seconds=LONGEST, most_bytes=MOST_MEMORY, path=Path(path), **given
        )
    except (SubclustError, TooSlowError, TooMuchMemoryError):  # which the check of the file tells
        return []
    return found


# `mark` is the time of the last correction; it is there for the key of the cache only.
@st.cache_data(max_entries=64, show_spinner=False)
def _known(data_dir: str, mark: str, path: str, encoding: str | None) -> Mapping[str, str]:
    given = {"data_dir": Path(data_dir), "path": Path(path), "given": {}, "encoding": encoding}
    try:
        found: dict[str, str] = call_apart(
            columns_for, seconds=LONGEST, most_bytes=MOST_MEMORY, **given
        )
    except (SubclustError, TooSlowError, TooMuchMemoryError):
        return {}
    return found


def _table(columns: Sequence[Column]) -> pd.DataFrame:
    rows = [(one.name, one.field or "", " · ".join(one.samples)) for one in columns]
    return pd.DataFrame(rows, columns=["theirs", "ours", "samples"])


def _correct(settings: Settings, file: ReceivedFile, columns: Sequence[Column], key: str) -> None:
    given = dict(chosen_columns(settings, file))
    for row, cells in st.session_state[key]["edited_rows"].items():
        name = columns[int(row)].name
        given = {ours: theirs for ours, theirs in given.items() if theirs != name}
        if cells.get("ours"):
            given[cells["ours"]] = name
    remember_columns(settings.data_dir, file.path, given, chosen_encoding(file))


def _meaning(field: object) -> str:
    """Return what a field is called; what is none of ours, as it is."""
    return said(BY_NAME[str(field)].meaning) if field in BY_NAME else str(field)


def _shown(name: str | None, decoding: Decoding, chosen: str | None) -> str:
    if name is not None:
        return ENCODINGS[name].label
    if chosen:
        return _("as detected")
    return _("{encoding} (detected)").format(encoding=said(decoding.label))


def _encoding_key(file: ReceivedFile) -> str:
    return f"library-encoding-{file.path.parent.name}"


@changes("library")
def draw_mending(
    settings: Settings,
    rows: Sequence[ReportRow],
    key: str,
    *,
    library: str = "",
    collection: str = "",
) -> None:
    """Draw the records that were rejected and could be taken apart, to be corrected.

    Parameters
    ----------
    settings : Settings
    rows : sequence of ReportRow
    key : str
        Of the widgets.
    library, collection : str
        Into which the corrected records go, where that is not chosen on the page already.
    """
    rows = [row for row in rows if row.original][:_MOST_ROWS]
    if not rows:
        return
    names = [name for name in original_columns(rows) if _is_shown(name, rows)]
    told = [_("File"), _("Place")]
    values = [
        [row.file, said(row.place), *(row.original.get(name, "") for name in names)] for row in rows
    ]
    # The trailing blank keeps a record's own "File" or "Place" apart from our column of that name.
    heads = [*told, *(f"{name} " if name in told else name for name in names)]
    label = _n("Correct {count} rejected record", "Correct {count} rejected records", len(rows))
    with st.expander(label):
        edited = st.data_editor(
            pd.DataFrame(values, columns=heads),
            hide_index=True,
            disabled=told,
            key=f"library-mend-{key}",
            column_config={
                head: st.column_config.TextColumn(
                    _meaning(head), width="large" if field_of(head) in TEXT_COLUMNS else None
                )
                for head in heads
            },
        )
        pressed = st.button(_("Import the corrected rows"), key=f"library-mended-{key}")
    if not pressed:
        return
    corrected = _corrected_rows(rows, edited.iloc[:, len(told) :].set_axis(names, axis="columns"))
    if not corrected:
        st.warning(_("Fill in what is missing first, a title for example."))
        return
    try:
        _receive(settings, corrected)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    if library:
        turn = st.session_state.get(state.IMPORT_ROUND, 0)
        st.session_state[state.IMPORT_TARGET] = library
        st.session_state[f"{state.IMPORT_COLLECTION}-{turn}"] = collection
    show_next(IMPORT)


def _corrected_rows(rows: Sequence[ReportRow], edited: pd.DataFrame) -> list[ReportRow]:
    """Return those rows in which something was changed, as they are now."""
    corrected = []
    for row, (_index, cells) in zip(rows, edited.iterrows(), strict=True):
        given = {str(name): value for name, value in cells.items()}
        # NaN, as pandas reads an emptied cell, is truthy and does not equal itself.
        now = {
            name: str(value) if value and value == value else "" for name, value in given.items()
        }
        if any(row.original.get(name, "") != value for name, value in now.items()):
            corrected.append(row._replace(original={**row.original, **now}))
    return corrected


def _is_shown(name: str, rows: Sequence[ReportRow]) -> bool:
    """Return whether a column says something, or may be what is missing."""
    return field_of(name) in TEXT_COLUMNS or any(row.original.get(name) for row in rows)


def _receive(settings: Settings, rows: Sequence[ReportRow]) -> None:
    """Put rows among the files to import."""
    name = "corrected.csv"
    with tempfile.TemporaryDirectory() as folder:
        write_refused(rows, Path(folder) / name)
        table = io.BytesIO((Path(folder) / name).read_bytes())
    files = st.session_state.get(state.IMPORT_FILES, [])
    st.session_state[state.IMPORT_FILES] = [*files, receive_file(settings.uploads_dir, table, name)]
