"""Import reports: how much was read, imported and rejected, and why."""

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from subclust.exports.refused import refused_row, report_rows
from subclust.jobs.view import JobView
from subclust.text.ingest.harvest import HarvestState
from subclust.text.ingest.import_record import ImportAccount, read_account
from subclust.text.ingest.reading import kind_of
from subclust.ui.components.theme import draw_verdict
from subclust.ui.i18n.language import _, _n, number, said
from subclust.ui.library.records import draw_rows
from subclust.ui.library.sources import format_label, live_label

_MOST_GROUPS = 20
_TOTALS = ("n_read", "n_imported", "n_unchanged", "n_refused")


def draw_import_report(view: JobView) -> None:
    """Draw what became of the files that were read to their end, and all that was rejected."""
    account = read_account(view.folder)
    if account is None or not account.reports:
        return
    totals = [account.total(name) for name in _TOTALS]
    _draw_totals(*totals, useless=not totals[1] and not totals[2])
    if not account.is_whole:
        told = _("This report covers the files that were read to the end.")
        st.markdown(told)
    if len(account.files) > 1:
        st.html(_files_html(account))
    _draw_reasons(account.reports)
    _draw_near_duplicates(account.reports)
    tables = (report_rows(one["file"], one["report"]) for one in account.files if one["report"])
    draw_rows([row for rows in tables for row in rows], view.job.id)


def draw_harvest_report(view: JobView, state: HarvestState | None) -> None:
    """Draw what a harvest imported."""
    if state is None:
        return
    _draw_totals(*(getattr(state, name) for name in _TOTALS))
    if not state.finished:
        told = _("The source has more. You can resume the harvest.")
        st.markdown(told)
    label = live_label(state.source)
    draw_rows([refused_row(label, refusal) for refusal in state.refusals], view.job.id)


def totals_words(n_read: int, n_imported: int, n_unchanged: int, n_rejected: int) -> str:
    """Return how many were read, imported and rejected."""
    parts = [
        _n("{count} read", "{count} read", n_read),
        _n("{count} imported", "{count} imported", n_imported),
    ]
    if n_unchanged:
        parts.append(_n("{count} already there", "{count} already there", n_unchanged))
    parts.append(_n("{count} rejected", "{count} rejected", n_rejected))
    return ", ".join(parts)


def rest_words(n_unchanged: int, n_rejected: int) -> list[str]:
    """Return what was not imported, where there is any."""
    parts = []
    if n_unchanged:
        parts.append(_n("{count} already there", "{count} already there", n_unchanged))
    if n_rejected:
        parts.append(_n("{count} rejected", "{count} rejected", n_rejected))
    return parts


def _draw_totals(
    n_read: int, n_imported: int, n_unchanged: int, n_rejected: int, *, useless: bool = False
) -> None:
    kind = "sc-failed" if useless else "sc-look" if n_rejected else "sc-good"
    told = totals_words(n_read, n_imported, n_unchanged, n_rejected)
    draw_verdict(told, kind)


def _files_html(account: ImportAccount) -> str:
    heads = (_("File"), _("Format"), _("Read"), _("Imported"), _("Already there"), _("Rejected"))
    rows = []
    for one in account.files:
        report = one["report"]
        cells = (
            [format_label(str(report["format"])), *(number(report[name]) for name in _TOTALS)]
            if report
            else [_("not read to the end"), "", "", "", ""]
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
    counted: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    for report in reports:
        counted.update(report["reasons"])
        for refusal in report["refusals"]:
            kinds.setdefault(kind_of(refusal["reason"]), kind_of(said(refusal["reason"])))
    if counted:
        items = "".join(
            f"<li><strong>{html.escape(_n('{count} rejected', '{count} rejected', count))}:"
            f"</strong> {html.escape(kinds.get(reason, said(reason)))}</li>"
            for reason, count in counted.most_common()
        )
        st.html(f"<ul class='sc-reasons'>{items}</ul>")


def _draw_near_duplicates(reports: Sequence[Mapping[str, Any]]) -> None:
    found = [report["near_duplicates"] for report in reports]
    n_groups = sum(one["n_groups"] for one in found)
    if not n_groups:
        return
    told = _n(
        "{count} group of near-duplicate passages; all of them were imported.",
        "{count} groups of near-duplicate passages; all of them were imported.",
        n_groups,
    )
    groups = [group for one in found for group in one["groups"]][:_MOST_GROUPS]
    with st.expander(told):
        items = "".join(f"<li>{html.escape(', '.join(group))}</li>" for group in groups)
        st.html(f"<ul class='sc-reasons'>{items}</ul>")
        if n_groups > len(groups):
            told = _n("The first {count} is shown.", "The first {count} are shown.", len(groups))
            st.caption(told)
