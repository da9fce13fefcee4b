"""What a training takes: its comparison with other models reckoned, the whole measured."""

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psutil

from benchmarks.beside import demo_queries
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import TrainingError
from subclust.core.settings import Settings
from subclust.core.storage.damaged import typed
from subclust.jobs.launch import worker_environment
from subclust.judging.own_sets import bases, own_recipe, trainable_methods
from subclust.labelled.sets.files import write_normal
from subclust.training.estimates.estimate import RunEstimate, estimate_run

_LOOK = 0.02


def measure_estimate(settings: Settings, method: str, n_queries: int) -> dict[str, Any]:
    """Estimate a training on articles of the demo, make it, and set both side by side.

    It is the training that the Train page starts: by the recipe for small sets, from the model in
    use, judged at the end. No text has been encoded before, and nothing is kept.

    Parameters
    ----------
    n_queries : int
        Of the labelled set.

    Returns
    -------
    dict
        ``method``, ``n_queries``; ``estimate``, as `RunEstimate` has it; ``seconds`` and
        ``memory_mb``, the wall time and the highest resident memory of the training's process.

    Raises
    ------
    SubclustError
        If the method cannot be trained.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = replace(settings, data_dir=Path(folder), models_dir=Path(folder) / "models")
        labelled = Path(folder) / "set.jsonl.gz"
        write_normal(demo_queries(n_queries), labelled)
        recipe, _ = own_recipe(method)
        found = bases(method, CheckpointStore.of(own))
        words = [method, "--data", str(labelled), "--name", "measured", "--judge"]
        words += ["--recipe", str(recipe)] if recipe else []
        words += ["--base", found[0]] if found else []
        estimate = estimate_run(words, own)
        seconds, memory_mb = measure_training(words, own)
    return {
        "method": method,
        "n_queries": n_queries,
        "estimate": asdict(estimate),
        "seconds": round(seconds, 1),
        "memory_mb": round(memory_mb, 1),
    }


def measure_training(words: list[str], settings: Settings) -> tuple[float, float]:
    """Train in a process of its own; return its seconds and its highest megabytes."""
    started, highest = time.monotonic(), 0.0
    process = subprocess.Popen(
        [sys.executable, "-m", "subclust", "train", *words],
        env=worker_environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    watched = psutil.Process(process.pid)
    while True:
        with suppress(psutil.Error):
            highest = max(highest, watched.memory_info().rss / 1024**2)
        try:
            _, said = process.communicate(timeout=_LOOK)
            break
        except subprocess.TimeoutExpired:
            continue
    if process.returncode:
        raise TrainingError("The training failed: {strip}", strip=said.strip()[-500:])
    return time.monotonic() - started, highest


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``estimate``."""
    names = [card.name for card in trainable_methods()]
    parser.add_argument(
        "--method", action="append", choices=names,
        help="may be given several times; by default all that the Train page offers",
    )  # fmt: skip
    parser.add_argument(
        "--queries", type=int, nargs="+", default=[12], metavar="N",
        help="of the demo's articles, in each of the labelled sets",
    )  # fmt: skip
    add_output(parser)


def run_estimate(arguments: argparse.Namespace, settings: Settings) -> None:
    """Estimate trainings, make them, and tell whether they kept below what was said."""
    methods = arguments.method or [card.name for card in trainable_methods()]
    runs = []
    for method in methods:
        for n_queries in arguments.queries:
            row = measure_estimate(settings, method, n_queries)
            runs.append(row)
            if not arguments.json:
                told = typed(RunEstimate, row["estimate"])
                print(
                    f"{method:14} {n_queries:4} queries  {row['seconds']:7.1f} s of at most "
                    f"{told.most_seconds:7.1f}  {row['memory_mb']:8,.0f} MB of at most "
                    f"{told.most_memory_mb:8,.0f}",
                    flush=True,
                )
    result = {"story": circumstances(settings.resolve_device()), "runs": runs}
    output(arguments, RESULTS_DIR / "estimates" / "demo.json", result)
