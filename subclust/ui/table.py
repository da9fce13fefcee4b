"""Everything the map shows, as a table."""

import pandas as pd
import streamlit as st

from subclust.figures import group_style
from subclust.records import SubtopicMap
from subclust.ui.session import mark_passages, selection_key


def as_frame(subtopics: SubtopicMap) -> pd.DataFrame:
    """List all passages, group by group, the most central first.

    Returns
    -------
    DataFrame
        Columns ``Group``, ``Title``, ``Section``, ``Hit``, ``Fit`` and ``Passage``; the index is
        the passage's id.
    """
    rows = [
        {
            "id": member.passage.id,
            "Group": f"{group_style(subtopic.id).glyph} {subtopic.name}",
            "Title": member.passage.title,
            "Section": member.passage.path or "",
            "Hit": member.rank,
            "Fit": round(member.strength, 2),
            "Passage": member.passage.text,
        }
        for subtopic in subtopics.subtopics
        for member in subtopic.passages
    ]
    return pd.DataFrame(rows).set_index("id")


def draw_table(subtopics: SubtopicMap) -> None:
    """Draw the table; chosen rows are marked on the map."""
    frame = as_frame(subtopics)
    key = selection_key("table")

    def mark_rows() -> None:
        # Streamlit reports places in the frame, whatever the visitor sorted by.
        mark_passages([str(frame.index[row]) for row in st.session_state[key].selection.rows])

    st.caption("The same passages and groups as on the map. Choose rows to mark them there.")
    st.dataframe(
        frame,
        key=key,
        on_select=mark_rows,
        selection_mode="multi-row",
        hide_index=True,
        height=640,
        alt="All passages with their groups",
        column_config={
            "Group": st.column_config.TextColumn(width=240),
            "Title": st.column_config.TextColumn(width=180),
            "Section": st.column_config.TextColumn(width=150),
            "Passage": st.column_config.TextColumn(width=700),
            "Hit": st.column_config.NumberColumn(width=55, help="Rank among all hits, 1 is best"),
            "Fit": st.column_config.NumberColumn(
                width=60, help="How well it fits its group, from −1 to 1", format="%.2f"
            ),
        },
    )
