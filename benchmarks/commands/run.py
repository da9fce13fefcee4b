"""``python -m benchmarks run``: ``python -m subclust bench``, and what only tables need."""

import argparse
import json
from dataclasses import replace
from typing import Any

from benchmarks.ablation import run_ablation
from benchmarks.results import RESULTS_DIR, save_clustering, story, write
from benchmarks.retrieval_tasks import RETRIEVAL_TASKS, run_retrieval
from subclust.checkpoints import CheckpointStore
from subclust.cli.training import judging
from subclust.core.settings import Settings
from subclust.methods import find_method
from subclust.text.encoders import load_encoder


def add_run(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``run``."""
    judging.add_bench(parser)
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="measure query-specific methods without the query and with a wrong one, too",
    )
    parser.add_argument("--save", action="store_true", help="keep the results with the others")


def run_run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure methods on a task."""
    if arguments.data_dir is not None:
        settings = replace(settings, benchmark_data_dir=arguments.data_dir)
    if arguments.task in RETRIEVAL_TASKS:
        _retrieval(arguments, settings)
        return
    instances, result = judging.measure(arguments, settings)
    if result is None:
        return
    encoder = load_encoder(settings)
    if arguments.ablation:
        store = CheckpointStore.of(settings)
        result["ablation"] = {
            method: run_ablation(
                instances,
                method,
                encoder,
                store,
                granularity=arguments.granularity,
                max_other=arguments.max_other,
            )
            for method in arguments.method or judging.METHODS
            if find_method(method.partition("@")[0], store).query_specific
        }
    if arguments.save:
        save_clustering(result, story(encoder, settings.resolve_device()))
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join([*judging.table(result), *_ablations(result)]))


def _retrieval(arguments: argparse.Namespace, settings: Settings) -> None:
    encoder = load_encoder(settings)
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


def _ablations(result: dict[str, Any]) -> list[str]:
    lines = []
    for name, variants in result.get("ablation", {}).items():
        right = result["methods"][name]["ari"]["mean"]
        others = ", ".join(f"{kind} {v['ari']['mean']:.3f}" for kind, v in variants.items())
        lines.append(f"{name}: ARI with the query {right:.3f}, {others}")
    return lines
