"""A comparison in plain sentences, every number from the report itself."""

from collections.abc import Mapping
from typing import Any

from subclust.benchmarks.report import sentences as words
from subclust.benchmarks.report.metrics import short_name
from subclust.benchmarks.report.reading_figures import read_figure
from subclust.benchmarks.telling import ENGLISH, Telling


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


def read_column(
    table: Mapping[str, Any], at: int, default: str | None = None, tell: Telling = ENGLISH
) -> list[str]:
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
    tell : Telling
        The language.

    Returns
    -------
    list of str
    """
    column = table["columns"][at]
    rows = [row for row in (*table["rows"], *table["own"]) if row["cells"][at]["ours"]]
    reference = next((row for row in rows if row["label"] == table["reference"]), None)
    if not rows:
        return [tell.say(words.NOTHING_RUN).format(data=tell.say(column["task_label"]))]
    if reference is None:
        return [
            tell.say(words.NO_REFERENCE).format(
                data=tell.say(column["task_label"]), reference=tell.say(table["reference"])
            )
        ]
    best = max(rows, key=lambda row: row["cells"][at]["ours"]["mean"])
    chosen = next((row for row in rows if row["cells"][at]["folder"] == default), best)
    is_default = chosen["cells"][at]["folder"] == default
    role = words.ROLES[is_default, chosen is best]
    sentences = [
        _chosen(chosen, tell.say(role), at, column, reference, tell),
        _papers_best(table, at, column, tell),
        _same_order(table["order"][at], tell),
    ]
    return [sentence for sentence in sentences if sentence]


def _chosen(
    row: Mapping[str, Any],
    role: str,
    at: int,
    column: Mapping[str, Any],
    reference: Mapping[str, Any],
    tell: Telling,
) -> str:
    cell = row["cells"][at]
    test = cell["test"]
    if "wins" not in test:
        return ""
    said = words.CHOSEN if column["n_queries"] > 1 else words.CHOSEN_OF_ONE
    return tell.say(said).format(
        n_queries=tell.number(column["n_queries"], 0),
        data=tell.say(column["task_label"]),
        granularity=tell.say(words.GRANULARITIES[column["granularity"]]),
        method=tell.say(row["label"]),
        role=role,
        apart=_apart(cell["gain"]["ours"], tell.say(reference["label"]), tell),
        metric=tell.say(short_name(column["metric"])),
        mean=tell.number(cell["ours"]["mean"], 3),
        other=tell.number(reference["cells"][at]["ours"]["mean"], 3),
        wins=tell.number(test["wins"], 0),
        ties=tell.number(test["ties"], 0),
        losses=tell.number(test["losses"], 0),
    )


def _papers_best(
    table: Mapping[str, Any], at: int, column: Mapping[str, Any], tell: Telling
) -> str:
    printed = [row for row in table["rows"] if row["cells"][at]["published"]]
    if not printed:
        return ""
    row = max(printed, key=lambda row: row["cells"][at]["published"]["value"])
    cell = row["cells"][at]
    published, ours = cell["gain"]["published"], cell["gain"]["ours"]
    if published is None:
        return ""
    said = tell.say(words.PUBLISHED_BEST).format(
        method=tell.say(row["label"]),
        apart=_apart(published, tell.say(table["reference"]), tell),
        data=tell.say(column["dataset"]),
    )
    if ours is None:
        return tell.say(words.BEST_NOT_RUN).format(said=said)
    apart = _apart(ours, tell.say(words.IT), tell)
    return tell.say(words.BEST_HERE).format(said=said, apart=apart)


def _same_order(order: Mapping[str, Any], tell: Telling) -> str:
    if order["tau"] is None or order["n_methods"] < 3:
        return ""
    return tell.say(words.SAME_ORDER).format(
        n_methods=tell.number(order["n_methods"], 0),
        n_same=tell.number(order["n_same"], 0),
        n_pairs=tell.number(order["n_pairs"], 0),
        tau=tell.number(order["tau"], 2),
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


def _apart(share: float | None, reference: str, tell: Telling) -> str:
    """Say how far above or below the reference; only against it where there are no shares."""
    if share is None:
        template = words.AGAINST
    elif f"{abs(share):.0%}" == "0%":
        template = words.LEVEL
    else:
        template = words.ABOVE if share > 0 else words.BELOW
    return tell.say(template).format(share=tell.share(abs(share or 0.0)), reference=reference)
