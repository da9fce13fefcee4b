"""``python -m subclust bench``."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from subclust.benchmarks.ablation import run_ablation
from subclust.benchmarks.data import load_task
from subclust.benchmarks.report import REPORTS_DIR, build_reports, check_reports, write_reports
from subclust.benchmarks.results import RESULTS_DIR, save_clustering, story, write
from subclust.benchmarks.retrieval_tasks import RETRIEVAL_TASKS, run_retrieval
from subclust.benchmarks.run import (
    COUNT_RULES,
    learn_counts,
    learn_method_threshold,
    run_benchmark,
)
from subclust.benchmarks.saved import SavedResults
from subclust.checkpoints import CheckpointStore
from subclust.cli.progress import progress_bar
from subclust.encoders import Encoder, load_encoder
from subclust.evaluation.clustering_evaluator import DEFAULT_METRICS
from subclust.methods import find_method
from subclust.records import QUERY_CONTEXTS
from subclust.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bench``."""
    parser.add_argument(
        "task", nargs="?", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'"
    )
    parser.add_argument(
        "--method",
        action="append",
        metavar="NAME",
        help="may be given several times, the first is compared with the others; "
        "NAME@CHECKPOINT names a checkpoint",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], default="flat")
    parser.add_argument(
        "--context", choices=QUERY_CONTEXTS, help="by default the one a checkpoint was trained with"
    )
    parser.add_argument(
        "--count", choices=list(COUNT_RULES), help="rule for the automatic number of groups"
    )
    parser.add_argument(
        "--validation",
        metavar="TASK_OR_FILE",
        help="choose there the rule for the automatic number of groups, for each method that is "
        "not trained; with --training",
    )
    parser.add_argument(
        "--training",
        metavar="TASK_OR_FILE",
        help="whose mean number of groups is one of these rules",
    )
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="of the benchmark data")
    parser.add_argument(
        "--learn-threshold",
        action="store_true",
        help="print the similarity at which each method's automatic number of groups is best",
    )
    parser.add_argument(
        "--max-other",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="largest share of passages that may go to 'other passages', 0 by default; above 0, "
        "what a method finds to be about something else goes there too",
    )
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="measure query-specific methods without the query and with a wrong one, too",
    )
    parser.add_argument("--save", action="store_true", help="keep the results with the others")
    parser.add_argument(
        "--report",
        action="store_true",
        help="instead of measuring, set the saved results beside what the papers published",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="with --report: write nothing, but see that the reports are those of the results",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="with --report: where the reports lie"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.set_defaults(wrong_usage=parser.error)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure methods on a task, or report on what was measured."""
    if arguments.report == (arguments.task is not None):
        arguments.wrong_usage("either TASK_OR_FILE or --report is needed")
    if not arguments.report and (arguments.check or arguments.out is not None):
        arguments.wrong_usage("--check and --out go with --report")
    if (arguments.validation is None) != (arguments.training is None):
        arguments.wrong_usage("--validation and --training go together")
    if arguments.validation is not None and arguments.count is not None:
        arguments.wrong_usage("--count and --validation both choose the rule; give one of them")
    if arguments.report:
        _report(arguments)
        return
    if arguments.data_dir is not None:
        settings = replace(settings, benchmark_data_dir=arguments.data_dir)
    encoder = load_encoder(settings)
    if arguments.task in RETRIEVAL_TASKS:
        _retrieval(arguments, settings, encoder)
        return
    store = CheckpointStore.of(settings)
    name, instances = load_task(arguments.task, settings)
    methods = arguments.method or ["default", "centred-cosine", "sbert-cosine"]
    if arguments.learn_threshold:
        for method in methods:
            threshold = learn_method_threshold(instances, method, encoder, store)
            print(f"{method} {threshold:.6f}", flush=True)
        return

    def progress(method: str, done: int, total: int) -> None:
        progress_bar(f"Encoding for {method}")(done, total)

    counts = None
    if arguments.validation is not None:
        counts = learn_counts(
            methods,
            load_task(arguments.validation, settings)[1],
            load_task(arguments.training, settings)[1],
            encoder,
            store,
            progress=progress,
        )
    result = run_benchmark(
        name,
        instances,
        methods,
        encoder,
        store,
        granularity=arguments.granularity,
        context=arguments.context,
        count=arguments.count,
        counts=counts,
        max_other=arguments.max_other,
        progress=progress,
    )
    if arguments.ablation:
        result["ablation"] = {
            method: run_ablation(
                instances,
                method,
                encoder,
                store,
                granularity=arguments.granularity,
                max_other=arguments.max_other,
            )
            for method in methods
            if find_method(method.partition("@")[0], store).query_specific
        }
    if arguments.save:
        save_clustering(result, story(encoder, settings.resolve_device()))
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print(_table(result))


def _report(arguments: argparse.Namespace) -> None:
    folder = arguments.out or REPORTS_DIR
    reports = build_reports(SavedResults())
    written: list[Path] = []
    if arguments.check:
        check_reports(reports, folder)
    else:
        written = write_reports(reports, folder)
    if arguments.json:
        print(json.dumps({"reports": reports}, ensure_ascii=False))
    elif arguments.check:
        print(f"The reports in {folder} are those of the results.")
    else:
        print("\n".join(f"Wrote {path}" for path in written))


def _retrieval(arguments: argparse.Namespace, settings: Settings, encoder: Encoder) -> None:
    result = run_retrieval(arguments.task, settings, encoder)
    if arguments.save:
        told = story(encoder, settings.resolve_device())
        write(RESULTS_DIR / "retrieval" / f"{arguments.task}.json", {**result, "story": told})
    if arguments.json:
        print(json.dumps(result))
        return
    for mode, metrics in result["modes"].items():
        for metric, values in metrics.items():
            print(f"{mode:8} {metric} {values['mean']:.4f} ± {values['stderr']:.4f}")


def _table(result: Mapping[str, Any]) -> str:
    width = max(map(len, result["methods"])) + 2
    lines = [
        f"{result['task']}, {_queries(result['n_instances'])}, {result['granularity']}",
        " " * width
        + "".join(f"{metric:>8}" for metric in DEFAULT_METRICS)
        + "   auto ARI   groups",
    ]
    for name, scores in result["methods"].items():
        auto = result["auto_k"]["methods"].get(name)
        means = "".join(
            f"{'-' if scores[metric]['mean'] is None else format(scores[metric]['mean'], '.3f'):>8}"
            for metric in DEFAULT_METRICS
        )
        own = "       -        -"
        if auto is not None:
            groups = sum(auto["n_clusters"]) / len(auto["n_clusters"])
            own = f"{auto['ari']['mean']:8.3f}   {groups:6.1f}"
        lines.append(f"{name:{width}}{means}   {own}")
    for name, variants in result.get("ablation", {}).items():
        right = result["methods"][name]["ari"]["mean"]
        others = ", ".join(f"{kind} {v['ari']['mean']:.3f}" for kind, v in variants.items())
        lines.append(f"{name}: ARI with the query {right:.3f}, {others}")
    for row in result["comparisons"]:
        gain = "" if row["relative_gain"] is None else f"{row['relative_gain']:+.1%}, "
        apart = f"{row['method']} against {row['against']}: ARI {row['mean_difference']:+.3f}"
        if result["n_instances"] == 1:  # no interval and no test
            lines.append(apart + (f" ({gain[:-2]})" if gain else ""))
            continue
        chance = "undefined" if row["p_corrected"] is None else f"{row['p_corrected']:.2g}"
        lines.append(
            f"{apart} ({gain}95% from {row['interval'][0]:+.3f} to {row['interval'][1]:+.3f}, "
            f"p {chance}), better on {row['wins']}, worse on {row['losses']}"
        )
    return "\n".join(lines)


def _queries(count: int) -> str:
    return "one collection" if count == 1 else f"{count} queries"
