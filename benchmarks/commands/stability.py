"""``python -m benchmarks stability``."""

import argparse
import json

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.stable_counts import measure_counts
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task, provenance
from subclust.text.encoders import load_encoder


def add_stability(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``stability``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", default="default", metavar="NAME")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_stability(arguments: argparse.Namespace, settings: Settings) -> None:
    """Set the most stable number of groups beside the automatic and the gold one."""
    encoder, store = load_encoder(settings), CheckpointStore.of(settings)
    task, instances = load_task(arguments.task, settings)
    found = measure_counts(
        instances, arguments.method, encoder, store, progress=progress_bar("Grouping")
    )
    told = story(encoder, settings.resolve_device()) | {
        "data": provenance(arguments.task, settings)
    }
    result = {"task": task, **found, "story": told}
    if arguments.save:
        write(RESULTS_DIR / "stability" / f"{task}.json", result)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    print(f"{task}, {result['method']}: {result['n_queries']} queries")
    for name, row in result["counts"].items():
        print(
            f"  {name:9} {row['n_clusters']:5.2f} groups, {row['error']:.2f} from gold, "
            f"ARI {row['ari']:.3f}"
        )
    low, high = result["gain"]["interval"]
    print(f"  stable less automatic: {result['gain']['mean']:+.3f} [{low:+.3f}, {high:+.3f}]")
