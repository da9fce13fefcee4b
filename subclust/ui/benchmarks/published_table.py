"""A published table beside ours, as HTML: a row a method, readable on a phone."""

import html
from collections.abc import Mapping
from typing import Any

from subclust.judging.metrics import short_name
from subclust.ui.benchmarks.words import p_in_words, said
from subclust.ui.i18n.language import N_, _, number

_MARKS = {
    "▲": N_("significantly above the reference"),
    "▼": N_("significantly below the reference"),
    "★": N_("the reference"),
}
_MINUS = "\N{MINUS SIGN}"


def table_html(table: Mapping[str, Any], at: int, default: str | None) -> str:
    """Write one column of a table as rows: published, ours, and both against the reference.

    Parameters
    ----------
    table : mapping
        Of a paper of `read_published`.
    at : int
        Which column.
    default : str or None
        The method that the app uses; its row stands out.

    Returns
    -------
    str
        The parts are named in every cell for narrow screens.
    """
    column = table["columns"][at]
    short = short_name(column["metric"])
    names = [_("Published"), _("Here"), _("Published"), _("Here")]
    over_queries = ""
    if column["n_queries"] != 1:
        names += [_("Better"), _("Worse")]
        said_over = _("queries here")
        over_queries = f"<th role='columnheader' colspan='2' class='sc-over'>{said_over}</th>"
    against = _("against {reference}").format(reference=html.escape(said(table["reference"])))
    note = _("small: {against}").format(against=against)
    head = (
        f"<tr role='row'><th role='columnheader' rowspan='2'>{_('Method')}</th>"
        f"<th role='columnheader' colspan='2' class='sc-over'>{html.escape(short)}</th>"
        f"<th role='columnheader' colspan='2' class='sc-over'>{against}</th>{over_queries}</tr>"
        f"<tr role='row' data-note='{note}'>"
        + "".join(f"<th role='columnheader' class='sc-number'>{name}</th>" for name in names)
        + "</tr>"
    )
    body = [_row(row, at, table, default) for row in table["rows"]]
    own = [row for row in table["own"] if "ours" in row["cells"][at]]
    if own:
        body.append(
            "<tr role='row' class='sc-between'><th role='rowheader' "
            f"colspan='{1 + len(names)}'>"
            f"{_('Our own methods, which the paper does not have')}</th></tr>"
        )
        body += [_row(row, at, table, default) for row in own]
    caption = _("{table}, {column}: published and measured here").format(
        table=said(table["label"]), column=said(column["label"])
    )
    return (
        f"<table role='table' class='sc-published'><caption>{html.escape(caption)}</caption>"
        f"<thead role='rowgroup'>{head}</thead><tbody role='rowgroup'>{''.join(body)}</tbody>"
        "</table>"
    )


def _row(row: Mapping[str, Any], at: int, table: Mapping[str, Any], default: str | None) -> str:
    cell = row["cells"][at]
    test = cell.get("test", {})
    gain = cell.get("gain", {})
    is_reference = row["label"] == table["reference"]
    kind = "sc-default" if default and cell.get("folder") == default else ""
    kind = kind or ("sc-reference" if is_reference else "")
    kind = kind or ("" if "ours" in cell else "sc-absent")
    note = f"<span class='sc-note'>{html.escape(said(row['note']))}</span>" if row["note"] else ""
    default_words = html.escape(_("the app's default"))
    flag = f"<span class='sc-flag'>{default_words}</span>" if kind == "sc-default" else ""
    cells = [
        (_("Published"), _published(cell)),
        (_("Here"), _ours(cell)),
        (
            _("Published, against the reference"),
            "" if is_reference else _share(gain.get("published")),
        ),
        (_("Here, against the reference"), "" if is_reference else _share(gain.get("ours"))),
    ]
    if table["columns"][at]["n_queries"] != 1:
        cells += [
            (_("Better queries"), str(test.get("wins", ""))),
            (_("Worse queries"), str(test.get("losses", ""))),
        ]
    return (
        f"<tr role='row' class='{kind}'><th role='rowheader' scope='row'>"
        f"{html.escape(said(row['label']))}{flag}{note}</th>"
        + "".join(
            f"<td role='cell' class='sc-number' data-name='{name}'>{value or '<i>–</i>'}</td>"
            for name, value in cells
        )
        + "</tr>"
    )


def _published(cell: Mapping[str, Any]) -> str:
    found = cell.get("published")
    if found is None:
        return ""
    near = _decimal(f"≈ {found['value']:g}")
    value = near if found.get("approximate") else number(found["value"], 3)
    spread = f" ± {number(found['spread'], 3)}" if "spread" in found else ""
    return value + spread + _mark(found.get("mark", ""))


def _ours(cell: Mapping[str, Any]) -> str:
    ours, test = cell.get("ours"), cell.get("test", {})
    if ours is None:
        return f"<em>{html.escape(said(cell.get('missing', '')))}</em>"
    mean = number(ours["mean"], 3)
    if ours["n_queries"] == 1:
        told = _("{mean} on the whole collection").format(mean=mean)
        if "wins" in test:
            told += _("; {difference} against the reference").format(
                difference=_signed(test["mean_difference"])
            )
    else:
        told = _("{mean} ± {stderr} over {count} queries").format(
            mean=mean, stderr=number(ours["stderr"], 3), count=number(ours["n_queries"])
        )
    if "wins" in test and ours["n_queries"] > 1:
        told += _(
            "; {difference} against the reference, 95% from {low} to {high}, p {p} after correction"
        ).format(
            difference=_signed(test["mean_difference"]),
            low=_signed(test["low"]),
            high=_signed(test["high"]),
            p=p_in_words(test["p_corrected"]),
        )
    spread = f" ± {number(ours['spread'], 3)}" if "spread" in ours else ""
    return f"<span title='{html.escape(told)}'>{mean}{spread}</span>" + _mark(test.get("mark", ""))


def _signed(value: float) -> str:
    return _decimal(f"{value:+.3f}").replace("-", _MINUS)


def _decimal(text: str) -> str:
    """Put the visitor's decimal sign into a number that is written already."""
    return text.replace(".", number(0.5, 1)[1])


def _share(value: float | None) -> str:
    if value is None:
        return ""
    whole = f"{value:+.0%}"
    return "0%" if whole in ("+0%", "-0%") else whole.replace("-", _MINUS)


def _mark(mark: str) -> str:
    if not mark:
        return "<span class='sc-mark'></span>"
    meaning = html.escape(_(_MARKS[mark]), quote=True)
    return (
        f"<span class='sc-mark' role='img' aria-label='{meaning}' title='{meaning}'>{mark}</span>"
    )
