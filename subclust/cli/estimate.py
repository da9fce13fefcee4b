"""``python -m subclust estimate``."""

import argparse
import json
from pathlib import Path

from subclust.cli.labelled import add_labelled, add_recipe, labelled_data, recipe_of, tell
from subclust.core.settings import Settings
from subclust.jobs.process import give_way
from subclust.training.estimates.estimate import LIMIT, estimate_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``estimate``: those of ``train``, without a name."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    add_recipe(parser)
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="after which the trial ends, with what it has measured so far",
    )
    parser.add_argument(
        "--folds", type=int, metavar="N", help="as for 'train': N trainings and one more"
    )
    parser.add_argument("--json", action="store_true", help="print the estimate as one object")
    parser.add_argument("--trial", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--gently", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Try ten steps in a process of its own, and tell what the whole will take.

    Raises
    ------
    SubclustError
        If the training would be refused, or the trial did not end in time.
    """
    if arguments.trial is not None:
        # Only the process that makes the steps needs torch.
        from subclust.api.estimating import try_training

        if arguments.gently:
            give_way()
        try_training(
            arguments.method,
            labelled_data(arguments),
            recipe_of(arguments),
            settings,
            arguments.trial,
            base=arguments.base,
            folds=arguments.folds,
            tell=tell,
        )
        return
    estimate = estimate_run(arguments.words[1:], settings, limit=arguments.limit)
    if arguments.json:
        print(json.dumps(estimate.to_dict(), ensure_ascii=False))
    else:
        print(estimate.sentence)
