"""Rejected records in a table in which what is missing can be filled in, to be imported again."""

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.exports.refused import ReportRow, original_columns, write_refused
from subclust.text.ingest.uploads import receive_file
from subclust.text.sources.fields import field_of
from subclust.text.sources.record import TEXT_COLUMNS
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, _n, said
from subclust.ui.library.correcting import meaning
from subclust.ui.library.shown import IMPORT, show_next

_MOST_ROWS = 200
"""That the page offers; the table to download has all."""


@changes
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
                    meaning(head), width="large" if field_of(head) in TEXT_COLUMNS else None
                )
                for head in heads
            },
        )
        pressed = st.button(_("Import the corrected rows"), key=f"library-mended-{key}")
    if not pressed:
        return
    corrected = corrected_rows(rows, edited.iloc[:, len(told) :].set_axis(names, axis="columns"))
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


def corrected_rows(rows: Sequence[ReportRow], edited: pd.DataFrame) -> list[ReportRow]:
    """Return those rows in which something was changed, as they are now.

    Parameters
    ----------
    rows : sequence of ReportRow
    edited : DataFrame of shape (n_rows, n_fields)
        The fields of each row.
    """
    corrected = []
    for row, (_index, cells) in zip(rows, edited.iterrows(), strict=True):
        given = {str(name): value for name, value in cells.items()}
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
