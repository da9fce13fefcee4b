"""A published table beside ours, as HTML: a row a method, readable on a phone."""

import html
from collections.abc import Mapping
from typing import Any

from subclust.benchmarks.report import short_name

_MARKS = {
    "▲": "significantly above the reference",
    "▼": "significantly below the reference",
    "★": "the reference",
}
_MINUS = "\N{MINUS SIGN}"


def table_html(table: Mapping[str, Any], at: int, default: str | None) -> str:
    """Write one column of a table as rows: published, ours, and both against the reference.

    Parameters
    ----------
    table : mapping
        Of a report.
    at : int
        Which column.
    default : str or None
        Result folder of the method that the app uses; its row stands out.

    Returns
    -------
    str
        The parts are named in every cell for narrow screens.
    """
    column = table["columns"][at]
    short = short_name(column["metric"])
    names = ["Published", "Here", "Published", "Here", "Better", "Worse"]
    reference = html.escape(table["reference"])
    head = (
        "<tr role='row'><th role='columnheader' rowspan='2'>Method</th>"
        f"<th role='columnheader' colspan='2' class='sc-over'>{html.escape(short)}</th>"
        f"<th role='columnheader' colspan='2' class='sc-over'>against {reference}</th>"
        "<th role='columnheader' colspan='2' class='sc-over'>queries here</th></tr>"
        f"<tr role='row' data-note='small: against {reference}'>"
        + "".join(f"<th role='columnheader' class='sc-number'>{name}</th>" for name in names)
        + "</tr>"
    )
    body = [_row(row, at, table, default) for row in table["rows"]]
    own = [row for row in table["own"] if row["cells"][at]["ours"]]
    if own:
        body.append(
            "<tr role='row' class='sc-between'><th role='rowheader' colspan='7'>"
            "Our own methods, which the paper does not have</th></tr>"
        )
        body += [_row(row, at, table, default) for row in own]
    caption = f"{table['label']}, {column['label']}: published and measured here"
    return (
        f"<table role='table' class='sc-published'><caption>{html.escape(caption)}</caption>"
        f"<thead role='rowgroup'>{head}</thead><tbody role='rowgroup'>{''.join(body)}</tbody>"
        "</table>"
    )


def _row(row: Mapping[str, Any], at: int, table: Mapping[str, Any], default: str | None) -> str:
    cell = row["cells"][at]
    test = cell["test"] or {}
    is_reference = row["label"] == table["reference"]
    kind = "sc-default" if default and cell["folder"] == default else ""
    kind = kind or ("sc-reference" if is_reference else "")
    kind = kind or ("" if cell["ours"] else "sc-absent")
    note = f"<span class='sc-note'>{html.escape(row['note'])}</span>" if row["note"] else ""
    flag = "<span class='sc-flag'>the app's default</span>" if kind == "sc-default" else ""
    cells = [
        ("Published", _published(cell)),
        ("Here", _ours(cell)),
        (
            "Published, against the reference",
            "" if is_reference else _share(cell["gain"]["published"]),
        ),
        ("Here, against the reference", "" if is_reference else _share(cell["gain"]["ours"])),
        ("Better queries", str(test.get("wins", ""))),
        ("Worse queries", str(test.get("losses", ""))),
    ]
    return (
        f"<tr role='row' class='{kind}'><th role='rowheader' scope='row'>"
        f"{html.escape(row['label'])}{flag}{note}</th>"
        + "".join(
            f"<td role='cell' class='sc-number' data-name='{name}'>{value or '<i>–</i>'}</td>"
            for name, value in cells
        )
        + "</tr>"
    )


def _published(cell: Mapping[str, Any]) -> str:
    found = cell["published"]
    if found is None:
        return ""
    value = f"≈ {found['value']:g}" if found["approximate"] else f"{found['value']:.3f}"
    spread = f" ± {found['spread']:.3f}" if "spread" in found else ""
    return value + spread + _mark(found["mark"])


def _ours(cell: Mapping[str, Any]) -> str:
    ours, test = cell["ours"], cell["test"] or {}
    if ours is None:
        return f"<em>{html.escape(cell['missing'])}</em>"
    told = f"{ours['mean']:.3f} ± {ours['stderr']:.3f} over {ours['n_queries']} queries"
    if "wins" in test:
        told += (
            f"; {test['mean_difference']:+.3f} against the reference, 95% from {test['low']:+.3f} "
            f"to {test['high']:+.3f}, p {p_in_words(test['p_corrected'])} after correction"
        )
    told = told.replace("-", _MINUS)
    spread = f" ± {ours['spread']:.3f}" if "spread" in ours else ""
    return f"<span title='{html.escape(told)}'>{ours['mean']:.3f}{spread}</span>" + _mark(
        test.get("mark", "")
    )


def p_in_words(value: float | None) -> str:
    """Write a p value; small ones have no meaning digit by digit."""
    if value is None:
        return "unknown"
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _share(value: float | None) -> str:
    if value is None:
        return ""
    whole = f"{value:+.0%}"
    return "0%" if whole in ("+0%", "-0%") else whole.replace("-", _MINUS)


def _mark(mark: str) -> str:
    if not mark:
        return "<span class='sc-mark'></span>"
    meaning = _MARKS[mark]
    return (
        f"<span class='sc-mark' role='img' aria-label='{meaning}' title='{meaning}'>{mark}</span>"
    )
