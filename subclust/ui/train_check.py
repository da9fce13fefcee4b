"""What the check of a labelled set found, on one screen."""

import csv
import html
import io
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from subclust.training.check_report import CheckReport
from subclust.training.problems import ProblemGroup
from subclust.training.sets import why_not_without
from subclust.ui.words import counted

MANY_ROWS = 2000
"""Problems that the table on the page shows; the download has all."""

_SEVERITY = {"error": "Mend this", "warning": "Worth a look"}


def draw_headline(report: CheckReport) -> None:
    """Draw what the set is worth."""
    st.html(f"<p class='sc-verdict sc-{verdict_of(report)}'>{html.escape(headline(report))}</p>")


def draw_problems(report: CheckReport, columns: Mapping[str, str]) -> None:
    """Draw the problems by kind, and each of them in a table.

    Parameters
    ----------
    report : CheckReport
    columns : mapping of str to str
        Our names to those of the file, by which people know its columns.
    """
    if not report.problems:
        return
    for severity in ("error", "warning"):
        groups = [group for group in report.groups if group.severity == severity]
        if groups:
            items = "".join(_item(group, columns) for group in groups)
            st.html(
                f"<h3 class='sc-kind'>{_title(severity)}</h3><ul class='sc-problems'>{items}</ul>"
            )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download the list",
            report_csv(report, columns),
            file_name=f"{report.file.split('.')[0]}-problems.csv",
            mime="text/csv",
            on_click="ignore",
            key="download-report",
        )
    with st.expander(f"Every row in a table ({len(report.problems):,})", key="problems"):
        if len(report.problems) > MANY_ROWS:
            st.caption(f"The first {MANY_ROWS:,} are shown; the download has all.")
        st.dataframe(
            pd.DataFrame(problem_rows(report, columns)[:MANY_ROWS]),
            hide_index=True,
            key="problems-table",
            alt="Every problem with its row, what it is and how to mend it",
            column_config={
                "Where": st.column_config.TextColumn(width=130),
                "What": st.column_config.TextColumn(width=360),
                "How to mend it": st.column_config.TextColumn(width=420),
                "Query": st.column_config.TextColumn(width=200),
            },
        )


def verdict_of(report: CheckReport) -> str:
    """Name the state of a set: ``"good"``, ``"look"`` (warnings), ``"mend"`` or ``"useless"``."""
    if report.errors:
        return "useless" if why_not_without(report) else "mend"
    return "look" if report.warnings else "good"


def headline(report: CheckReport) -> str:
    """Say in a line or two what a set is worth."""
    used = (
        f"{counted(report.n_queries, 'query')} with "
        f"{counted(report.n_passages, 'passage')} in {counted(report.n_labels, 'subtopic')}"
    )
    match verdict_of(report):
        case "good":
            return f"Nothing is wrong with it: {used}."
        case "look":
            n = len(report.warnings)
            return f"It can be used as it is: {used}. {counted(n, 'thing')} to look at."
        case "mend":
            left_out = report.n_rows - report.n_passages
            return (
                f"{left_out:,} of {counted(report.n_rows, 'passage')} cannot be used as "
                f"{'it is' if left_out == 1 else 'they are'}; the others can: {used}."
            )
    return "This file cannot be used as it is."


def problem_rows(report: CheckReport, columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """List every problem for a table, in the order of the file, errors first."""
    ordered = [*report.errors, *report.warnings]
    return [
        {
            "": _SEVERITY[problem.severity],
            "Where": problem.where,
            "What": _sentence(problem.what, columns),
            "How to mend it": _sentence(problem.advice, columns),
            "Query": problem.query or "",
        }
        for problem in ordered
    ]


def report_csv(report: CheckReport, columns: Mapping[str, str]) -> bytes:
    """Write every problem as CSV that a spreadsheet opens; nothing in it is run as a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["", "Where", "What", "How to mend it", "Query"])
    for row in problem_rows(report, columns):
        writer.writerow([_inert(str(cell)) for cell in row.values()])
    return stream.getvalue().encode("utf-8-sig")


def _inert(cell: str) -> str:
    return f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell


def _title(severity: str) -> str:
    return "To be mended" if severity == "error" else "Worth a look, but can be used"


def _item(group: ProblemGroup, columns: Mapping[str, str]) -> str:
    line, advice = _sentence(group.line, columns), _sentence(group.advice, columns)
    return (
        f"<li><strong>{html.escape(line)}</strong> "
        f"<span class='sc-advice'>{html.escape(advice)}</span></li>"
    )


def _sentence(text: str, columns: Mapping[str, str]) -> str:
    """Give words a capital and a full stop, and columns the names they have in the file."""
    for ours, theirs in columns.items():
        text = text.replace(f'column "{ours}"', f'column "{theirs}"')
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
