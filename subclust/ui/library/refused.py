"""The table of what was refused and mended, on the page and as a file, in the visitor's language.

Reports, and the tables that the command line writes, stay English.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from subclust.exports.refused import write_refused
from subclust.ui.i18n.language import N_, _, said, speaking

HEADS = (
    N_("File"), N_("What happened"), N_("Place"), N_("Field"), N_("Why"), N_("What to do"),
    N_("How it begins"),
)  # fmt: skip
"""Of the table on the page."""

COLUMNS = (
    N_("file"), N_("what happened"), N_("place"), N_("field"), N_("reason"), N_("what to do"),
    N_("excerpt"),
)  # fmt: skip
"""Of the files: those of `subclust.exports.refused`."""

_HAPPENED = {"refused": N_("refused"), "mended": N_("mended")}


def rows_frame(rows: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Give rows as a frame in the visitor's language.

    Parameters
    ----------
    rows : sequence of sequences of str
        Under the columns of `subclust.exports.refused`.
    """
    return pd.DataFrame(_said(rows), columns=[_(name) for name in HEADS])


def table_file(rows: Sequence[Sequence[str]], ending: str, spoken: str) -> bytes:
    """Write rows as a file; only when somebody asks for it, which is outside of the page.

    Parameters
    ----------
    rows : sequence of sequences of str
        Under the columns of `subclust.exports.refused`.
    ending : {"csv", "xlsx"}
    spoken : str
        Language of its header, places, reasons and advice, a key of `LANGUAGES`.
    """
    with tempfile.TemporaryDirectory() as folder, speaking(spoken):
        path = Path(folder) / f"refused.{ending}"
        write_refused(_said(rows), path, columns=[_(name) for name in COLUMNS])
        return path.read_bytes()


def _said(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    return [
        (
            file, _(_HAPPENED.get(what, what)), said(place), field,
            said(reason), said(advice), begins,
        )
        for file, what, place, field, reason, advice, begins in rows
    ]  # fmt: skip
