"""The Benchmarks page: a published table beside what was measured here, and its words.

What the papers say of themselves, and the names of methods and data sets, stay as printed.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from gettext import NullTranslations
from typing import Any, NamedTuple

import streamlit as st

from subclust.core.messages import Message
from subclust.judging.metrics import METRICS, metric_name, short_name
from subclust.judging.published import as_csv
from subclust.ui.components.words import method_label, plain
from subclust.ui.i18n import language as languages
from subclust.ui.i18n.language import LANGUAGES, N_, _, _n, catalogue, language, number

_MARKS = {
    "▲": N_("significantly above the reference"),
    "▼": N_("significantly below the reference"),
    "★": N_("the reference"),
}
_MINUS = "\N{MINUS SIGN}"
_GRANULARITY = {
    "flat": N_("Flat: the subtopics are those of the top level."),
    "hierarchical": N_("Hierarchical: every part of a subtopic is a subtopic of its own."),
}
# Listed for the catalogue only: `_part` looks texts up as the reports hold them.
_PARTS = (
    N_("it"), N_("the app's default and the best of what was run here"), N_("the app's default"),
    N_("the best run here"), N_("all pairs"), N_("balanced"), N_("coarse"), N_("fine-grained"),
    N_("flat"), N_("hierarchical"), N_("spectral"), N_("titles"), N_("titles and snippets"),
    N_("unseen intents"), N_("validation"), N_("whole"), N_("as the subset asks for"),
    N_("CLINC150 in large subsets"), N_("Stack Overflow titles"), N_("arXiv titles"),
    N_("arXiv titles of an archive"), N_("Subtopics of a question"), N_("not run"),
    N_("not measured"),
    N_("without the question"), N_("trained on crossed and plain sets"),
)  # fmt: skip
"""Parts of the labels of tables, columns and data."""

_PLACES: tuple[tuple[str, str], ...] = (
    (r"Table (\S+)", N_("Table {number}")),
    (r"As table (\S+)", N_("As table {number}")),
    (r"Figure (\S+)", N_("Figure {number}")),
    (r"Section (\S+)", N_("Section {number}")),
    (r"fold (\d+)", N_("fold {number}")),
    (r"arXiv fold (\d+)", N_("arXiv fold {number}")),
    (r"(\S+) for questions((?: \(.+\))?)", N_("{method} for questions{model}")),
    (r"(\S+) by sentence((?: \(.+\))?)", N_("{method} by sentence{model}")),
)


class Glance(NamedTuple):
    """On how many questions the app's default is better and worse than a reference.

    Parameters
    ----------
    reference : str
        Label of the row that it is compared with.
    data : str
        Label of the questions.
    n_questions, n_better, n_worse : int
    """

    reference: str
    data: str
    n_questions: int
    n_better: int
    n_worse: int

    @property
    def n_equal(self) -> int:
        """Number of questions on which both are equal."""
        return self.n_questions - self.n_better - self.n_worse


def _at_a_glance(papers: Iterable[Mapping[str, Any]], default: str | None) -> Glance | None:
    """Return the comparison over the most questions, by ARI on flat labels; None without one."""
    found = [
        Glance(
            table["reference"],
            column["task_label"],
            column["n_queries"],
            cell["test"]["wins"],
            cell["test"]["losses"],
        )
        for paper in papers
        for table in paper["tables"]
        for at, column in enumerate(table["columns"])
        if (column["metric"], column["granularity"]) == ("ari", "flat") and column["n_queries"] > 1
        for row in (*table["rows"], *table["own"])
        if row["cells"][at].get("folder") == default
        for cell in [row["cells"][at]]
        if "wins" in cell.get("test", {})
    ]
    return max(found, key=lambda one: one.n_questions, default=None)


def draw_at_a_glance(papers: Iterable[Mapping[str, Any]], default: str | None) -> None:
    """Draw one sentence and one picture of how well the app's default groups."""
    found = _at_a_glance(papers, default)
    if found is None or default is None:
        st.info(
            _("The method in use was not measured here yet. The tables have the other methods.")
        )
        return
    told = _n(
        "On {count} question, the method that Subclust uses grouped passages better than plain "
        "text similarity on {{better}} and worse on {{worse}}.",
        "On {count} questions, the method that Subclust uses grouped passages better than plain "
        "text similarity on {{better}} and worse on {{worse}}.",
        found.n_questions,
    ).format(better=number(found.n_better), worse=number(found.n_worse))
    parts = (
        ("better", _("better"), found.n_better),
        ("equal", _("no difference"), found.n_equal),
        ("worse", _("worse"), found.n_worse),
    )
    bars = "".join(f"<span class='sc-{kind}' style='flex:{n}'></span>" for kind, _word, n in parts)
    items = "".join(
        f"<li><span class='sc-key sc-{kind}'></span>{html.escape(word)}: {number(n)}</li>"
        for kind, word, n in parts
    )
    meaning = _(
        "Measured on {data}, where people have sorted the passages of each question under "
        "headings. {method} is the method in use; {reference} compares the texts alone, whatever "
        "the question."
    ).format(data=said(found.data), method=method_label(default), reference=said(found.reference))
    st.html(
        f"<p class='sc-glance'>{html.escape(told)}</p>"
        f"<div class='sc-glance-bar' aria-hidden='true'>{bars}</div>"
        f"<ul class='sc-glance-key'>{items}</ul><p class='sc-note'>{html.escape(meaning)}</p>"
    )


def table_html(table: Mapping[str, Any], at: int, default: str | None) -> str:
    """Write one column of a table as rows: published, ours, and both against the reference.

    Parameters
    ----------
    table : mapping
        Of a paper of `read_published`.
    at : int
        Which column.
    default : str or None
        The method that the app uses; its row is highlighted.
    """
    column = table["columns"][at]
    short = short_name(column["metric"])
    names = [_("Published"), _("Here"), _("Published"), _("Here")]
    over_queries = ""
    if column["n_queries"] != 1:
        names += [_("Better"), _("Worse")]
        said_over = _("questions here")
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
        # The roles are spelled out because narrow screens lay the table out as grid and block
        # boxes, and an element with another `display` loses its table semantics.
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
            (_("Better questions"), str(test.get("wins", ""))),
            (_("Worse questions"), str(test.get("losses", ""))),
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
        told = _("{mean} ± {stderr} over {count} questions").format(
            mean=mean, stderr=number(ours["stderr"], 3), count=number(ours["n_queries"])
        )
    if "wins" in test and ours["n_queries"] > 1:
        told += _(
            "; {difference} against the reference, 95% from {low} to {high}, p {p} after correction"
        ).format(
            difference=_signed(test["mean_difference"]),
            low=_signed(test["low"]),
            high=_signed(test["high"]),
            p=_p_words(test["p_corrected"]),
        )
    spread = f" ± {number(ours['spread'], 3)}" if "spread" in ours else ""
    return f"<span title='{html.escape(told)}'>{mean}{spread}</span>" + _mark(test.get("mark", ""))


def _signed(value: float) -> str:
    return _decimal(f"{value:+.3f}").replace("-", _MINUS)


def _decimal(text: str) -> str:
    """Return a written number with the visitor's decimal sign."""
    # "0.5" or "0,5": the second character is the decimal sign of the visitor's language.
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


def draw_sentences(column: Mapping[str, Any]) -> None:
    """Draw what a column shows in sentences, and what its metric means."""
    metric = column["metric"]
    items = "".join(
        f"<li>{html.escape(_sentence_words(sentence))}</li>" for sentence in column["sentences"]
    )
    meaning = METRICS.get(metric, ("", ""))[1]
    explained = f"{said(metric_name(metric))}: {said(meaning)}. " if meaning else ""
    explained += _(_GRANULARITY[column["granularity"]])
    st.html(
        f"<ul class='sc-reading'>{items}</ul><p class='sc-note'>"
        f"{html.escape(explained[:1].upper() + explained[1:])}</p>"
    )


def draw_legend(paper: Mapping[str, Any], table: Mapping[str, Any], at: int) -> None:
    """Draw what the marks mean, and where our data differ from the paper's."""
    column = table["columns"][at]
    if column["n_queries"] == 1:
        told = _(
            "★: {reference}, the reference. Each value is of one whole collection, so nothing "
            "is tested. Not run: not measured here yet."
        ).format(reference=said(table["reference"]))
    else:
        told = _tested(table, column)
    st.caption(plain(told))
    with st.expander(_("How the paper's data differ from ours")):
        st.write(said(column["difference"]))
        st.write(said(paper["difference"]))


def _tested(table: Mapping[str, Any], column: Mapping[str, Any]) -> str:
    return _(
        "▲ and ▼: significantly above and below {reference} (★), by a paired t-test at {alpha} "
        "with Bonferroni's correction (here for {tests}); the marks of published values are "
        "the paper's. Better and worse: questions on which a method is above or below the "
        "reference. Not run: not measured here yet."
    ).format(
        reference=said(table["reference"]),
        alpha=number(table["alpha"], 2),
        tests=_n("{count} test", "{count} tests", column["n_comparisons"]),
    )


def draw_source(paper: Mapping[str, Any]) -> None:
    """Draw the citation of the paper, and the download of its tables as CSV."""
    st.markdown(f"{paper['citation']} [{paper['url']}]({paper['url']})")
    st.download_button(
        _("All tables as CSV"),
        lambda: as_csv(paper).encode(),
        file_name=f"subclust-{paper['name']}.csv",
        mime="text/csv",
        on_click="ignore",
    )


def said(text: str, name: str | None = None) -> str:
    """Translate a text of a report: as a whole if the catalogue has it, else part by part.

    Parameters
    ----------
    text : str
        English.
    name : str, optional
        A language other than the visitor's.
    """
    if not text:
        return ""
    words = catalogue(name or language())
    whole = words.gettext(text)
    return whole if whole != text else ", ".join(_part(part, words) for part in text.split(", "))


def _sentence_words(sentence: Message) -> str:
    """Translate a sentence about a column, its labels part by part."""
    return languages.said(sentence, {label: said(label) for label in _labels(sentence)})


def _labels(sentence: Message) -> Iterator[str]:
    for value in sentence.values.values():
        if isinstance(value, Message):
            yield from _labels(value) if value.values else (value.template,)


def place_of(asked: str | None, labels: Sequence[str]) -> int:
    """Return the index of a label, in any language, among English ones; 0 if it is not there."""
    known = [{said(label, name) for name in LANGUAGES} for label in labels]
    return next((at for at, forms in enumerate(known) if asked in forms), 0)


def _p_words(value: float | None) -> str:
    """Write a p value, small ones as "below 0.001"."""
    if value is None:
        return _("unknown")
    small = _("below {value}").format(value=number(0.001, 3))
    return small if value < 0.001 else number(value, 3)


def _part(text: str, words: NullTranslations) -> str:
    for pattern, told in _PLACES:
        if found := re.fullmatch(pattern, text):
            return words.gettext(told).format(
                number=found[1], method=found[1], model=found[found.re.groups]
            )
    if found := re.fullmatch(r"(\d+) groups", text):
        count = int(found[1])
        return words.ngettext("{count} group", "{count} groups", count).format(count=count)
    return words.gettext(text)
