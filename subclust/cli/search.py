"""``python -m subclust search``."""

import argparse
import json
import textwrap
import time
from dataclasses import replace
from pathlib import Path

from subclust.api.results import Answer
from subclust.cli.options import add_grouping, add_method
from subclust.cli.progress import progress_bar
from subclust.cli.regrouped import add_regrouping, extras, within
from subclust.cli.unanswered import unanswered_in_words
from subclust.core.records import Query, SubtopicMap
from subclust.core.settings import Settings
from subclust.exports import FORMATS, format_of
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.projection import PROJECTORS
from subclust.pipeline.effect import compare_queries
from subclust.pipeline.query import load_pipeline


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``search``."""
    parser.add_argument("query")
    parser.add_argument("--library", default="demo", metavar="NAME", help="which to search")
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=200, metavar="N", help="at most so many hits")
    parser.add_argument("--collection", metavar="NAME", help="only that part of the library")
    parser.add_argument(
        "--projection", choices=list(PROJECTORS), default="pca", help="how to draw the map"
    )
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=f"write the groups to a file too; its ending names the format: {', '.join(FORMATS)}",
    )
    parser.add_argument(
        "--save", metavar="NAME", help="keep the answer as a session, see 'sessions'"
    )
    add_grouping(parser)
    add_regrouping(parser)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve, group, name and print; write files of it where they are asked for."""
    for path in arguments.export:
        format_of(path)  # a wrong ending is told before the work
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
        random_state=arguments.seed,
    )
    query = Query(arguments.query, arguments.description, arguments.context)
    started = time.perf_counter()
    ranking = pipeline.retrieve(
        Query(arguments.hits_of) if arguments.hits_of else query,
        top_k=arguments.top_k,
        collection=arguments.collection,
    )
    retrieved = (time.perf_counter() - started) * 1000

    def grouped(asked: Query, n_clusters: NumberOfClusters = arguments.n_clusters) -> SubtopicMap:
        return pipeline.group(
            ranking,
            asked,
            n_clusters=n_clusters,
            max_other=arguments.max_other,
            projection=arguments.projection,
            progress=progress_bar("Reading the hits"),
        )

    for group in arguments.dig:
        ranking = within(ranking, grouped(query, "auto"), group)
    result = grouped(query)
    regrouping = None
    if arguments.hits_of:
        regrouping = compare_queries(grouped(Query(arguments.hits_of)), result)
        result = regrouping.after
    timings = {**result.timings_ms, "retrieve": retrieved}
    timings["total"] = result.timings_ms["total"] + retrieved
    result = replace(result, timings_ms=timings)
    added = extras(arguments, result, regrouping, pipeline.namer_for(ranking))
    answer = Answer(
        result, pipeline.origin(), ranking=ranking, pipeline=pipeline, settings=settings
    )
    for path in arguments.export:
        answer.export(path)
    if arguments.save:
        answer.save(arguments.save)
    if arguments.json:
        print(json.dumps(result.to_dict() | added.printed, ensure_ascii=False))
    else:
        print("\n".join([in_words(result, searched=ranking.query.text), *added.told]))


def in_words(result: SubtopicMap, n_passages: int = 2, *, searched: str | None = None) -> str:
    """Write the groups for a terminal, with the first passages of each.

    Parameters
    ----------
    result : SubtopicMap
    n_passages : int
        Of each group.
    searched : str, optional
        The query that found the hits, where another one groups them.
    """
    n_hits = sum(subtopic.size for subtopic in result.subtopics)
    lines = unanswered_in_words(result.answered, result.library, searched or result.query.text)
    lines += [f"{n_hits} passages in {result.n_clusters} subtopics of {result.query.text!r}"]
    for subtopic in result.subtopics:
        lines.append(f"\n{subtopic.name} ({subtopic.size})")
        for member in subtopic.passages[:n_passages]:
            text = textwrap.shorten(member.passage.text, 160, placeholder=" …")
            title = f"{member.passage.title}: " if member.passage.title else ""
            lines.append(textwrap.indent(textwrap.fill(title + text, 92), "    "))
    return "\n".join(lines)
