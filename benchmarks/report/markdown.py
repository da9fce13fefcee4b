"""A report as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report.markdown_figures import figure_parts, search_parts
from benchmarks.report.markdown_parts import NONE, as_text, grid, listed, number, p_value
from subclust.judging.metrics import METRICS, metric_name


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
        "Written by `python -m benchmarks report` from the result files alone; do not edit. "
        f"Results: `{report['results']}`.",
        "## In short",
        listed(report["reading"]),
        "## Where the two sides differ",
        listed(
            [
                report["difference"],
                *(
                    f"{_named(dataset)} (`{dataset['task']}`): {dataset['difference']}"
                    for dataset in report["datasets"]
                ),
            ]
        ),
        "## What the measures mean",
        listed(
            f"{metric_name(metric)}: {METRICS[metric][1]}."
            for metric in _metrics(report)
            if metric in METRICS
        ),
    ]
    for table in report["tables"]:
        parts += _table(table)
    for search in report["searches"]:
        parts += search_parts(search)
    for figure in report["figures"]:
        parts += figure_parts(figure, paper["name"])
    for contrast in report["contrasts"]:
        parts += _contrast(contrast)
    for ablation in report["ablations"]:
        parts += _ablation(ablation)
    parts += ["## What the paper says"]
    parts.append(listed(f"{one['text']} ({one['where']})" for one in report["statements"]))
    for one in report["statistics"]:
        parts += [f"### {one['label']}", one["caption"], grid(one["columns"], one["rows"])]
    parts += ["## How ours were made", _runs(report["runs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _named(dataset: Mapping[str, Any]) -> str:
    """Name a data set of the paper with ours; one that only we have has one name."""
    theirs, ours = dataset["name"], dataset["label"]
    return str(ours) if theirs == ours else f"{theirs} and {ours}"


def _metrics(report: Mapping[str, Any]) -> list[str]:
    columns = [column["metric"] for table in report["tables"] for column in table["columns"]]
    return list(dict.fromkeys(columns))


def _table(table: Mapping[str, Any]) -> list[str]:
    columns = [column["label"] for column in table["columns"]]
    parts = [
        f"## {table['label']}",
        f"{table['caption']} Each cell: published, then ours. {_marks(table)}"
        + (" ±: half of the 95% interval of the mean." if _with_intervals(table) else ""),
        grid(
            ["Method", *columns],
            [
                [row["label"], *(_both(cell) for cell in row["cells"])]
                for row in (*table["rows"], *table["own"])
            ],
        ),
    ]
    notes = [f"{row['label']}: {row['note']}" for row in table["rows"] if row["note"]]
    parts.append(listed(notes))
    for at, column in enumerate(table["columns"]):
        parts += _column(table, at, column)
    return parts


def _marks(table: Mapping[str, Any]) -> str:
    if all(column["n_queries"] < 2 for column in table["columns"]):
        return (
            f"★: {table['reference']}, which the others are held against; each column is one "
            "collection, so there are no tests."
        )
    return (
        f"▲ and ▼: significantly above and below {table['reference']} (★) by a paired t-test at "
        f"{table['alpha']:g}, corrected by Bonferroni for the tests of its column; the paper's "
        "marks are the paper's."
    )


def _with_intervals(table: Mapping[str, Any]) -> bool:
    return any("spread" in (cell["ours"] or {}) for row in table["rows"] for cell in row["cells"])


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
        f"Ours: `{column['task']}`, {_measured_on(column)}.",
        grid(head, rows),
    ]
    own = [row for row in table["own"] if row["cells"][at]["ours"]]
    if own:
        parts += [
            "Methods of ours that the paper does not have:",
            grid(head, [[row["label"], *_facts(row["cells"][at])] for row in own]),
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


def _measured_on(column: Mapping[str, Any]) -> str:
    if not column["n_queries"]:
        return "not run yet"
    if column["n_queries"] == 1:  # of which there is no test
        return f"one collection, {column['granularity']}"
    return (
        f"{column['n_queries']} queries, {column['granularity']}, {column['n_comparisons']} tests"
    )


def _facts(cell: Mapping[str, Any]) -> list[str]:
    test = cell["test"] or {}
    tested = "wins" in test
    several = tested and test["wins"] + test["ties"] + test["losses"] > 1
    return [
        _published(cell),
        _ours(cell, with_error=True),
        number(cell["difference"], "+.3f"),
        number(cell["gain"]["published"], "+.1%"),
        number(cell["gain"]["ours"], "+.1%"),
        f"{number(test['low'], '+.3f')} to {number(test['high'], '+.3f')}" if several else NONE,
        p_value(test["p_corrected"]) if tested else NONE,
        f"{test['wins']} / {test['ties']} / {test['losses']}" if tested else NONE,
    ]


def _both(cell: Mapping[str, Any]) -> str:
    return f"{_published(cell)} · {_ours(cell)}"


def _published(cell: Mapping[str, Any]) -> str:
    found = cell["published"]
    if found is None:
        return NONE
    value = f"≈{found['value']:g}" if found["approximate"] else f"{found['value']:.3f}"
    spread = f" ± {found['spread']:.3f}" if "spread" in found else ""
    return value + spread + str(found["mark"])


def _ours(cell: Mapping[str, Any], *, with_error: bool = False) -> str:
    ours = cell["ours"]
    if ours is None:
        return str(cell["missing"])
    if "spread" in ours:
        error = f" ± {ours['spread']:.3f}"
    else:
        told = with_error and ours["n_queries"] > 1  # of one query there is no error of the mean
        error = f" ± {ours['stderr']:.3f}" if told else ""
    return f"{ours['mean']:.3f}{error}{(cell['test'] or {}).get('mark', '')}"


def _contrast(contrast: Mapping[str, Any]) -> list[str]:
    parts = [f"## {contrast['label']}", contrast["caption"]]
    if not contrast["rows"]:
        return [*parts, "Not run."]
    head = ["Training", "Data", "Seeds", f"{metric_name(contrast['metric'])}, with", "Without",
            "Published gain", "Our gain", "95% of the difference", "p, corrected",
            "Better / equal / worse"]  # fmt: skip
    rows = []
    for row in contrast["rows"]:
        first, other, test = row["with"], row["without"], row["test"]
        rows.append(
            [
                row["label"],
                f"`{row['task']}`",
                f"{first['n_seeds']} / {other['n_seeds']}",
                f"{first['mean']:.3f} ± {first['stderr']:.3f}",
                f"{other['mean']:.3f} ± {other['stderr']:.3f}",
                number(row["gain"]["published"], "+.1%"),
                number(row["gain"]["ours"], "+.1%"),
                f"{number(test['low'], '+.3f')} to {number(test['high'], '+.3f')}",
                p_value(test["p_corrected"]),
                f"{test['wins']} / {test['ties']} / {test['losses']}",
            ]
        )
    return [*parts, grid(head, rows)]


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
    return [*parts, grid(head, rows)]


def _variant(found: Mapping[str, Any] | None) -> list[str]:
    if found is None:
        return ["not run", NONE, NONE, NONE]
    test = found["test"]
    return [
        f"{found['mean']:.3f}",
        number(found["gain"], "+.1%"),
        p_value(test["p_corrected"]),
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
            run["checkpoint"] or NONE,
            as_text(run["seed"]),
            f"`{run['commit'][:10]}`" if run["commit"] else NONE,
            as_text(run["encoder_revision"]),
            as_text(run["device"]),
            number(run["seconds"], ".2f"),
        ]
        for run in runs
    ]
    return grid(head, rows)
