"""What came of an import or a harvest: n read, m imported, k refused, and why."""

import html
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from subclust.core.settings import Settings
from subclust.exports.refused import refused_row, report_rows
from subclust.jobs.view import JobView
from subclust.text.ingest.import_record import ImportAccount, read_account
from subclust.text.ingest.reading import kind_of
from subclust.text.sources.live import LIVE
from subclust.ui.i18n.language import _, _n, language, number, said
from subclust.ui.library.formats import format_label
from subclust.ui.library.job_words import account_line, harvest_of, report_line
from subclust.ui.library.live_words import label_of
from subclust.ui.library.refused import rows_frame, table_file

MOST_SHOWN = 1000
"""Refused and mended rows in the table on the page; the file has all that were kept."""

_MOST_GROUPS = 20
_FORMATS = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
)


def draw_import_report(view: JobView) -> None:
    """Draw what became of the files that were read to their end, and all that was refused."""
    account = read_account(view.folder)
    if account is None or not account.reports:
        return
    st.html(f"<p class='sc-verdict {_kind(account)}'>{html.escape(account_line(account))}</p>")
    if not account.is_whole:
        st.html(
            "<p class='sc-said'>"
            + html.escape(_("This is the account of the files that were read to their end."))
            + "</p>"
        )
    if len(account.files) > 1:
        st.html(_files_html(account))
    _draw_reasons(account.reports)
    _draw_near_duplicates(account.reports)
    tables = (report_rows(one["file"], one["report"]) for one in account.files if one["report"])
    draw_rows([row for rows in tables for row in rows], view.job.id)


def draw_harvest_report(settings: Settings, view: JobView) -> None:
    """Draw what a harvest has brought."""
    state = harvest_of(settings, view)
    if state is None:
        return
    line = report_line(state.n_read, state.n_imported, state.n_unchanged, state.n_refused)
    kind = "sc-look" if state.n_refused else "sc-good"
    st.html(f"<p class='sc-verdict {kind}'>{html.escape(line)}</p>")
    if not state.finished:
        st.html(f"<p class='sc-said'>{html.escape(_('The source has more; it can go on.'))}</p>")
    label = label_of(LIVE[state.source]) if state.source in LIVE else state.source
    draw_rows([refused_row(label, refusal) for refusal in state.refusals], view.job.id)


def draw_rows(rows: Sequence[Sequence[str]], key: str) -> None:
    """Draw refused and mended rows as a table, with the ways to take it along.

    Parameters
    ----------
    rows : sequence of sequences of str
        Under the columns of `subclust.exports.refused`.
    key : str
        Of the widgets.
    """
    if not rows:
        return
    st.html(f"<h3 class='sc-part'>{html.escape(_('Refused and mended, row by row'))}</h3>")
    st.dataframe(
        rows_frame(rows[:MOST_SHOWN]),
        hide_index=True,
        key=f"library-refused-{key}",
        height=min(420, 40 + 35 * len(rows[:MOST_SHOWN])),
        alt=_("What was refused and mended, row by row"),
        column_config={
            _("Why"): st.column_config.TextColumn(width=380),
            _("What to do"): st.column_config.TextColumn(width=380),
            _("How it begins"): st.column_config.TextColumn(width=300),
        },
    )
    if len(rows) > MOST_SHOWN:
        st.caption(
            _n(
                "The first {count} row is shown; the file has them all.",
                "The first {count} rows are shown; the file has them all.",
                MOST_SHOWN,
            )
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<span class='sc-note'>{_('Take the table along:')}</span>", width="content")
        for ending, label, mime in _FORMATS:
            st.download_button(
                label,
                partial(table_file, rows, ending, language()),
                file_name=f"refused.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"library-refused-{ending}-{key}",
            )


def _kind(account: ImportAccount) -> str:
    if not account.total("n_imported") and not account.total("n_unchanged"):
        return "sc-failed"
    return "sc-look" if account.total("n_refused") else "sc-good"


def _files_html(account: ImportAccount) -> str:
    heads = (_("File"), _("Format"), _("Read"), _("Imported"), _("There already"), _("Refused"))
    names = ("n_read", "n_imported", "n_unchanged", "n_refused")
    rows = []
    for one in account.files:
        report = one["report"]
        cells = (
            [format_label(str(report["format"])), *(number(report[name]) for name in names)]
            if report
            else [_("not read to its end"), "", "", "", ""]
        )
        rows.append(
            f"<tr><th scope='row'>{html.escape(one['file'])}</th>"
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
            + "</tr>"
        )
    head = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in heads)
    label = html.escape(_("Files of this import"), quote=True)
    return (
        f"<div class='sc-scroll' tabindex='0' role='region' aria-label='{label}'>"
        f"<table class='sc-rows'><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _draw_reasons(reports: Sequence[Mapping[str, Any]]) -> None:
    counted: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for report in reports:
        for reason, count in report["reasons"].items():
            counted[reason] = counted.get(reason, 0) + count
        for refusal in report["refusals"]:
            kinds.setdefault(kind_of(refusal["reason"]), kind_of(said(refusal["reason"])))
    if counted:
        items = "".join(
            f"<li><strong>{html.escape(_n('{count} refused', '{count} refused', count))}:</strong> "
            f"{html.escape(kinds.get(reason, said(reason)))}</li>"
            for reason, count in sorted(counted.items(), key=lambda one: -one[1])
        )
        st.html(f"<ul class='sc-reasons'>{items}</ul>")


def _draw_near_duplicates(reports: Sequence[Mapping[str, Any]]) -> None:
    found = [report["near_duplicates"] for report in reports]
    n_groups = sum(one["n_groups"] for one in found)
    if not n_groups:
        return
    told = _n(
        "{count} group of passages says nearly the same; all of them were imported.",
        "{count} groups of passages say nearly the same; all of them were imported.",
        n_groups,
    )
    groups = [group for one in found for group in one["groups"]][:_MOST_GROUPS]
    with st.expander(told):
        items = "".join(f"<li>{html.escape(', '.join(group))}</li>" for group in groups)
        st.html(f"<ul class='sc-reasons'>{items}</ul>")
        if n_groups > len(groups):
            st.caption(_("These are the first of them."))
