"""A comparison in plain sentences, every number from the report itself."""

from collections.abc import Mapping
from typing import Any

from subclust.benchmarks.report.reading_figures import read_figure

METRICS: dict[str, tuple[str, str]] = {
    "ari": (
        "adjusted Rand index (ARI)",
        "1 where the groups are exactly those that were asked for, about 0 where they are as good "
        "as drawn by lot",
    ),
    "ami": (
        "adjusted mutual information (AMI)",
        "1 for the same groups, about 0 for groups drawn by lot",
    ),
    "nmi": ("normalised mutual information (NMI)", "1 for the same groups, 0 for unrelated ones"),
    "nmi_geometric": (
        "normalised mutual information (NMI), geometric",
        "1 for the same groups, 0 for unrelated ones",
    ),
    "ri": ("Rand index (RI)", "the share of pairs of passages that are treated right"),
    "acc": (
        "accuracy (ACC)",
        "the share of passages in the right group, once groups are matched as well as possible",
    ),
    "f1": (
        "F1 of purity and inverse purity (F1)",
        "1 where the groups are exactly those that were asked for; high, too, where each group is "
        "mostly of one subtopic and each subtopic mostly in one group",
    ),
    "bcubed_f1": (
        "B-cubed F1",
        "1 where every passage has exactly its own companions beside it",
    ),
    "auc": (
        "area under the ROC curve (AUC), all pairs",
        "the chance that two passages of one subtopic score higher than two of different ones; "
        "0.5 is a guess",
    ),
    "auc_balanced": (
        "area under the ROC curve (AUC), balanced pairs",
        "the same, with as many pairs of one subtopic as of different ones",
    ),
}
"""What each metric is called, and what it means in a sentence."""


def metric_name(metric: str) -> str:
    """Give the name of a metric for people; an unknown one keeps its key."""
    return METRICS.get(metric, (metric, ""))[0]


def short_name(metric: str) -> str:
    """Give the abbreviation of a metric, where its name tells one."""
    name = metric_name(metric)
    return name[name.index("(") + 1 : name.index(")")] if "(" in name else name


def read_aloud(report: Mapping[str, Any]) -> list[str]:
    """Say what a report shows.

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
    for ablation in report["ablations"]:
        sentences += [_of_ablation(row, ablation) for row in ablation["rows"]]
    return [sentence for sentence in sentences if sentence]


def _of_table(table: Mapping[str, Any]) -> list[str]:
    at = [column["name"] for column in table["columns"]].index(table["main"])
    return [f"{table['label']}. {sentence}" for sentence in read_column(table, at)]


def read_column(table: Mapping[str, Any], at: int, default: str | None = None) -> list[str]:
    """Say what one column of a table shows.

    Parameters
    ----------
    table : mapping
        Of a report.
    at : int
        Which column.
    default : str, optional
        The method that the app uses unless told otherwise: if it was run, the first sentence is
        about it, otherwise about the best that was.

    Returns
    -------
    list of str
    """
    column = table["columns"][at]
    rows = [row for row in (*table["rows"], *table["own"]) if row["cells"][at]["ours"]]
    reference = next((row for row in rows if row["label"] == table["reference"]), None)
    if not rows:
        return [f"Nothing was run on {column['task_label']} yet."]
    if reference is None:
        return [
            f"On {column['task_label']}, {table['reference']}, which all others are held against, "
            "was not run yet."
        ]
    best = max(rows, key=lambda row: row["cells"][at]["ours"]["mean"])
    chosen = next((row for row in rows if row["cells"][at]["folder"] == default), best)
    role = "the app's default" if chosen["cells"][at]["folder"] == default else ""
    if chosen is best:
        role = f"{role} and the best of what was run here" if role else "the best run here"
    sentences = [
        _chosen(chosen, role, at, column, reference),
        _papers_best(table, at, column),
        _same_order(table["order"][at]),
    ]
    return [sentence for sentence in sentences if sentence]


def _chosen(
    row: Mapping[str, Any],
    role: str,
    at: int,
    column: Mapping[str, Any],
    reference: Mapping[str, Any],
) -> str:
    cell = row["cells"][at]
    test = cell["test"]
    if "wins" not in test:
        return ""
    return (
        f"On {column['n_queries']} queries of {column['task_label']} ({column['granularity']}), "
        f"{row['label']}, {role}, is {_apart(cell['gain']['ours'])}{reference['label']}: "
        f"{short_name(column['metric'])} {cell['ours']['mean']:.3f} against "
        f"{reference['cells'][at]['ours']['mean']:.3f}; better on {test['wins']} queries, equal "
        f"on {test['ties']}, worse on {test['losses']}."
    )


def _papers_best(table: Mapping[str, Any], at: int, column: Mapping[str, Any]) -> str:
    printed = [row for row in table["rows"] if row["cells"][at]["published"]]
    if not printed:
        return ""
    row = max(printed, key=lambda row: row["cells"][at]["published"]["value"])
    label, cell, reference = row["label"], row["cells"][at], table["reference"]
    published, ours = cell["gain"]["published"], cell["gain"]["ours"]
    if published is None:
        return ""
    said = (
        f"The paper's best there, {label}, is {_apart(published)}{reference} as published on "
        f"{column['dataset']}"
    )
    if ours is None:
        return f"{said}; it was not run here."
    return f"{said}, and {_apart(ours)}it here."


def _same_order(order: Mapping[str, Any]) -> str:
    if order["tau"] is None or order["n_methods"] < 3:
        return ""
    return (
        f"Of the {order['n_methods']} methods that both sides measured, {order['n_same']} of "
        f"{order['n_pairs']} pairs stand in the paper's order "
        f"(Kendall's tau {order['tau']:.2f}, 1 is the same order)."
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


def _apart(share: float | None) -> str:
    """Write "14% above ", "3% below " or "level with "; "against " where there are no shares."""
    if share is None:
        return "against "
    whole = f"{abs(share):.0%}"
    if whole == "0%":
        return "level with "
    return f"{whole} {'above' if share > 0 else 'below'} "
