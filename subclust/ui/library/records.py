"""Passages, documents and hits as lists, rejected records as tables, and import reports."""

import html
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from subclust.core.records import Passage
from subclust.core.records.links import web_address
from subclust.core.settings import Settings
from subclust.exports.refused import ReportRow, refused_row, report_rows, write_refused
from subclust.figures.wrapping import excerpt
from subclust.jobs.store import option
from subclust.jobs.view import JobView
from subclust.text.ingest.harvest import HarvestState
from subclust.text.ingest.import_record import ImportAccount, read_account
from subclust.text.ingest.report import kind_of
from subclust.text.sources.base import Document
from subclust.ui.components.markup import draw_list, draw_plain_table, draw_verdict
from subclust.ui.i18n.language import N_, _, _n, language, number, said, speaking
from subclust.ui.library.correcting import draw_mending
from subclust.ui.library.sources import format_label, live_label

HEADS = (
    N_("File"), N_("What happened"), N_("Place"), N_("Field"), N_("Why"), N_("What to do"),
    N_("Excerpt"),
)  # fmt: skip
"""Of the table on the page."""

COLUMNS = (
    N_("file"), N_("what happened"), N_("place"), N_("field"), N_("reason"), N_("what to do"),
    N_("excerpt"),
)  # fmt: skip
"""Of the files: those of `subclust.exports.refused`, which stay English on the command line."""

_HAPPENED = {"refused": N_("rejected"), "mended": N_("repaired")}
_FORMATS = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
)
_MOST_SHOWN = 1000
"""Rows in the table on the page; the file has all."""

_EXCERPT = 220
_CREDITS = ("authors", "venue", "year")
_ABOUT = ("doi", "language", "source", "keywords")
_ABOUT_HIT = ("doi", "licence", "keywords")
_APART = (
    "url", "description", "position", "characters", "title_as_given", "abstract_as_given",
    "merged",
)  # fmt: skip
"""Shown as a link, or of the whole document that a passage is cut from."""


def passages_html(passages: Sequence[Passage]) -> str:
    """Write passages as a list; each opens to its whole text."""
    return _list(_item(one.title, one.text, one.metadata, one.id) for one in passages)


def documents_html(documents: Sequence[Document]) -> str:
    """Write documents as a list; each opens to its passages."""
    items = []
    for one in documents:
        n_passages = len(one.passages)
        many = _n("{count} passage", "{count} passages", n_passages) if n_passages > 1 else ""
        place = " · ".join(filter(None, (one.place, many)))
        items.append(_item(one.title, _text(one), one.metadata, place))
    return _list(items)


def hits_html(documents: Sequence[Document]) -> str:
    """Write the hits of a live source as a list; each opens to its whole text and its source."""
    items = (_item(one.title, _text(one), one.metadata, None) for one in documents)
    return _list(items, "sc-hits")


def other_fields(records: Iterable[Mapping[str, str]], shown: Collection[str]) -> list[str]:
    """List the fields that at least one record has, besides those that are shown anyway."""
    found = {name for record in records for name, value in record.items() if value}
    return sorted(found - {*shown, *_APART})


def draw_rows(rows: Sequence[ReportRow], key: str) -> None:
    """Draw rejected and repaired records, rows of `subclust.exports.refused`, with downloads."""
    if not rows:
        return
    shown = rows[:_MOST_SHOWN]
    st.subheader(_("Rejected and repaired records"), anchor=False)
    st.dataframe(
        _rows_frame(shown),
        hide_index=True,
        key=f"library-refused-{key}",
        height=min(420, 40 + 35 * len(shown)),
        alt=_("Rejected and repaired records"),
        column_config={
            _("Why"): st.column_config.TextColumn(width=380),
            _("What to do"): st.column_config.TextColumn(width=380),
            _("Excerpt"): st.column_config.TextColumn(width=300),
        },
    )
    if len(rows) > len(shown):
        st.caption(
            _n(
                "The first {count} row is shown; the download has all.",
                "The first {count} rows are shown; the download has all.",
                len(shown),
            )
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Download the table:"), width="content")
        for ending, label, mime in _FORMATS:
            st.download_button(
                label,
                partial(table_file, rows, ending, language()),
                file_name=f"rejected.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"library-refused-{ending}-{key}",
            )


def _rows_frame(rows: Sequence[ReportRow]) -> pd.DataFrame:
    """Return rejected and repaired records as a frame in the visitor's language."""
    told = [row[: len(HEADS)] for row in _translated(rows)]
    return pd.DataFrame(told, columns=[_(name) for name in HEADS])


def table_file(rows: Sequence[ReportRow], ending: str, spoken: str) -> bytes:
    """Write rejected and repaired records as a file, outside of the page.

    Parameters
    ----------
    rows : sequence of ReportRow
    ending : {"csv", "xlsx"}
    spoken : str
        Its language, a key of `LANGUAGES`.
    """
    with tempfile.TemporaryDirectory() as folder, speaking(spoken):
        path = Path(folder) / f"rejected.{ending}"
        write_refused(_translated(rows), path, columns=[_(name) for name in COLUMNS])
        return path.read_bytes()


def _translated(rows: Sequence[ReportRow]) -> list[ReportRow]:
    return [
        row._replace(
            what=_(_HAPPENED.get(row.what, row.what)),
            place=said(row.place),
            reason=said(row.reason),
            advice=said(row.advice),
        )
        for row in rows
    ]


def _text(document: Document) -> str:
    return "\n\n".join(passage.text for passage in document.passages)


def _list(items: Iterable[str], kind: str = "sc-records") -> str:
    return f"<ol class='sc-passages {kind}'>{''.join(items)}</ol>"


def _item(title: str, text: str, metadata: Mapping[str, str], place: str | None) -> str:
    """Write a record; one with a place names its other fields, too."""
    whole = " ".join(text.split())
    short = "" if text == title else excerpt(whole, _EXCERPT)
    given = " · ".join(filter(None, (metadata.get(name, "") for name in _CREDITS)))
    credits = f"<span class='sc-credits'>{_escaped(given)}</span>" if given else ""
    named = f"<span class='sc-title'>{_escaped(title)}</span>" if title else ""
    paragraphs = "".join(
        f"<p>{_escaped(part)}</p>" for part in text.split("\n\n") if short and short != whole
    )
    about = [metadata.get(name, "") for name in (_ABOUT_HIT if place is None else _ABOUT)]
    if place is not None:
        others = other_fields([metadata], (*_CREDITS, *_ABOUT))
        about = [place, *about, *(f"{name}: {metadata[name]}" for name in others)]
    told = [_escaped(one) for one in about if one]
    if url := web_address(metadata):
        link = f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>"
        told.append(f"{link}{_escaped(_('Open the source'))}</a>")
    return (
        f"<li><details><summary>{named}{credits}"
        f"<span class='sc-excerpt'>{_escaped(short)}</span></summary>"
        f"{paragraphs}<p class='sc-source'>{' · '.join(told)}</p></details></li>"
    )


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)


_MOST_GROUPS = 20
_TOTALS = ("n_read", "n_imported", "n_unchanged", "n_merged", "n_refused")


def draw_import_report(settings: Settings, view: JobView) -> None:
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
        _draw_files(account)
    _draw_reasons(account.reports)
    _draw_near_duplicates(account.reports)
    tables = (report_rows(one["file"], one["report"]) for one in account.files if one["report"])
    rejected = [row for rows in tables for row in rows]
    draw_rows(rejected, view.job.id)
    draw_mending(
        settings,
        rejected,
        view.job.id,
        library=account.library,
        collection=option(view.job.argv, "--collection") or "",
    )


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


def totals_words(
    n_read: int, n_imported: int, n_unchanged: int, n_merged: int, n_rejected: int
) -> str:
    """Return how many records were read, imported and rejected."""
    parts = [
        _n("{count} record read", "{count} records read", n_read),
        _n("{count} imported", "{count} imported", n_imported),
    ]
    if n_unchanged:
        parts.append(_n("{count} already there", "{count} already there", n_unchanged))
    if n_merged:
        parts.append(_n("{count} duplicate", "{count} duplicates", n_merged))
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
    n_read: int,
    n_imported: int,
    n_unchanged: int,
    n_merged: int,
    n_rejected: int,
    *,
    useless: bool = False,
) -> None:
    kind = "sc-failed" if useless else "sc-look" if n_rejected else "sc-good"
    told = totals_words(n_read, n_imported, n_unchanged, n_merged, n_rejected)
    draw_verdict(told, kind)


def _draw_files(account: ImportAccount) -> None:
    heads = (
        _("File"), _("Format"), _("Read"), _("Imported"), _("Already there"), _("Duplicate"),
        _("Rejected"),
    )  # fmt: skip
    rows = []
    for one in account.files:
        report = one["report"]
        cells = (
            [
                format_label(str(report["format"])),
                *(number(report.get(name, 0)) for name in _TOTALS),
            ]
            if report
            else [_("not read to the end"), "", "", "", "", ""]
        )
        rows.append([one["file"], *cells])
    draw_plain_table(heads, rows, _("Files of this import"))


def _draw_reasons(reports: Sequence[Mapping[str, Any]]) -> None:
    counted: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    for report in reports:
        counted.update(report["reasons"])
        for refusal in report["refusals"]:
            # Reports count reasons by their kind in English; translating one whole reason of each
            # kind gives the visitor's words for it.
            kinds.setdefault(kind_of(refusal["reason"]), kind_of(said(refusal["reason"])))
    if counted:
        draw_list(
            f"{_n('{count} rejected', '{count} rejected', count)}: "
            f"{kinds.get(reason, said(reason))}"
            for reason, count in counted.most_common()
        )


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
        draw_list(map(", ".join, groups))
        if n_groups > len(groups):
            told = _n("The first {count} is shown.", "The first {count} are shown.", len(groups))
            st.caption(told)
