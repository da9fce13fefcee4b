"""What the check of a labelled set found, on one screen."""

import csv
import html
import io
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from subclust.exports.cells import harmless
from subclust.labelled.reading.checker import CheckReport
from subclust.labelled.reading.problems import ProblemGroup
from subclust.labelled.sets import hindrance
from subclust.ui.i18n.language import N_, _, _n, number, said

MANY_ROWS = 2000
"""Problems that the table on the page shows; the download has all."""

_SEVERITY = {"error": N_("Mend this"), "warning": N_("Worth a look")}


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
            _("Download the list"),
            report_csv(report, columns),
            file_name=f"{report.file.split('.')[0]}-problems.csv",
            mime="text/csv",
            on_click="ignore",
            key="download-report",
        )
    title = _("Every row in a table ({count})").format(count=number(len(report.problems)))
    with st.expander(title, key="problems"):
        if len(report.problems) > MANY_ROWS:
            told = _("The first {count} are shown; the download has all.")
            st.caption(told.format(count=number(MANY_ROWS)))
        st.dataframe(
            pd.DataFrame(problem_rows(report, columns)[:MANY_ROWS]),
            hide_index=True,
            key="problems-table",
            alt=_("Every problem with its row, what it is and how to mend it"),
            column_config={
                _("Where"): st.column_config.TextColumn(width=130),
                _("What"): st.column_config.TextColumn(width=360),
                _("How to mend it"): st.column_config.TextColumn(width=420),
                _("Query"): st.column_config.TextColumn(width=200),
            },
        )


def verdict_of(report: CheckReport) -> str:
    """Name the state of a set: ``"good"``, ``"look"`` (warnings), ``"mend"`` or ``"useless"``."""
    if report.errors:
        return "useless" if hindrance(report) is not None else "mend"
    return "look" if report.warnings else "good"


def headline(report: CheckReport) -> str:
    """Say in a line or two what a set is worth."""
    used = _("{queries} with {passages} in {subtopics}").format(
        queries=_n("{count} query", "{count} queries", report.n_queries),
        passages=_n("{count} passage", "{count} passages", report.n_passages),
        subtopics=_n("{count} subtopic", "{count} subtopics", report.n_labels),
    )
    match verdict_of(report):
        case "good":
            return _("Nothing is wrong with it: {used}.").format(used=used)
        case "look":
            things = _n(
                "{count} thing to look at.", "{count} things to look at.", len(report.warnings)
            )
            told = _("It can be used as it is: {used}. {things}")
            return told.format(used=used, things=things)
        case "mend":
            left_out = report.n_rows - report.n_passages
            told = (
                _("1 of {passages} cannot be used as it is; the others can: {used}.")
                if left_out == 1
                else _("{count} of {passages} cannot be used as they are; the others can: {used}.")
            )
            passages = _n("{count} passage", "{count} passages", report.n_rows)
            return told.format(count=number(left_out), passages=passages, used=used)
    return _("This file cannot be used as it is.")


def problem_rows(report: CheckReport, columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """List every problem for a table, in the order of the file, errors first."""
    ordered = [*report.errors, *report.warnings]
    return [
        {
            "": _(_SEVERITY[problem.severity]),
            _("Where"): said(problem.where),
            _("What"): _sentence(said(problem.what), columns),
            _("How to mend it"): _sentence(said(problem.advice), columns),
            _("Query"): problem.query or "",
        }
        for problem in ordered
    ]


def report_csv(report: CheckReport, columns: Mapping[str, str]) -> bytes:
    """Write every problem as CSV that a spreadsheet opens; nothing in it is run as a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["", _("Where"), _("What"), _("How to mend it"), _("Query")])
    for row in problem_rows(report, columns):
        writer.writerow([harmless(str(cell)) for cell in row.values()])
    return stream.getvalue().encode("utf-8-sig")


def _title(severity: str) -> str:
    return _("To be mended") if severity == "error" else _("Worth a look, but can be used")


def _item(group: ProblemGroup, columns: Mapping[str, str]) -> str:
    line = _sentence(said(group.line), columns)
    advice = _sentence(said(group.advice), columns)
    return (
        f"<li><strong>{html.escape(line)}</strong> "
        f"<span class='sc-advice'>{html.escape(advice)}</span></li>"
    )


def _sentence(text: str, columns: Mapping[str, str]) -> str:
    """Give words a capital and a full stop, and columns the names they have in the file."""
    named = _('column "{name}"')
    for ours, theirs in columns.items():
        text = text.replace(named.format(name=ours), named.format(name=theirs))
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
