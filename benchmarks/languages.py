"""Whether passages of other languages group as English ones do, and mixed ones by subject."""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.tasks.manuals import ENGLISH, OTHERS
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.evaluation.metrics import adjusted_mutual_information, adjusted_rand_index
from subclust.judging.bench import embed, embed_queries, open_method, trained_context
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.text.encoders import load_encoder

SOURCES = ("gnome_help", "debian_handbook")
"""One to choose by, one to report."""


def measure(
    sources: Sequence[str], languages: Sequence[str], method: LoadedMethod, settings: Settings
) -> dict[str, Any]:
    """Group the same sections in each language, and half of each in English.

    Parameters
    ----------
    sources, languages : sequence of str
    method : LoadedMethod
    settings : Settings

    Returns
    -------
    dict
        For each task the adjusted Rand index at the true number of groups, of each query and on
        average; of mixed ones also ``language``, the adjusted mutual information of groups and
        languages, and the same ``centred``, with each language's mean taken away.
    """
    tasks: dict[str, Any] = {}
    for source in sources:
        names = [ENGLISH, *languages, *(f"{one}_mixed" for one in languages)]
        for name in names:
            task, instances = load_task(f"{source}_{name}", settings)
            started = time.perf_counter()
            tasks[task] = _scores(instances, method, mixed=name.endswith("_mixed"))
            tasks[task]["seconds"] = round(time.perf_counter() - started, 1)
    return tasks


def _scores(
    instances: Sequence[ClusteringInstance], method: LoadedMethod, *, mixed: bool
) -> dict[str, Any]:
    bar = progress_bar("Encoding")
    vectors = embed(instances, method.encoder, "", lambda _, done, total: bar(done, total))
    found = _grouped(instances, vectors, method, mixed=mixed)
    if mixed:
        centred = [
            without_languages(own, [one.metadata["language"] for one in instance.passages])
            for instance, own in zip(instances, vectors, strict=True)
        ]
        found["centred"] = _grouped(instances, centred, method, mixed=True)
    return found


def _grouped(
    instances: Sequence[ClusteringInstance],
    vectors: Sequence[FloatArray],
    method: LoadedMethod,
    *,
    mixed: bool,
) -> dict[str, Any]:
    queries = embed_queries(instances, vectors, method, trained_context(method))
    right, spoken = [], []
    for instance, query, own in zip(instances, queries, vectors, strict=True):
        gold, clusterer = instance.gold(), method.clusterer
        clusterer.n_clusters, clusterer.max_other = len(set(gold)), 0.0
        texts = [passage.text for passage in instance.passages]
        clusterer.fit(texts, query=query, embeddings=own)
        right.append(adjusted_rand_index(gold, clusterer.labels_))
        languages = [str(passage.metadata["language"]) for passage in instance.passages]
        spoken.append(adjusted_mutual_information(languages, clusterer.labels_))
    found = {"ari": _summed(right)}
    return found | {"language": _summed(spoken)} if mixed else found


def without_languages(vectors: FloatArray, languages: Sequence[str]) -> FloatArray:
    """Move the mean of each language to that of all; vectors of length 1."""
    moved = vectors.copy()
    spoken = np.asarray(languages)
    for language in set(languages):
        own = spoken == language
        moved[own] += vectors.mean(axis=0) - vectors[own].mean(axis=0)
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=np.float32)


def _summed(values: Sequence[float]) -> dict[str, Any]:
    return {
        "mean": round(float(np.mean(values)), 4),
        "per_query": [round(float(value), 4) for value in values],
    }


def add_languages(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``languages``."""
    parser.add_argument(
        "--method",
        default="default",
        metavar="NAME",
        help="NAME@CHECKPOINT names a checkpoint; SUBCLUST_ENCODER names its encoder",
    )
    parser.add_argument("--language", action="append", choices=OTHERS, help="by default all")
    parser.add_argument(
        "--source", action="append", choices=SOURCES, help="by default both; the first validates"
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_languages(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure one method over the encoder of the settings."""
    encoder = load_encoder(settings)
    method = open_method(arguments.method, CheckpointStore.of(settings), encoder)
    result = {
        "method": arguments.method,
        "story": story(encoder, settings.resolve_device()),
        "tasks": measure(
            arguments.source or SOURCES, arguments.language or OTHERS, method, settings
        ),
    }
    if arguments.save:
        name = f"{method.card.name}@{encoder.name.rpartition('/')[2]}"
        if method.checkpoint is not None:
            name = f"{method.card.name}@{method.checkpoint.name}"
        write(RESULTS_DIR / "languages" / f"{name}.json", result)
    print(json.dumps(result) if arguments.json else in_words(result["tasks"]))


def in_words(tasks: Mapping[str, Any]) -> str:
    """Return a line for each task."""
    lines = []
    for name, scores in tasks.items():
        line = f"{name:28} ARI {scores['ari']['mean']:.3f}"
        english = tasks[f"{'_'.join(name.split('_')[:2])}_{ENGLISH}"]["ari"]["mean"]
        line += f", {scores['ari']['mean'] / english:.0%} of English"
        if "centred" in scores:
            centred = scores["centred"]
            line += f"; AMI with the language {scores['language']['mean']:.3f}; centred "
            line += f"{centred['ari']['mean']:.3f} and {centred['language']['mean']:.3f}"
        lines.append(line)
    return "\n".join(lines)
