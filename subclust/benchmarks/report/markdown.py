"""A report as Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from subclust.benchmarks.report.reading import METRICS, metric_name

_NONE = "–"


def as_markdown(report: Mapping[str, Any]) -> str:
    """Write a report for people; every number has a fixed number of decimals.

    Parameters
    ----------
    report : mapping
        Of `build_report`.

    Returns
    -------
    str
        Ending in a newline.
    """
    paper = report["paper"]
    parts = [
        f"# {paper['title']}: published and ours",
        f"{paper['citation']} <{paper['url']}>",
        "Written by `python -m subclust bench --report` from the result files alone; do not edit. "
        f"Results: `{report['results']}`.",
        "## In short",
        _listed(report["reading"]),
        "## Where the two sides differ",
        _listed(
            [
                report["difference"],
                *(
                    f"{dataset['name']} and {dataset['label']} (`{dataset['task']}`): "
                    f"{dataset['difference']}"
                    for dataset in report["datasets"]
                ),
            ]
        ),
        "## What the measures mean",
        _listed(
            f"{metric_name(metric)}: {METRICS[metric][1]}."
            for metric in _metrics(report)
            if metric in METRICS
        ),
    ]
    for table in report["tables"]:
        parts += _table(table)
    for figure in report["figures"]:
        parts += _figure(figure)
    for ablation in report["ablations"]:
        parts += _ablation(ablation)
    parts += ["## What the paper says"]
    parts.append(_listed(f"{one['text']} ({one['where']})" for one in report["statements"]))
    for one in report["statistics"]:
        parts += [f"### {one['label']}", one["caption"], _grid(one["columns"], one["rows"])]
    parts += ["## How ours were made", _runs(report["runs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _metrics(report: Mapping[str, Any]) -> list[str]:
    columns = [column["metric"] for table in report["tables"] for column in table["columns"]]
    return list(dict.fromkeys(columns))


def _table(table: Mapping[str, Any]) -> list[str]:
    columns = [column["label"] for column in table["columns"]]
    parts = [
        f"## {table['label']}",
        f"{table['caption']} Each cell: published, then ours. ▲ and ▼: significantly above and "
        f"below {table['reference']} (★) by a paired t-test at {table['alpha']:g}, corrected by "
        "Bonferroni for the tests of its column; the paper's marks are the paper's.",
        _grid(
            ["Method", *columns],
            [
                [row["label"], *(_both(cell) for cell in row["cells"])]
                for row in (*table["rows"], *table["own"])
            ],
        ),
    ]
    notes = [f"{row['label']}: {row['note']}" for row in table["rows"] if row["note"]]
    parts.append(_listed(notes))
    for at, column in enumerate(table["columns"]):
        parts += _column(table, at, column)
    return parts


def _column(table: Mapping[str, Any], at: int, column: Mapping[str, Any]) -> list[str]:
    reference = table["reference"]
    head = [
        "Method",
        "Published",
        "Ours",
        "Ours − published",
        f"Published against {reference}",
        f"Ours against {reference}",
        "95% of the difference",
        "p, corrected",
        "Better / equal / worse",
    ]
    rows = [[row["label"], *_facts(row["cells"][at])] for row in table["rows"]]
    parts = [
        f"### {table['label']}, {column['label']}",
        f"Ours: `{column['task']}`, {column['n_queries']} queries, {column['granularity']}, "
        f"{column['n_comparisons']} tests.",
        _grid(head, rows),
    ]
    own = [row for row in table["own"] if row["cells"][at]["ours"]]
    if own:
        parts += [
            "Methods of ours that the paper does not have:",
            _grid(head, [[row["label"], *_facts(row["cells"][at])] for row in own]),
        ]
    order = table["order"][at]
    if order["tau"] is not None:
        swapped = "; ".join(f"{better} and {worse}" for better, worse in order["swapped"])
        parts.append(
            f"Order: Kendall's tau {order['tau']:.2f} over {order['n_methods']} methods, "
            f"{order['n_same']} of {order['n_pairs']} pairs as in the paper. Neighbours of the "
            f"paper that changed places here: {swapped or 'none'}."
        )
    return parts


def _facts(cell: Mapping[str, Any]) -> list[str]:
    test = cell["test"] or {}
    tested = "wins" in test
    return [
        _published(cell),
        _ours(cell, with_error=True),
        _number(cell["difference"], "+.3f"),
        _number(cell["gain"]["published"], "+.1%"),
        _number(cell["gain"]["ours"], "+.1%"),
        f"{_number(test['low'], '+.3f')} to {_number(test['high'], '+.3f')}" if tested else _NONE,
        _p_value(test["p_corrected"]) if tested else _NONE,
        f"{test['wins']} / {test['ties']} / {test['losses']}" if tested else _NONE,
    ]


def _both(cell: Mapping[str, Any]) -> str:
    return f"{_published(cell)} · {_ours(cell)}"


def _published(cell: Mapping[str, Any]) -> str:
    found = cell["published"]
    if found is None:
        return _NONE
    value = f"≈{found['value']:g}" if found["approximate"] else f"{found['value']:.3f}"
    return value + str(found["mark"])


def _ours(cell: Mapping[str, Any], *, with_error: bool = False) -> str:
    ours = cell["ours"]
    if ours is None:
        return str(cell["missing"])
    error = f" ± {ours['stderr']:.3f}" if with_error else ""
    return f"{ours['mean']:.3f}{error}{(cell['test'] or {}).get('mark', '')}"


def _figure(figure: Mapping[str, Any]) -> list[str]:
    ours = figure["ours"]
    first, second = (series["label"] for series in figure["series"])
    parts = [f"## {figure['label']}", figure["caption"], "The paper:", _listed(figure["says"])]
    if ours is None:
        return [*parts, f"Ours: {first} against {second} was not run."]
    if figure["kind"] == "helps-hurts":
        return [
            *parts,
            f"Ours: {first} is better than {second} on {ours['wins']} of {ours['n_queries']} "
            f"queries ({ours['share_won']:.1%}), equal on {ours['ties']}, worse on "
            f"{ours['losses']}; mean difference {_number(ours['mean_difference'], '+.3f')}, 95% "
            f"from {_number(ours['low'], '+.3f')} to {_number(ours['high'], '+.3f')}.",
        ]
    rows = [
        [row["query"], *(f"{s['mean']:.3f} ± {s['stderr']:.3f}" for s in row["series"])]
        for row in ours["queries"]
    ]
    return [
        *parts,
        f"Ours: {first} is better on {ours['n_won']} of {ours['n_queries']} subjects.",
        _grid(["Subject", first, second], rows),
    ]


def _ablation(ablation: Mapping[str, Any]) -> list[str]:
    parts = [f"## {ablation['label']}", ablation["caption"]]
    if not ablation["rows"]:
        return [*parts, "Not run."]
    head = ["Method", "Data", f"{metric_name(ablation['metric'])}, as it is"]
    for variant in ablation["variants"]:
        name = variant.replace("-", " ")
        head += [f"With {name}", f"Gain over {name}", "p, corrected", "Better / equal / worse"]
    rows = []
    for row in ablation["rows"]:
        cells = [row["label"], f"`{row['task']}`", f"{row['whole']['mean']:.3f}"]
        for variant in ablation["variants"]:
            cells += _variant(row["variants"].get(variant))
        rows.append(cells)
    return [*parts, _grid(head, rows)]


def _variant(found: Mapping[str, Any] | None) -> list[str]:
    if found is None:
        return ["not run", _NONE, _NONE, _NONE]
    test = found["test"]
    return [
        f"{found['mean']:.3f}",
        _number(found["gain"], "+.1%"),
        _p_value(test["p_corrected"]),
        f"{test['wins']} / {test['ties']} / {test['losses']}",
    ]


def _runs(runs: Sequence[Mapping[str, Any]]) -> str:
    head = ["Method", "Task", "Granularity", "Checkpoint", "Seed", "Commit", "Encoder", "Device",
            "Seconds"]  # fmt: skip
    rows = [
        [
            f"`{run['method']}`",
            f"`{run['task']}`",
            run["granularity"],
            run["checkpoint"] or _NONE,
            _text(run["seed"]),
            f"`{run['commit'][:10]}`" if run["commit"] else _NONE,
            _text(run["encoder_revision"]),
            _text(run["device"]),
            _number(run["seconds"], ".2f"),
        ]
        for run in runs
    ]
    return _grid(head, rows)


def _number(value: float | None, form: str) -> str:
    return _NONE if value is None else format(value, form).replace("-", "−")


def _text(value: object) -> str:
    return _NONE if value is None else str(value)


def _p_value(value: float | None) -> str:
    if value is None:
        return _NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
