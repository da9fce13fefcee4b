"""The comparison as files: every passage with its groups, and everything as JSON."""

import json
from io import BytesIO

import pandas as pd
import streamlit as st

from subclust.comparison import LETTERS, Comparison
from subclust.exports.tables import harmless
from subclust.ui.i18n.language import _

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def draw_downloads(found: Comparison) -> None:
    """Draw the downloads; a file is made when its button is pressed."""
    st.header(_("Take the comparison with you"), anchor=False)
    with st.container(horizontal=True, key="compare-take"):
        st.download_button(
            _("Passages as CSV"),
            lambda: passages_csv(found),
            "comparison.csv",
            "text/csv",
            on_click="ignore",
            key="compare-csv",
        )
        st.download_button(
            _("Workbook (XLSX)"),
            lambda: workbook(found),
            "comparison.xlsx",
            _XLSX,
            on_click="ignore",
            key="compare-xlsx",
        )
        st.download_button(
            _("Everything as JSON"),
            lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=1),
            "comparison.json",
            "application/json",
            on_click="ignore",
            key="compare-json",
        )


def passages_frame(found: Comparison) -> pd.DataFrame:
    """List every hit with its group in each column, the same groups under the same number.

    Returns
    -------
    DataFrame
        Columns ``rank``, ``id``, ``title``, and for each column ``A_group`` (the matched number, -1
        for other passages) and ``A_name``; then ``text``.
    """
    groups = [found.groups(place) for place in range(len(found.maps))]
    names = [found.names(place) for place in range(len(found.maps))]
    rows = []
    for hit in found.ranking.hits:
        row: dict[str, object] = {
            "rank": hit.rank,
            "id": hit.passage.id,
            "title": hit.passage.title,
        }
        for letter, of, name in zip(LETTERS, groups, names, strict=False):
            row[f"{letter}_group"] = of[hit.passage.id]
            row[f"{letter}_name"] = name[of[hit.passage.id]]
        rows.append(row | {"label": hit.passage.label or "", "text": hit.passage.text})
    return pd.DataFrame(rows)


def agreement_frame(found: Comparison) -> pd.DataFrame:
    """List how far each two columns agree."""
    return pd.DataFrame(
        [{**pair, "columns": "-".join(pair["columns"])} for pair in found.to_dict()["pairs"]]
    )


def passages_csv(found: Comparison) -> bytes:
    """Write `passages_frame` as CSV that spreadsheets read as UTF-8 and never as formulas."""
    return bytes(_harmless(passages_frame(found)).to_csv(index=False).encode("utf-8-sig"))


def workbook(found: Comparison) -> bytes:
    """Write passages and agreement as the sheets of a workbook."""
    buffer = BytesIO()
    with pd.ExcelWriter(buffer, engine="openpyxl") as writer:
        _harmless(passages_frame(found)).to_excel(writer, sheet_name="passages", index=False)
        agreement_frame(found).to_excel(writer, sheet_name="agreement", index=False)
    return buffer.getvalue()


def _harmless(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)
