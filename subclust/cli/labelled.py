"""The labelled sets that a command trains on, and how it is told of them."""

import argparse
import sys

from subclust.api.labelled import LabelledData
from subclust.cli.options import add_columns, columns_of
from subclust.judging.own_sets import find_recipe
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
        help="held-out queries, a file, set:NAME or a task; without it a share of the data is "
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


def tell(sentence: str) -> None:
    """Say on standard error how a run goes."""
    print(sentence, file=sys.stderr, flush=True)
