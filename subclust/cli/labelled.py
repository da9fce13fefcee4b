"""The labelled sets that a command trains on, and how it is told of them."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from subclust.cli.options import add_columns, columns_of
from subclust.exceptions import TrainingError
from subclust.judging.own_sets import find_recipe
from subclust.judging.tasks import load_task, provenance, tasks, without_leaks
from subclust.records import ClusteringInstance
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.checker import check_labelled_set, words_read
from subclust.training.instances import read_instances, set_test_aside, three_parts
from subclust.training.sets import SET_PREFIX, LabelledSetStore
from subclust.training.split import QuerySplit


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


@dataclass(frozen=True)
class LabelledSets:
    """What a run trains on and is judged by.

    Parameters
    ----------
    training, validation : list of ClusteringInstance
    sources : list of dict
        Of the training queries: provenance and size of each file or task.
    notices : list of str
        Sentences for the user, once it trains: a run that cannot says one sentence, the reason.
    test : list of ClusteringInstance
        Set aside for judging the trained model; empty unless the recipe says ``test_share``.
    """

    training: list[ClusteringInstance]
    validation: list[ClusteringInstance]
    sources: list[dict[str, Any]]
    notices: list[str]
    test: list[ClusteringInstance] = field(default_factory=list)


def read_labelled(
    arguments: argparse.Namespace,
    recipe: Recipe,
    settings: Settings,
    folder: Path,
    *,
    resume: bool = False,
    whole: bool = False,
) -> LabelledSets:
    """Read what `add_labelled` asks for, and keep in the run's folder how it was divided.

    Parameters
    ----------
    arguments : argparse.Namespace
    recipe : Recipe
        Says how many queries are read, and which share is held out.
    settings : Settings
    folder : Path
        Of the run.
    resume : bool
        Whether it is divided as the folder says.
    whole : bool
        Whether the method learns whole collections (`MethodCard.whole_collection`): all is trained
        on, and nothing is held out.

    Raises
    ------
    SubclustError
        If a file or task cannot be used, or nothing is left to train on.
    """
    if whole and arguments.validation:
        raise TrainingError(
            "{method} learns a whole collection and holds nothing out; leave --validation out.",
            method=arguments.method,
        )
    notices: list[str] = []
    given = [(name, "training") for name in arguments.data]
    given += [(arguments.validation, "held-out")] if arguments.validation else []
    split = QuerySplit.read(folder) if resume else None
    given = [(_as_before(name, split), part) for name, part in given]
    told = [provenance(name, settings) for name, _ in given]
    files = [
        {"name": fact["name"], "sha256": fact["sha256"], "part": part}
        | ({"task": name} if name in tasks() else {})
        for fact, (name, part) in zip(told, given, strict=True)
    ]
    if split is not None:
        split.check_files(files)
    names = [name for name, part in given if part == "training"]
    held = given[-1][0] if arguments.validation else None
    validation = labelled_instances(held, arguments, settings, notices) if held else []
    training: list[ClusteringInstance] = []
    sources = []
    for name, fact in zip(names, told, strict=False):
        if whole:
            instances = collection_instances(name, settings)
        else:
            instances = labelled_instances(name, arguments, settings, notices, validation)
        if recipe.training.queries_per_file:
            instances = instances[: recipe.training.queries_per_file]
        training += instances
        sources.append({"name": fact["name"], **sizes(instances), **fact})
    if split is not None:
        parts = split.apply(training, validation)
        return LabelledSets(*parts, sources, notices, split.tested(training))
    share, seed = recipe.training.validation_share, recipe.training.seed
    if whole:
        QuerySplit.of(training, [], files, seed=seed, share=None).write(folder)
        return LabelledSets(training, [], sources, notices)
    if arguments.validation is None:
        shares = share, recipe.training.test_share
        training, validation, test = three_parts(training, *shares, seed)
    else:
        aside = recipe.training.test_share
        training, test = set_test_aside(training, aside, seed, n_to_stay=1)
        test = without_leaks(test, validation, names)
    kept = without_leaks(training, validation, names)
    if not kept:
        raise TrainingError(
            "No training query is left: all of them are validation queries too; give other data "
            "for one of the two."
        )
    if len(kept) < len(training):
        both = {i.query.text for i in training} & {i.query.text for i in validation}
        print(
            f"{len(training) - len(kept)} training queries are also in the validation file and are "
            f"left out, for instance {min(both)!r}.",
            file=sys.stderr,
        )
    held_share = None if arguments.validation else share
    QuerySplit.of(kept, validation, files, seed=seed, share=held_share, test=test).write(folder)
    return LabelledSets(kept, validation, sources, notices, test)


def sizes(instances: Sequence[ClusteringInstance]) -> dict[str, int]:
    """Count queries and passages."""
    return {
        "n_queries": len(instances),
        "n_passages": sum(len(instance.passages) for instance in instances),
    }


def _as_before(name: str, split: QuerySplit | None) -> str:
    """Give a set without its version the one that a run was started with, where it goes on."""
    if split is None or not name.startswith(SET_PREFIX) or "@" in name:
        return name
    for file in split.files:
        if file["name"].startswith(f"{name.removeprefix(SET_PREFIX)}@"):
            return f"{SET_PREFIX}{file['name']}"
    return name


def collection_instances(name: str, settings: Settings) -> list[ClusteringInstance]:
    """Read a task, or a file whose passages need no labels."""
    if name in tasks():
        return load_task(name, settings)[1]
    kept = LabelledSetStore(settings.sets_dir).find(name)
    return read_instances(Path(name) if kept is None else kept.path, labelled=False)


def labelled_instances(
    name: str,
    arguments: argparse.Namespace,
    settings: Settings,
    notices: list[str],
    held_out: Sequence[ClusteringInstance] | None = None,
) -> list[ClusteringInstance]:
    """Read a task, or a file if it has no errors, and note how many warnings it has."""
    if name in tasks():
        return load_task(name, settings)[1]
    kept = LabelledSetStore(settings.sets_dir).find(name)
    report = check_labelled_set(
        Path(name) if kept is None else kept.path,
        columns=columns_of(arguments) if kept is None else None,
        against=held_out or None,
        to_split=len(arguments.data) == 1 and not arguments.validation,
        max_words=words_read(settings.max_seq_length),
    )
    report.stop_at_errors()
    if report.warnings:
        n, against = len(report.warnings), ""
        if held_out and arguments.validation not in tasks():
            against = f" --against {arguments.validation}"
        notices.append(
            f"{kept.label if kept else report.file} has {n:,} warning{'s' if n > 1 else ''}; run "
            f"'python -m subclust "
            f"check {name}{against}' to see what to look at."
        )
    return list(report.instances)
