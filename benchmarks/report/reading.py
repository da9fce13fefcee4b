"""A comparison in plain sentences, every number from the report itself."""

from collections.abc import Mapping
from typing import Any

from benchmarks.report.markdown_parts import number, p_value
from benchmarks.report.reading_figures import read_figure
from subclust.core.messages import Message
from subclust.judging.metrics import short_name

_ROLES = {
    (True, True): "the app's default and the best of what was run here",
    (True, False): "the app's default",
    (False, True): "the best run here",
}
"""Of a method, by whether it is the default and whether it is the best."""


def read_aloud(report: Mapping[str, Any]) -> list[str]:
    """Return what a report shows.

    Parameters
    ----------
    report : mapping
        Of `build_report`.

    Returns
    -------
    list of str
        For each table the best of our methods, the paper's best row on both sides, and the order
        of the methods, on the column that is read first; then what figures and ablations show.
    """
    sentences = []
    for table in report["tables"]:
        sentences += _of_table(table)
    for figure in report["figures"]:
        sentences += read_figure(figure)
    for contrast in report["contrasts"]:
        sentences += [_of_contrast(row, contrast) for row in contrast["rows"]]
    for ablation in report["ablations"]:
        sentences += [_of_ablation(row, ablation) for row in ablation["rows"]]
    return [sentence for sentence in sentences if sentence]


def _of_table(table: Mapping[str, Any]) -> list[str]:
    at = [column["name"] for column in table["columns"]].index(table["main"])
    return [f"{table['label']}. {sentence}" for sentence in read_column(table, at)]


def read_column(table: Mapping[str, Any], at: int, default: str | None = None) -> list[Message]:
    """Return what one column of a table shows.

    Parameters
    ----------
    table : mapping
        Of a report.
    at : int
        Which column.
    default : str, optional
        The method that the app uses unless told otherwise: if it was run, the first sentence is
        about it, otherwise about the best that was.
    """
    column = table["columns"][at]
    rows = [row for row in (*table["rows"], *table["own"]) if row["cells"][at]["ours"]]
    reference = next((row for row in rows if row["label"] == table["reference"]), None)
    data = Message(column["task_label"])
    if not rows:
        return [Message("Nothing was run on {data} yet.", data=data)]
    if reference is None:
        return [
            Message(
                "On {data}, {reference}, with which all others are compared, was not run yet.",
                data=data,
                reference=Message(table["reference"]),
            )
        ]
    best = max(rows, key=lambda row: row["cells"][at]["ours"]["mean"])
    chosen = next((row for row in rows if row["cells"][at]["folder"] == default), best)
    is_default = chosen["cells"][at]["folder"] == default
    sentences = [
        _chosen(chosen, Message(_ROLES[is_default, chosen is best]), at, column, reference),
        _papers_best(table, at, column),
        _same_order(table["order"][at]),
    ]
    return [sentence for sentence in sentences if sentence]


def _chosen(
    row: Mapping[str, Any],
    role: Message,
    at: int,
    column: Mapping[str, Any],
    reference: Mapping[str, Any],
) -> Message | None:
    cell = row["cells"][at]
    test = cell["test"]
    if "wins" not in test:
        return None
    facts: dict[str, Any] = {
        "data": Message(column["task_label"]),
        "granularity": Message(column["granularity"]),
        "method": Message(row["label"]),
        "role": role,
        "apart": _apart(cell["gain"]["ours"], Message(reference["label"])),
        "metric": Message(short_name(column["metric"])),
        "mean": cell["ours"]["mean"],
        "other": reference["cells"][at]["ours"]["mean"],
    }
    if column["n_queries"] <= 1:
        return Message(
            "On {data}, one collection as a whole ({granularity}), {method}, {role}, is {apart}: "
            "{metric} {mean:.3f} against {other:.3f}.",
            **facts,
        )
    return Message(
        "On {n_queries:,} questions of {data} ({granularity}), {method}, {role}, is {apart}: "
        "{metric} {mean:.3f} against {other:.3f}; better on {wins:,} questions, equal on {ties:,}, "
        "worse on {losses:,}.",
        **facts,
        n_queries=column["n_queries"],
        wins=test["wins"],
        ties=test["ties"],
        losses=test["losses"],
    )


def _papers_best(table: Mapping[str, Any], at: int, column: Mapping[str, Any]) -> Message | None:
    printed = [row for row in table["rows"] if row["cells"][at]["published"]]
    if not printed:
        return None
    row = max(printed, key=lambda row: row["cells"][at]["published"]["value"])
    cell = row["cells"][at]
    published, ours = cell["gain"]["published"], cell["gain"]["ours"]
    if published is None:
        return None
    facts = {
        "method": Message(row["label"]),
        "apart": _apart(published, Message(table["reference"])),
        "data": Message(column["dataset"]),
    }
    if ours is None:
        return Message(
            "The paper's best there, {method}, is {apart} as published on {data}; it was not run "
            "here.",
            **facts,
        )
    return Message(
        "The paper's best there, {method}, is {apart} as published on {data}, and {here} here.",
        **facts,
        here=_apart(ours, Message("it")),
    )


def _same_order(order: Mapping[str, Any]) -> Message | None:
    if order["tau"] is None or order["n_methods"] < 3:
        return None
    return Message(
        "Of the {n_methods:,} methods that both sides measured, {n_same:,} of {n_pairs:,} pairs "
        "stand in the paper's order (Kendall's tau {tau:.2f}, 1 is the same order).",
        n_methods=order["n_methods"],
        n_same=order["n_same"],
        n_pairs=order["n_pairs"],
        tau=order["tau"],
    )


def _of_ablation(row: Mapping[str, Any], ablation: Mapping[str, Any]) -> str:
    parts = [
        f"{value['mean']:.3f} with {variant.replace('-', ' ')}"
        for variant, value in row["variants"].items()
    ]
    return (
        f"{ablation['label']}. {row['label']} on {row['task_label']}: "
        f"{short_name(ablation['metric'])} {row['whole']['mean']:.3f} as it is, "
        f"{' and '.join(parts)}."
    )


def _of_contrast(row: Mapping[str, Any], contrast: Mapping[str, Any]) -> str:
    gain, test = row["gain"], row["test"]
    return (
        f"{contrast['label']}. {row['label']} on {row['task_label']}: "
        f"{short_name(contrast['metric'])} {row['with']['mean']:.3f} against "
        f"{row['without']['mean']:.3f}, seeds {row['with']['n_seeds']} and "
        f"{row['without']['n_seeds']}"
        f", {number(gain['ours'], '+.1%')} (p, corrected, {p_value(test['p_corrected'])}); "
        f"published {number(gain['published'], '+.1%')}."
    )


def _apart(share: float | None, reference: Message) -> Message:
    """Return how far above or below the reference; only against it where there are no shares."""
    if share is None:
        return Message("against {reference}", reference=reference)
    if f"{abs(share):.0%}" == "0%":
        return Message("level with {reference}", reference=reference)
    percent = Message("{percent:.0f}%", percent=100 * abs(share))
    if share > 0:
        return Message("{share} above {reference}", share=percent, reference=reference)
    return Message("{share} below {reference}", share=percent, reference=reference)
