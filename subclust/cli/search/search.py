"""``python -m subclust search``."""

import argparse
import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from subclust.api.results import Answer
from subclust.cli.options import add_grouping, add_method
from subclust.cli.printing import progress_bar, said, show, tell
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records import (
    OTHER_PASSAGES_NAME,
    MappedPassage,
    Query,
    Ranking,
    Regrouping,
    SubtopicMap,
    SubtopicPart,
    by_document,
)
from subclust.core.records.terms import Vocabulary
from subclust.core.settings import Settings
from subclust.exports import FORMATS, format_of
from subclust.exports.references import left_out_of
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.naming import SubtopicNamer
from subclust.grouping.projection import PROJECTORS
from subclust.pipeline.effect import compare_queries, what_changed
from subclust.pipeline.expected import unmet
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.parts import has_tree, parts_of, stability_curve
from subclust.pipeline.ways import Way, in_way
from subclust.text.library.terms import read_terms
from subclust.text.retrieval import FEW, STRICTNESSES, read_as, understood

WIDTH = 92
"""Letters of a line of text."""


def add_search(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``search``."""
    parser.add_argument(
        "query",
        help='a question; obeyed are "a phrase", AND, OR, NOT, -word, ( ), title:, author:, '
        "subject:, journal:, language:, year:2018-2020 and the like",
    )
    add_hits(parser)
    parser.add_argument(
        "--vocabulary",
        type=Path,
        metavar="FILE",
        help="preferred terms that groups are named by first: one a line, or SKOS (.rdf, .ttl); "
        "by default those of the library, see 'library vocabulary'",
    )
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
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--hits-of",
        metavar="QUERY",
        help="group the hits of that query under QUERY, and tell what moved",
    )
    other.add_argument(
        "--divide-by",
        metavar="TEXT",
        help="group the hits under another question, such as 'by country', or in a way that --ways "
        "lists, by its key, and tell what changed",
    )
    parser.add_argument(
        "--ways",
        action="store_true",
        help="list the ways in which the hits divide, such as by country or by period",
    )
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="TEXT",
        help="a subtopic that is to have a group of its own; may be given several times",
    )
    parser.add_argument(
        "--dig",
        action="append",
        default=[],
        type=int,
        metavar="ID",
        help="group only the passages of this automatic group; again to dig deeper",
    )
    parser.add_argument(
        "--levels", type=int, choices=[1, 2, 3], default=1, help="2 or 3 for groups with parts"
    )
    parser.add_argument(
        "--stability",
        action="store_true",
        help="tell which numbers of groups come back when passages are left out",
    )


def add_hits(parser: argparse.ArgumentParser) -> None:
    """Declare which library is asked, by which method, and for how many hits."""
    parser.add_argument("--library", default="demo", metavar="NAME", help="which to search")
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=200, metavar="N", help="at most so many hits")
    parser.add_argument("--collection", metavar="NAME", help="only that part of the library")
    parser.add_argument(
        "--strictness",
        choices=list(STRICTNESSES),
        default="usual",
        help="how surely a hit must be about the query to be grouped",
    )


def _terms_of(arguments: argparse.Namespace) -> Vocabulary | None:
    return read_terms(arguments.vocabulary) if arguments.vocabulary else None


def run_search(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve, group, name and print; write files of it where they are asked for."""
    for path in arguments.export:
        format_of(path)  # a wrong ending is told before the work
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
        random_state=arguments.seed,
        vocabulary=_terms_of(arguments),
    )
    query = Query(arguments.query, arguments.description, arguments.context)
    searched = Query(arguments.hits_of) if arguments.hits_of else query
    if arguments.divide_by is not None:
        query = Query(arguments.divide_by)  # its way is looked up once the hits are there
    started = time.perf_counter()
    ranking = pipeline.retrieve(
        searched,
        top_k=arguments.top_k,
        collection=arguments.collection,
        strictness=arguments.strictness,
    )
    retrieved = (time.perf_counter() - started) * 1000

    def grouped(asked: Query, n_clusters: NumberOfClusters = arguments.n_clusters) -> SubtopicMap:
        return pipeline.group(
            ranking,
            replace(asked, expected=tuple(arguments.expect)),
            n_clusters=n_clusters,
            max_other=arguments.max_other,
            projection=arguments.projection,
            progress=progress_bar(Message("Reading the hits")),
        )

    for group in arguments.dig:
        ranking = _within(ranking, grouped(query, "auto"), group)
    if arguments.divide_by is not None:
        query = in_way(arguments.divide_by, lambda: pipeline.ways(ranking)) or query
    result = grouped(query)
    regrouping = None
    if searched is not query:
        regrouping = compare_queries(grouped(searched), result)
        result = regrouping.after
    timings = {**result.timings_ms, "retrieve": retrieved}
    timings["total"] = result.timings_ms["total"] + retrieved
    result = replace(result, timings_ms=timings)
    read = understood(ranking.query.text)
    lines = [*read.told, *in_words(result, searched=ranking.query.text)]
    value = result.to_dict() | read_as(ranking.query.text)
    namer = pipeline.namer_for(ranking, result.query)
    for more, told in _extras(arguments, result, regrouping, namer):
        value |= more
        lines += told
    for name in unmet(result):
        lines.append(Message("\nNo passage is about the expected subtopic {name!r}.", name=name))
    if arguments.ways:
        ways = pipeline.ways(ranking)
        value["ways"] = [way.to_dict() for way in ways]
        lines += _way_lines(ways)
    answer = Answer(
        result, pipeline.origin(), ranking=ranking, pipeline=pipeline, settings=settings
    )
    for path in arguments.export:
        answer.export(path)
        if sentence := left_out_of(result, path.name):
            tell(sentence)
    if arguments.save:
        answer.save(arguments.save)
    show(arguments, value, *lines)


def in_words(
    result: SubtopicMap, n_documents: int = 2, *, searched: str | None = None
) -> list[str]:
    """Write the groups for a terminal, with the first documents of each.

    Parameters
    ----------
    result : SubtopicMap
    n_documents : int
        Of each group.
    searched : str, optional
        The query that found the hits, where another one groups them.
    """
    asked = searched or result.query.text
    lines = unanswered(result.answered, result.library, asked) or little(result, asked)
    members = result.members.values()
    count = {"documents": len(by_document(members)), "passages": len(members)}
    place = {"groups": result.n_clusters, "query": result.query.text}
    lines.append(
        Message("{passages} passages in {groups} subtopics of {query!r}", **count, **place)
        if count["documents"] == count["passages"]
        else Message(
            "{documents} documents, {passages} passages in {groups} subtopics of {query!r}",
            **count,
            **place,
        )
    )
    for subtopic in result.subtopics:
        documents = by_document(subtopic.passages)
        size = (
            str(subtopic.size)
            if len(documents) == subtopic.size
            else said(
                Message(
                    "documents: {documents}, passages: {passages}",
                    documents=len(documents),
                    passages=subtopic.size,
                )
            )
        )
        lines.append(f"\n{name_of(subtopic.name)} ({size})")
        lines += map(_line_of, documents[:n_documents])
    if result.set_aside:
        lines.append(
            Message(
                "\nProbably about something else, and in no group: {count} further hits",
                count=len(result.set_aside),
            )
        )
    return lines


def _line_of(document: Sequence[MappedPassage]) -> str:
    """Write the first passage of a document, and how many of it there are."""
    passage = document[0].passage
    text = textwrap.shorten(passage.text, 160, placeholder=" …")
    title = f"{passage.title}: " if passage.title else ""
    count = len(document)
    more = f" ({said(Message('{count} passages', count=count))})" if count > 1 else ""
    return textwrap.indent(textwrap.fill(f"{title}{text}{more}", WIDTH), "    ")


def little(result: SubtopicMap, question: str) -> list[str]:
    """Return a line if a library has little on a question."""
    n_passages = sum(subtopic.size for subtopic in result.subtopics)
    if not result.set_aside or n_passages >= FEW:
        return []
    return [
        Message(
            "The library {library} has little on {question!r} (passages: {count}).\n",
            library=result.library,
            question=question,
            count=n_passages,
        )
    ]


def name_of(group: str) -> str:
    """Return the name of a group; of the other passages, in the language of the reader."""
    return said(group) if group == OTHER_PASSAGES_NAME else group


def unanswered(answered: bool | None, library: str, question: str) -> list[str]:
    """Return a line if nothing seems to answer a question; none where that cannot be said."""
    if answered is not False:
        return []
    return [
        Message(
            "Nothing in the library {library} seems to answer {question!r}; try other or fewer "
            "words, or another library. What follows are the passages nearest to it.\n",
            library=library,
            question=question,
        )
    ]


def _within(ranking: Ranking, subtopics: SubtopicMap, group: int) -> Ranking:
    """Leave only the hits of one group, with the ranks that they have."""
    for one in subtopics.subtopics:
        if one.id == group:
            ids = {member.passage.id for member in one.passages}
            rows = [row for row, hit in enumerate(ranking.hits) if hit.passage.id in ids]
            return ranking.taking(rows)
    known = ", ".join(str(one.id) for one in subtopics.subtopics)
    raise InputError(
        "There is no group {group} to dig into; choose one of {known}.", group=group, known=known
    )


def _extras(
    arguments: argparse.Namespace,
    result: SubtopicMap,
    regrouping: Regrouping | None,
    namer: SubtopicNamer,
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield what was asked for beside the groups, for ``--json`` and for a terminal."""
    if arguments.levels > 1:
        parts = parts_of(result, arguments.levels, namer)
        told: list[str] = []
        for group in result.subtopics:
            if group.id in parts:
                told.append(Message("\nParts of {group}:", group=name_of(group.name)))
                told += _part_lines(parts[group.id])
        yield (
            {
                "levels": arguments.levels,
                "levels_from_tree": has_tree(result),
                "parts": {
                    str(group): [part.to_dict() for part in found] for group, found in parts.items()
                },
            },
            told,
        )
    if arguments.stability:
        curve = stability_curve(result.grounds)
        most = curve.suggested or Message("none")
        told = [
            Message(
                "\nLargest number of groups about as stable as the best (not a recommendation): "
                "{count}",
                count=most,
            )
        ]
        for count, value in zip(curve.n_clusters, curve.stability, strict=True):
            told.append(Message("    {count:3d} groups {value:5.2f}", count=count, value=value))
        yield {"stability": curve.to_dict()}, told
    if regrouping:
        told = [
            Message(
                "\nHits of {query!r}: {changed} Moved farthest:",
                query=regrouping.before.query.text,
                changed=what_changed(regrouping),
            )
        ]
        farthest = sorted(regrouping.effects, key=lambda effect: (-effect.moved, effect.rank))
        for effect in farthest[:10]:
            told.append(
                Message(
                    "    {moved:5.2f} {passage}",
                    moved=effect.moved,
                    passage=effect.passage.title or effect.passage.id,
                )
            )
        yield {**regrouping.to_dict(), "what_changed": str(what_changed(regrouping))}, told


def _way_lines(ways: Sequence[Way]) -> Iterator[str]:
    """Yield a line for each way, with its key for ``--divide-by``."""
    if not ways:
        yield Message("\nThe hits divide in no other way clearly enough.")
        return
    yield Message("\nThe hits also divide:")
    for way in ways:
        yield Message(
            "    {text} ({groups} groups; --divide-by {key})",
            text=way.text,
            groups=way.n_groups,
            key=way.key,
        )


def _part_lines(parts: Sequence[SubtopicPart]) -> Iterator[str]:
    for part in parts:
        indent = "    " * part.number.count(".")
        yield f"{indent}{part.number} {name_of(part.name)} ({len(part.passages)})"
        yield from _part_lines(part.parts)
