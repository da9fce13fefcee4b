"""``python -m benchmarks quality``."""

import argparse
import json
import time
from typing import Any

from benchmarks.group_quality import (
    SHARES,
    choose_limits,
    labelled_groups,
    summed_up,
)
from benchmarks.results import RESULTS_DIR, story, write
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.bench import open_method
from subclust.judging.tasks import load_task
from subclust.pipeline.query import MAX_OTHER
from subclust.text.encoders import load_encoder

VALIDATION = "wiki2014_validation"
TESTS = ("wiki2021_test", "trec_car_a", "demo")


def add_quality(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``quality``."""
    parser.add_argument("--method", default="default", metavar="NAME")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_quality(arguments: argparse.Namespace, settings: Settings) -> None:
    """Choose the limits of the words on validation queries and report them on the others."""
    started = time.monotonic()
    encoder, store = load_encoder(settings), CheckpointStore.of(settings)
    groups = {}
    for task in (VALIDATION, *TESTS):
        name, instances = load_task(task, settings)
        told = progress_bar(f"Grouping {name}")
        groups[name] = labelled_groups(instances, arguments.method, encoder, store, progress=told)
    opened = open_method(arguments.method, store, encoder)
    limits = choose_limits(groups[VALIDATION])
    result: dict[str, Any] = {
        "method": opened.card.name,
        "checkpoint": opened.checkpoint.name if opened.checkpoint else None,
        "limits": limits,
        "recipe": {"shares": dict(SHARES), "max_other": MAX_OTHER, "smallest_group": 2},
        "validation": {VALIDATION: summed_up(groups[VALIDATION], limits)},
        "test": {name: summed_up(groups[name], limits) for name in TESTS},
        "story": story(encoder, settings.resolve_device())
        | {"seconds": round(time.monotonic() - started, 1)},
    }
    if arguments.save:
        write(RESULTS_DIR / "quality" / f"{opened.card.name}.json", result)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    print(f"{opened.card.name}: " + ", ".join(f"{w} from {v:.2f}" for w, v in limits.items()))
    for name, told_of in {**result["validation"], **result["test"]}.items():
        rows = [
            f"{word} {row['share']:.1%} of {row['n_groups']}"
            for word, row in told_of["words"].items()
            if row["n_groups"]
        ]
        print(f"  {name:20} {'; '.join(rows)}")
