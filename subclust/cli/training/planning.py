"""``estimate``, and the arguments that it shares with ``train`` and ``tune``."""

import argparse
from pathlib import Path

from subclust.api.labelled import LabelledData
from subclust.cli.options import add_columns, columns_of
from subclust.cli.printing import show, tell
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs.process import give_way
from subclust.judging.own_sets import find_recipe
from subclust.training.estimates.estimate import LIMIT, estimate_run, note_refusal
from subclust.training.recipe import Recipe


def add_labelled(parser: argparse.ArgumentParser) -> None:
    """Declare ``--data``, ``--column`` and ``--validation``."""
    parser.add_argument(
        "--data",
        action="append",
        required=True,
        metavar="FILE",
        help="labelled set (.jsonl, .jsonl.gz, .csv, .tsv, .xlsx), set:NAME or set:NAME@VERSION of "
        "'python -m subclust sets', or a task by its name; may be given several times",
    )
    add_columns(parser)
    parser.add_argument(
        "--validation",
        metavar="FILE",
        help="validation queries, a file, set:NAME or a task; without it a share of the data is "
        "held out",
    )


def add_recipe(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Declare ``--base``, ``--recipe`` and ``--set``."""
    parser.add_argument(
        "--base",
        metavar="NAME",
        help="checkpoint of the method to start from, such as wikipedia, or METHOD/NAME of another "
        "method with the same network",
    )
    what = "TOML file with a table [search]: what is tried" if required else "TOML file"
    parser.add_argument(
        "--recipe",
        type=find_recipe,
        required=required,
        metavar="FILE",
        help=f"{what}, or the name of a recipe that comes with the program, such as qs3m.toml",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace one value of the recipe, such as epochs=2 or objective.loss=mse",
    )


def labelled_data(arguments: argparse.Namespace) -> LabelledData:
    """Return what `add_labelled` asks for."""
    return LabelledData(arguments.data, arguments.validation, columns_of(arguments))


def recipe_of(arguments: argparse.Namespace) -> Recipe:
    """Read what `add_recipe` asks for."""
    recipe = Recipe.read(arguments.recipe) if arguments.recipe else Recipe()
    return recipe.with_settings(arguments.set)


def add_estimate(parser: argparse.ArgumentParser) -> None:
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


def run_estimate(arguments: argparse.Namespace, settings: Settings) -> None:
    """Try ten steps in a subprocess, and tell what the whole will take.

    Raises
    ------
    SubclustError
        If the training would be refused, or the trial did not end in time.
    """
    if arguments.trial is None:
        estimate = estimate_run(arguments.words[1:], settings, limit=arguments.limit)
        show(arguments, estimate.to_dict(), estimate.sentence)
        return
    # Only the process that makes the steps needs torch.
    from subclust.api.estimating import try_training

    if arguments.gently:
        give_way()
    try:
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
    except SubclustError as error:
        note_refusal(arguments.trial, error)
        raise
