"""``python -m subclust search``."""

import argparse
import textwrap
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from subclust.api.searching import SearchRequest, SearchResult, search
from subclust.cli.options import add_grouping, add_method
from subclust.cli.printing import counted, documents, passages, progress_bar, said, show, tell
from subclust.core.messages import N_, Message, joined
from subclust.core.records import (
    OTHER_PASSAGES_NAME,
    MappedPassage,
    SubtopicMap,
    SubtopicPart,
    by_document,
)
from subclust.core.settings import Settings
from subclust.exports import FORMATS, format_of
from subclust.exports.references import left_out_of
from subclust.grouping.projection import PROJECTORS
from subclust.pipeline.effect import what_changed
from subclust.pipeline.expected import unmet
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.ways import Way
from subclust.text.library.terms import read_terms
from subclust.text.retrieval import (
    FEW,
    N_NEAREST,
    STRICTNESSES,
    hardly_mentioned,
    understood,
)

WIDTH = 92
"""Letters of a line of text."""

_FIRST = 2
"""Documents of a group that are told."""


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
    _add_dividing(parser)
    parser.add_argument(
        "--stability",
        action="store_true",
        help="tell which numbers of groups come back when passages are left out",
    )


def _add_dividing(parser: argparse.ArgumentParser) -> None:
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
        vocabulary=read_terms(arguments.vocabulary) if arguments.vocabulary else None,
    )
    # Every field of a request has an option of the same name.
    named = {name: getattr(arguments, name) for name in SearchRequest.model_fields}
    request = SearchRequest(**named)
    progress = progress_bar(Message("Reading the hits"))
    found = search(request, pipeline, settings, progress=progress)
    result = found.subtopics
    lines: list[str] = list(understood(found.searched).told)
    if result.answered is False and request.strictness != "all":
        lines += _nearest(result, found.searched)
    else:
        lines += [*in_words(result, searched=found.searched), *_extras(found)]
    for path in arguments.export:
        found.answer.export(path)
        for sentence in left_out_of(result, path.name):
            tell(sentence)
    if arguments.save:
        found.answer.save(arguments.save)
    show(arguments, found.to_dict(), *lines)


def in_words(result: SubtopicMap, *, searched: str | None = None) -> list[str]:
    """Write the groups for a terminal, with the first documents of each.

    Parameters
    ----------
    result : SubtopicMap
    searched : str, optional
        The query that found the hits, where another one groups them.
    """
    asked = searched or result.query.text
    lines = unanswered(result.answered, result.library, asked) or _little(result, asked)
    if asked == result.query.text:
        lines += _hardly_mentioned(result)
    groups = counted(result.n_clusters, N_("{count} subtopic"), N_("{count} subtopics"))
    whole = _size(result.members.values())
    told = {"groups": groups, "query": result.query.text, "size": whole, "asked": asked}
    lines.append(
        Message("{groups} of {query!r}: {size}", **told)
        if asked == result.query.text
        else Message("{groups} of {asked!r}, grouped under {query!r}: {size}", **told)
    )
    for subtopic in result.subtopics:
        documents = by_document(subtopic.passages)
        several = len(documents) < subtopic.size
        found = said(_size(subtopic.passages)) if several else str(subtopic.size)
        lines.append(f"\n{name_of(subtopic.name)} ({found})")
        lines += map(_line_of, documents[:_FIRST])
    if result.set_aside:
        lines.append(
            Message(
                "\nProbably about something else, and in no group: {count} further hits",
                count=len(result.set_aside),
            )
        )
    return lines


def _size(members: Collection[MappedPassage]) -> Message:
    """Write "24 passages", or "1 document, 88 passages" where documents have several."""
    n_documents = len(by_document(members))
    if n_documents == len(members):
        return passages(n_documents)
    return joined([documents(n_documents), passages(len(members))])


def _nearest(result: SubtopicMap, question: str) -> Iterator[str]:
    """Yield that nothing seems to answer a question, the nearest hits, and how to group them."""
    yield from unanswered(result.answered, result.library, question)
    yield from _hardly_mentioned(result)
    nearest = sorted(result.members.values(), key=lambda member: member.rank)[:N_NEAREST]
    yield Message("The nearest passages:")
    yield from (_line_of([member]) for member in nearest)
    yield Message("\nTo group them anyway, add --strictness all.")


def _line_of(document: Sequence[MappedPassage]) -> str:
    """Write the first passage of a document, and how many of it there are."""
    passage = document[0].passage
    text = textwrap.shorten(passage.text, 160, placeholder=" …")
    title = f"{passage.title}: " if passage.title else ""
    count = len(document)
    more = f" ({said(Message('{count} passages', count=count))})" if count > 1 else ""
    return textwrap.indent(textwrap.fill(f"{title}{text}{more}", WIDTH), "    ")


def _little(result: SubtopicMap, question: str) -> list[str]:
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


def _hardly_mentioned(result: SubtopicMap) -> Iterator[str]:
    """Yield which words of the question none or only one of the grouped passages mentions."""
    passages = [member.passage for member in result.members.values()]
    in_none, in_one = hardly_mentioned(passages, result.query.subject)
    if in_none:
        yield Message("Not mentioned in these passages: {words}.", words=", ".join(in_none))
    if in_one:
        yield Message("Mentioned in only one of these passages: {words}.", words=", ".join(in_one))
    if in_none or in_one:
        yield ""


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
            "words, or another library.\n",
            library=library,
            question=question,
        )
    ]


def _extras(found: SearchResult) -> Iterator[str]:
    """Yield lines of what was asked for beside the groups."""
    parts = found.parts or {}
    for group in found.subtopics.subtopics:
        if group.id in parts:
            yield Message("\nParts of {group}:", group=name_of(group.name))
            yield from _part_lines(parts[group.id])
    if curve := found.stability:
        most = curve.suggested or Message("none")
        yield Message(
            "\nLargest number of groups about as stable as the best (not a recommendation): "
            "{count}",
            count=most,
        )
        for count, value in zip(curve.n_clusters, curve.stability, strict=True):
            yield Message("    {count:3d} groups {value:5.2f}", count=count, value=value)
    if found.regrouping:
        yield Message(
            "\nHits of {query!r}: {changed} Moved farthest:",
            query=found.searched,
            changed=what_changed(found.regrouping),
        )
        farthest = sorted(found.regrouping.effects, key=lambda effect: (-effect.moved, effect.rank))
        for effect in farthest[:10]:
            yield Message(
                "    {moved:5.2f} {passage}",
                moved=effect.moved,
                passage=effect.passage.title or effect.passage.id,
            )
    for name in unmet(found.subtopics):
        yield Message("\nNo passage is about the expected subtopic {name!r}.", name=name)
    if found.ways is not None:
        yield from _way_lines(found.ways)


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
        # The group stands above; its number in the JSON is not its place in this list.
        own = part.number.partition(".")[2]
        indent = "    " * part.number.count(".")
        yield f"{indent}{own} {name_of(part.name)} ({len(part.passages)})"
        yield from _part_lines(part.parts)
