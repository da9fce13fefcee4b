"""``python -m benchmarks themes``."""

import argparse
import json

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.themes_cost import measure_themes
from subclust.core.settings import Settings
from subclust.grouping.projection import PROJECTORS
from subclust.judging.tasks import load_task
from subclust.text.encoders import load_encoder
from subclust.themes.offers import OFFERS


def add_themes(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``themes``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", default=next(iter(OFFERS)), choices=list(OFFERS))
    parser.add_argument("--n-themes", type=int, default=20, metavar="K")
    parser.add_argument("--projection", choices=list(PROJECTORS), default="umap")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_themes(arguments: argparse.Namespace, settings: Settings) -> None:
    """Find the themes of a task's texts, and say what that took."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    passages = [passage for instance in instances for passage in instance.passages]
    found = measure_themes(
        passages,
        arguments.method,
        arguments.n_themes,
        settings,
        encoder,
        projection=arguments.projection,
    )
    result = {"task": task, **found, "story": story(encoder, settings.resolve_device())}
    if arguments.save:
        write(RESULTS_DIR / "themes" / f"{arguments.method}-{task}.json", result)
    if arguments.json:
        print(json.dumps(result))
        return
    print(
        f"{task}, {arguments.method}: {found['n_texts']:,} texts in {found['seconds']:.0f} s, "
        f"{found['total_mb']:,} MB at the highest ({found['before_mb']:,} MB before it began)"
    )
