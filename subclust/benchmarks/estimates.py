"""What a training takes: its comparison with other models reckoned, the whole measured."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psutil

from subclust.benchmarks.beside import demo_queries
from subclust.benchmarks.own_sets import bases, own_recipe
from subclust.benchmarks.rivals import BASELINE
from subclust.benchmarks.run import embed
from subclust.checkpoints import CheckpointStore
from subclust.clustering.base import MAX_PAIRWISE
from subclust.encoders import Encoder
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.exceptions import TrainingError
from subclust.jobs.launch import worker_environment
from subclust.methods import load_method
from subclust.records import ClusteringInstance
from subclust.settings import Settings
from subclust.training.estimate import estimate_run
from subclust.training.sets.normal import write_normal
from subclust.training.trial import StandIn, not_encoded, time_encoder

_LOOK = 0.02

_JUDGED = 4
"""Methods that group the held-out queries: the new model, what it started from, what is in use and
what learns nothing."""


def judging_seconds(
    judged: Sequence[ClusteringInstance],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    tuned: bool = False,
) -> float:
    """Reckon how long the comparison of a trained model with others will take.

    The largest query is grouped by the method that learns nothing, over vectors by chance, so that
    this process takes the memory of the comparison too.

    Parameters
    ----------
    judged : sequence of ClusteringInstance
        The queries that are compared on.
    encoder : Encoder
        Over which is trained.
    store : CheckpointStore
    tuned : bool
        Whether the model has vectors of its own, so that texts are encoded again.
    """
    if not judged:
        return 0.0
    texts = dict.fromkeys(
        text for one in judged for text in (one.query.text, *(p.text for p in one.passages))
    )
    missing = [*texts, *texts] if tuned else not_encoded(texts, encoder)
    method = load_method(BASELINE, store, StandIn(encoder))
    evaluator = ClusteringEvaluator("flat", metrics=("ari", "ami"))
    by_size = sorted(judged, key=lambda one: len(one.passages))
    per_query = 0.0
    for one in (by_size[0], by_size[-1]):  # what is loaded once is not counted for each
        started = time.perf_counter()
        evaluator.evaluate(
            method.clusterer,
            [one],
            embeddings=embed([one], method.encoder),
            automatic=len(one.passages) <= MAX_PAIRWISE,
        )
        per_query = time.perf_counter() - started
    return _JUDGED * len(judged) * per_query + len(missing) * time_encoder(missing, encoder)


def measure_estimate(settings: Settings, method: str, n_queries: int) -> dict[str, Any]:
    """Estimate a training on articles of the demo, make it, and set both side by side.

    It is the training that the Train page starts: by the recipe for small sets, from the model in
    use, judged at the end. No text has been encoded before, and nothing is kept.

    Parameters
    ----------
    settings : Settings
    method : str
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
