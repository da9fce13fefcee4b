"""``python -m subclust tune``."""

import argparse
import json
import sys
from pathlib import Path

from subclust.api.tuning import Tuning, tuned_method
from subclust.checkpoints import CheckpointStore, checked
from subclust.cli.labelled import add_labelled, add_recipe, labelled_data, recipe_of, tell
from subclust.cli.options import at_least_one
from subclust.core.exceptions import TrainingError
from subclust.core.settings import Settings
from subclust.jobs import JobStore, at_work
from subclust.judging.story import write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tune``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    parser.add_argument("--name", required=True, help="of the search")
    add_recipe(parser, required=True)
    parser.add_argument(
        "--trials",
        type=at_least_one,
        metavar="N",
        help="how many values are tried, those of before included; by default what the recipe says",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the result there")
    parser.add_argument("--json", action="store_true", help="print the result as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Search for the values with which a method does best, or go on with a search.

    Raises
    ------
    TrainingError
        If the method is not trained, or the search cannot begin or go on.
    """
    if settings.n_workers > 1:
        raise TrainingError("A search runs in one process; start 'tune' without torchrun.")
    store = CheckpointStore.of(settings)
    card = tuned_method(arguments.method, store)  # said before what is wrong with the recipe
    recipe = recipe_of(arguments)
    jobs = JobStore(settings.jobs_dir)
    id = arguments.job or f"tune-{card.name}-{checked(arguments.name)}"
    tuning = Tuning(
        card.name,
        recipe,
        labelled_data(arguments),
        settings,
        jobs.path(id),
        name=arguments.name,
        base=arguments.base,
        trials=arguments.trials,
        record=lambda: at_work(jobs, id, tuple(arguments.words), device=settings.resolve_device()),
        tell=tell,
    )
    result = tuning.run()
    if arguments.save:
        print(f"Saved {write(arguments.save, result)}.", file=sys.stderr)
    print(json.dumps(result) if arguments.json else tuning.text(result))
