"""``python -m subclust explain``."""

import argparse
import json
import textwrap

from subclust.api.libraries import open_library
from subclust.cli.options import add_grouping, add_method
from subclust.cli.progress import progress_bar
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.explanation.record import Explanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``explain``."""
    parser.add_argument("query")
    parser.add_argument("passage_id", metavar="PASSAGE_ID", help="as 'search --json' prints it")
    parser.add_argument("--library", default="demo", metavar="NAME", help="which to search")
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=200, metavar="N", help="at most so many hits")
    parser.add_argument("--collection", metavar="NAME", help="only that part of the library")
    add_grouping(parser)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve, group, and say why one passage is where it is."""
    answer = open_library(arguments.library, settings=settings).search(
        Query(arguments.query, arguments.description, arguments.context),
        arguments.n_clusters,
        arguments.method,
        checkpoint=arguments.checkpoint,
        top_k=arguments.top_k,
        collection=arguments.collection,
        max_other=arguments.max_other,
        random_state=arguments.seed,
        progress=progress_bar("Reading the hits"),
    )
    found = answer.explain(arguments.passage_id)
    print(json.dumps(found.to_dict(), ensure_ascii=False) if arguments.json else in_words(found))


def in_words(found: Explanation) -> str:
    """Write an explanation for a terminal; words that carry the membership stand in [brackets]."""
    lines = [f"{found.title or found.id}: in {found.group.name!r} ({found.reason.kind})"]
    lines.append(f"Strength {found.strength:.2f}, from -1 to 1.")
    if found.nearest is not None:
        lines.append(f"Most like {found.nearest.name!r}.")
    if found.runner_up is not None:
        lines.append(f"Next: {found.runner_up.name!r}, behind by {found.margin:.3f}.")
    lines += ["", *textwrap.wrap(_bracketed(found), 92)]
    if found.sentences:
        best = max(found.sentences, key=lambda one: one.effect)
        lines += ["", f"The sentence that counts most (without it {best.effect:.2f} less):"]
        lines += textwrap.wrap(found.text[best.start : best.end], 92)
    alike = "Most like it under this question" if found.query_specific else "Most like it"
    for told, neighbours in (
        (alike, found.with_query),
        ("Most like it by the texts alone", found.without_query),
    ):
        lines += ["", f"{told}:"]
        lines += [
            f"  {one.score:6.3f}  {one.title or one.id} ({one.id}), in {one.group}"
            for one in neighbours
        ]
    return "\n".join(lines)


def _bracketed(found: Explanation) -> str:
    text = found.text
    for word in sorted(found.words, key=lambda one: -one.start):
        text = f"{text[: word.start]}[{text[word.start : word.end]}]{text[word.end :]}"
    return text
