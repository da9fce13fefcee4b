"""Parts taken away, and trainings with and without something, over the same queries."""

from typing import Any

from benchmarks.published import Ablation, Contrast, Paper
from benchmarks.report.comparison import check_same_queries, compare, relative_gain, summary
from benchmarks.report.seeds import first_seed, mean_of, seeds_of
from benchmarks.report.tables import method_label
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary

ALPHA = 0.05


def compare_ablation(ablation: Ablation, results: SavedResults) -> dict[str, Any]:
    """Compare each method that was measured with something taken away with itself whole.

    Of a training with several seeds, each query's mean over them is compared.

    Returns
    -------
    dict
        ``rows``, one for each method and task: ``whole``, and for each of ``variants`` its mean,
        the relative gain of the whole over it, and the test of whole against variant, corrected for
        all tests of the same task. Empty as long as nothing of the kind was measured.
    """
    rows = []
    for dataset in ablation.datasets:
        found: list[tuple[str, MetricSummary, dict[str, MetricSummary]]] = []
        for seeds in _trainings(ablation, dataset.task, results):
            variants = {
                name: mean_of(seeds, ablation.metric, f"ablation/{name}")
                for name in ablation.variants
                if all(one.metric(ablation.metric, f"ablation/{name}") for one in seeds)
            }
            if variants:
                found.append((seeds[0].folder, mean_of(seeds, ablation.metric, "true_k"), variants))
        n_comparisons = max(1, sum(len(variants) for _, _, variants in found))
        rows += [
            {
                "method": folder,
                "label": method_label(folder),
                "task": dataset.task,
                "task_label": dataset.label,
                "whole": summary(whole),
                "variants": {
                    name: {
                        **summary(metric),
                        "gain": relative_gain(whole.mean, metric.mean),
                        "test": compare(whole, metric, n_comparisons=n_comparisons, alpha=ALPHA),
                    }
                    for name, metric in variants.items()
                },
            }
            for folder, whole, variants in found
        ]
    return {
        "name": ablation.name,
        "label": ablation.label,
        "caption": ablation.caption,
        "metric": ablation.metric,
        "granularity": ablation.granularity,
        "variants": list(ablation.variants),
        "rows": rows,
    }


def _trainings(ablation: Ablation, task: str, results: SavedResults) -> list[list[SavedScores]]:
    """Return the results on a task, those of one training with several seeds together."""
    found: dict[str, list[SavedScores]] = {}
    for folder in results.folders(task):
        saved = results.find(folder, task, ablation.granularity)
        if saved is not None and saved.metric(ablation.metric) is not None:
            found.setdefault(first_seed(folder), []).append(saved)
    return list(found.values())


def compare_contrast(contrast: Contrast, paper: Paper, results: SavedResults) -> dict[str, Any]:
    """Compare what each pair of a contrast scores here with what the paper prints of it.

    Returns
    -------
    dict
        ``rows``, one for each pair and column that were measured: ``with`` and ``without`` with
        mean, standard error and ``n_seeds``, the ``gain`` of the first over the second as
        ``published`` and ``ours``, and the ``test`` of the two, corrected for the pairs of the same
        column (see `compare`).
    """
    table = next(one for one in paper.tables if one.name == contrast.table)
    printed = {row.label: row.cells for row in table.rows}
    rows = []
    for at, column in enumerate(table.columns):
        if (column.metric, column.granularity) != (contrast.metric, contrast.granularity):
            continue
        found = [
            (pair, mine, others)
            for pair in contrast.pairs
            if (mine := seeds_of(pair.methods, column, results))
            and (others := seeds_of(pair.others, column, results))
        ]
        for pair, mine, others in found:
            check_same_queries(others[0], mine[0])
            whole, less = (mean_of(seeds, column.metric, column.groups) for seeds in (mine, others))
            rows.append(
                {
                    "label": pair.label,
                    "dataset": column.dataset.name,
                    "task": column.dataset.task,
                    "task_label": column.dataset.label,
                    "with": {**summary(whole), "n_seeds": len(mine)},
                    "without": {**summary(less), "n_seeds": len(others)},
                    "gain": {
                        "published": relative_gain(
                            printed[pair.row][at].value, printed[contrast.against][at].value
                        ),
                        "ours": relative_gain(whole.mean, less.mean),
                    },
                    "test": compare(whole, less, n_comparisons=len(found), alpha=ALPHA),
                }
            )
    return {
        "name": contrast.name,
        "label": contrast.label,
        "caption": contrast.caption,
        "metric": contrast.metric,
        "rows": rows,
    }
