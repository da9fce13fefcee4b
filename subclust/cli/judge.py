"""``python -m subclust judge``."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from subclust.checkpoints import CheckpointStore, checked
from subclust.cli.labelled import labelled_instances
from subclust.cli.options import add_columns
from subclust.cli.progress import progress_bar
from subclust.encoders import load_encoder
from subclust.exceptions import InputError
from subclust.judging.judgement import (
    JUDGEMENT_FILE,
    MEASURES,
    Judgement,
    judge_checkpoint,
)
from subclust.judging.maps import judgement_maps
from subclust.judging.record import Part
from subclust.judging.story import write
from subclust.judging.tasks import provenance
from subclust.records import ClusteringInstance
from subclust.settings import Settings
from subclust.training.split import QuerySplit

_NAMED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``judge``."""
    parser.add_argument("checkpoint", metavar="METHOD/NAME", help="see 'python -m subclust models'")
    parser.add_argument(
        "--data",
        action="append",
        required=True,
        metavar="FILE",
        help="labelled queries on which it was not trained: a file, a task or set:NAME; may be "
        "given several times",
    )
    add_columns(parser)
    parser.add_argument(
        "--split",
        metavar="JOB_ID",
        help="of the data, take only the queries that this run kept for testing, or held out",
    )
    parser.add_argument(
        "--base",
        metavar="METHOD/NAME",
        help="what it is compared with; by default what it started from, else what its method uses",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], help="of the labels")
    parser.add_argument(
        "--map", metavar="QUERY", help="with --json: also two maps of this held-out query"
    )
    parser.add_argument("--save", action="store_true", help="keep the judgement with the model")
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.set_defaults(validation=None, wrong_usage=parser.error)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Judge a model on held-out queries, and say whether it is better.

    Raises
    ------
    SubclustError
        If the model, the data or the run cannot be used.
    """
    if "/" not in arguments.checkpoint:
        arguments.wrong_usage("METHOD/NAME is needed, such as qs3m/mine")
    if arguments.map is not None and not arguments.json:
        arguments.wrong_usage("--map goes with --json")
    store, encoder = CheckpointStore.of(settings), load_encoder(settings)
    method, _, name = arguments.checkpoint.partition("/")
    store.load(method, checked(name))  # said before anything is encoded
    data = [provenance(given, settings) for given in arguments.data]
    notices: list[str] = []
    instances = [
        instance
        for given in arguments.data
        for instance in labelled_instances(given, arguments, settings, notices)
    ]
    part: Part = "given"
    if arguments.split is not None:
        folder = settings.jobs_dir / checked(arguments.split)
        part, instances = held_out_of(folder, instances, data)
    bar = cache(lambda name: progress_bar(f"Grouping by {name}"))
    judgement = judge_checkpoint(
        arguments.checkpoint,
        instances,
        settings=settings,
        base=arguments.base,
        part=part,
        data=data,
        granularity=arguments.granularity,
        store=store,
        encoder=encoder,
        progress=lambda name, done, total: bar(name)(done, total),
    )
    for notice in notices:
        print(notice, file=sys.stderr)
    if arguments.save:
        store.note(method, name, {"judgement": judgement.to_dict()})
        if arguments.split is not None:
            keep_judgement(settings.jobs_dir / arguments.split, judgement)
    if arguments.json:
        value = judgement.to_dict()
        if arguments.map is not None:
            maps = judgement_maps(
                judgement,
                arguments.map,
                instances,
                settings=settings,
                store=store,
                encoder=encoder,
            )
            value["maps"] = maps.to_dict()
        print(json.dumps(value, ensure_ascii=False))
    else:
        print(in_words(judgement))


def keep_judgement(folder: Path, judgement: Judgement) -> Path:
    """Write a judgement into the folder of its run, whole or not at all."""
    return write(folder / JUDGEMENT_FILE, judgement.to_dict())


def held_out_of(
    folder: Path, instances: Sequence[ClusteringInstance], data: Sequence[Mapping[str, Any]]
) -> tuple[Part, list[ClusteringInstance]]:
    """Take of some instances those that a run set aside for testing, or else held out.

    Raises
    ------
    InputError
        If the folder has no split, or the files are not the run's, or none of the queries is left.
    """
    split = QuerySplit.read(folder)
    if split is None:
        raise InputError(
            "There is no run {folder} that kept how it divided its queries; leave --split out, or "
            "name one of 'python -m subclust jobs list'.",
            folder=folder.name,
        )
    known = {file["sha256"] for file in split.files}
    if other := next((file for file in data if file["sha256"] not in known), None):
        raise InputError(
            "{other} is not what the run {folder} was given, or has changed since; give the same "
            "data, or leave --split out.",
            other=other["name"],
            folder=folder.name,
        )
    part: Part = "test" if split.test else "validation"
    wanted = set(split.test or split.held_out)
    found = [instance for instance in instances if instance.query.text in wanted]
    if not found:
        raise InputError(
            "None of the {part} queries of the run {folder} is in the data; give the file that "
            "held them with --data.",
            part=part,
            folder=folder.name,
        )
    return part, found


def in_words(judgement: Judgement) -> str:
    """Write a judgement for a screen."""
    width = max(len(method.name) for method in judgement.methods) + 2
    roles = {"new": "after", "base": "before", "default": "in use", "baseline": "learns nothing"}
    head = ("ARI", "AMI", "auto ARI", "auto AMI")
    lines = [
        judgement.sentence,
        *judgement.notes,
        "",
        " " * (width + 16) + "".join(f"{title:>10}" for title in head),
    ]
    for method in judgement.methods:
        means = "".join(
            f"{'-' if method.means[name] is None else format(method.means[name], '.3f'):>10}"
            for name in MEASURES
        )
        lines.append(f"{method.name:{width}}{roles[method.role]:16}{means}")
    changes = judgement.changes()
    for title, rows in (
        ("Helped most", [change for change in changes if change[1] > 0][:_NAMED]),
        ("Hurt most", [change for change in changes[::-1] if change[1] < 0][:_NAMED]),
    ):
        if rows:
            named = "; ".join(f"{query} ({value:+.3f})" for query, value in rows)
            lines.append(f"{title}: {named}")
    return "\n".join(lines)
