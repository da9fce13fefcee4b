"""Whether passages of other languages group as English ones do, and mixed ones by subject."""

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.tasks.manuals import APART, ENGLISH, MIXED, OTHERS
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.evaluation.metrics import adjusted_mutual_information, adjusted_rand_index
from subclust.judging.bench import embed, embed_queries, open_method, trained_context
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.pipeline.languages import without_languages
from subclust.text.encoders import load_encoder

SOURCES = ("gnome_help", "debian_handbook")
"""One to choose by, one to report."""


def measure(
    sources: Sequence[str], languages: Sequence[str], method: LoadedMethod, settings: Settings
) -> dict[str, Any]:
    """Group the same sections in each language, and half of each in English.

    Returns
    -------
    dict
        For each task ``ari``, the adjusted Rand index at the true number of groups, and
        ``language``, the adjusted mutual information of groups and languages, of each query and on
        average; both again ``as encoded``, without what is taken away of two languages.
    """
    tasks: dict[str, Any] = {}
    for source in sources:
        in_two = (f"{one}{how}" for one in languages for how in (MIXED, APART))
        for name in (ENGLISH, *languages, *in_two):
            task, instances = load_task(f"{source}_{name}", settings)
            started = time.perf_counter()
            tasks[task] = _scores(instances, method)
            tasks[task]["seconds"] = round(time.perf_counter() - started, 1)
    return tasks


def _scores(instances: Sequence[ClusteringInstance], method: LoadedMethod) -> dict[str, Any]:
    bar = progress_bar("Encoding")
    vectors = embed(instances, method.encoder, "", lambda _, done, total: bar(done, total))
    moved = [
        without_languages(own, instance.passages, method.encoder)
        for instance, own in zip(instances, vectors, strict=True)
    ]
    found = _grouped(instances, moved, method)
    if any(one is not own for one, own in zip(moved, vectors, strict=True)):
        found["as encoded"] = _grouped(instances, vectors, method)
    return found


def _grouped(
    instances: Sequence[ClusteringInstance],
    vectors: Sequence[FloatArray],
    method: LoadedMethod,
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
    return {"ari": _summed(right), "language": _summed(spoken)}


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
    add_output(parser)


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
    own = method.checkpoint.name if method.checkpoint else encoder.name.rpartition("/")[2]
    name = f"{method.card.name}@{own}"
    if not output(arguments, RESULTS_DIR / "languages" / f"{name}.json", result):
        print(in_words(result["tasks"]))


def in_words(tasks: Mapping[str, Any]) -> str:
    """Return a line for each task."""
    lines = []
    for name, scores in tasks.items():
        line = f"{name:28} ARI {scores['ari']['mean']:.3f}"
        english = tasks[f"{'_'.join(name.split('_')[:2])}_{ENGLISH}"]["ari"]["mean"]
        line += f", {scores['ari']['mean'] / english:.0%} of English"
        if "as encoded" in scores:
            plain = scores["as encoded"]
            line += f"; AMI with the language {scores['language']['mean']:.3f}; as encoded "
            line += f"{plain['ari']['mean']:.3f} and {plain['language']['mean']:.3f}"
        lines.append(line)
    return "\n".join(lines)
