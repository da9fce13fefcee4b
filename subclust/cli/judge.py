"""``python -m subclust judge``."""

import argparse
import json
import sys
from functools import cache

from subclust.api.judging import judge_on
from subclust.api.labelled import LabelledData
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import add_columns, columns_of
from subclust.cli.progress import progress_bar
from subclust.core.settings import Settings
from subclust.judging.judgement import MEASURES, Judgement
from subclust.judging.maps import judgement_maps
from subclust.text.encoders import shared_encoder

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
    parser.set_defaults(wrong_usage=parser.error)


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
    bar = cache(lambda name: progress_bar(f"Grouping by {name}"))
    found = judge_on(
        arguments.checkpoint,
        LabelledData(arguments.data, None, columns_of(arguments)),
        settings,
        split=arguments.split,
        base=arguments.base,
        granularity=arguments.granularity,
        save=arguments.save,
        progress=lambda name, done, total: bar(name)(done, total),
    )
    judgement = found.judgement
    for notice in found.notices:
        print(notice, file=sys.stderr)
    if arguments.json:
        value = judgement.to_dict()
        if arguments.map is not None:
            maps = judgement_maps(
                judgement,
                arguments.map,
                found.instances,
                settings=settings,
                store=CheckpointStore.of(settings),
                encoder=shared_encoder(settings),
            )
            value["maps"] = maps.to_dict()
        print(json.dumps(value, ensure_ascii=False))
    else:
        print(in_words(judgement))


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
