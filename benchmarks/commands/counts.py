"""``python -m benchmarks counts``."""

import argparse
import json

from benchmarks.other_counts import NUMBERS, measure_counts, save_counts
from benchmarks.results import ASKED_FOR, SPECTRAL, story
from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task
from subclust.text.encoders import load_encoder

_SHOWN = ("acc", "nmi", "ami", "ari", "bcubed_f1")


def add_counts(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``counts``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", required=True, metavar="NAME[@CHECKPOINT]")
    parser.add_argument(
        "--n-clusters",
        action="append",
        type=int,
        metavar="K",
        help="may be given several times; 5, 10, 15 and 20 by default",
    )
    parser.add_argument(
        "--spectral",
        action="store_true",
        help="divide the learnt space by spectral clustering as well, into the true number",
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_counts(arguments: argparse.Namespace, settings: Settings) -> None:
    """Group with numbers of groups that need not be the true ones."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    result = measure_counts(
        instances,
        arguments.method,
        encoder,
        CheckpointStore.of(settings),
        numbers=arguments.n_clusters or NUMBERS,
        spectral=arguments.spectral,
    )
    if arguments.save:
        queries = [instance.query.text for instance in instances]
        told = story(encoder, settings.resolve_device())
        save_counts(result, task, arguments.method, queries, told)
    if arguments.json:
        print(json.dumps({"task": task, "method": arguments.method, **result}))
        return
    print(f"{task}, {arguments.method}")
    print(f"{'groups':>12}" + "".join(f"{metric:>11}" for metric in _SHOWN))
    parts = {**result[ASKED_FOR], **({SPECTRAL: result[SPECTRAL]} if result[SPECTRAL] else {})}
    for number, scores in parts.items():
        means = "".join(f"{scores[metric]['mean']:11.3f}" for metric in _SHOWN)
        print(f"{number:>12}{means}")
