"""Everything the map shows, as a table."""

from collections.abc import Collection, Mapping
from zlib import crc32

import pandas as pd
import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.figures.palette import group_style
from subclust.ui.components.session import SELECTIONS, mark_passages
from subclust.ui.explore.correct.desk import judged
from subclust.ui.i18n.language import _


def as_frame(subtopics: SubtopicMap, judgements: Mapping[str, str] | None = None) -> pd.DataFrame:
    """List all passages, group by group, the most central first.

    Returns
    -------
    DataFrame
        Group, title, section, hit, fit, mark and passage, in the visitor's language; the index is
        the passage's id.
    """
    said = judgements or {}
    rows = [
        {
            "id": member.passage.id,
            _("Group"): f"{group_style(subtopic.id).glyph} {subtopic.name}",
            _("Title"): member.passage.title,
            _("Section"): member.passage.path or "",
            _("Hit"): member.rank,
            _("Fit"): round(member.strength, 2),
            _("Mark"): judged(said.get(member.passage.id)),
            _("Passage"): member.passage.text,
        }
        for subtopic in subtopics.subtopics
        for member in subtopic.passages
    ]
    return pd.DataFrame(rows).set_index("id")


def draw_table(
    subtopics: SubtopicMap,
    judgements: Mapping[str, str] | None = None,
    chosen: Collection[str] = (),
) -> None:
    """Draw the table; chosen rows are marked on the map, and can be corrected.

    Parameters
    ----------
    subtopics : SubtopicMap
    judgements : mapping of str to str, optional
        What was said of passages, by id.
    chosen : collection of str
        Ids of the passages that are chosen when the table is drawn anew.
    """
    frame = as_frame(subtopics, judgements)
    # A choice is kept by the place in the frame: other places, another table.
    key = SELECTIONS.key(f"table-{crc32(chr(10).join(frame.index).encode()):08x}")
    rows = [row for row, id in enumerate(frame.index) if id in set(chosen)]

    def mark_rows() -> None:
        # Streamlit reports places in the frame, whatever the visitor sorted by.
        mark_passages([str(frame.index[row]) for row in st.session_state[key].selection.rows])

    st.caption(
        _(
            "The same passages and groups as on the map, one passage per row. Choose rows to "
            "mark them there."
        )
    )
    st.dataframe(
        frame,
        key=key,
        on_select=mark_rows,
        selection_mode="multi-row",
        selection_default={"selection": {"rows": rows, "columns": [], "cells": []}},
        hide_index=True,
        height=640,
        alt=_("All passages with their groups"),
        column_config={
            _("Group"): st.column_config.TextColumn(width=240),
            _("Title"): st.column_config.TextColumn(width=180),
            _("Section"): st.column_config.TextColumn(width=150),
            _("Passage"): st.column_config.TextColumn(width=700),
            _("Mark"): st.column_config.TextColumn(width=80, help=_("What you said about it")),
            _("Hit"): st.column_config.NumberColumn(
                width=55, help=_("Rank among all hits, 1 is best")
            ),
            _("Fit"): st.column_config.NumberColumn(
                width=60, help=_("How well it fits its group, from −1 to 1"), format="%.2f"
            ),
        },
    )
