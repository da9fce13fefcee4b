"""``python -m subclust explain``."""

import argparse
import textwrap
from collections.abc import Iterator

from subclust.api.libraries import open_library
from subclust.cli.options import add_grouping
from subclust.cli.printing import progress_bar, said, show
from subclust.cli.search.search import WIDTH, add_hits, name_of
from subclust.core.messages import N_, Message
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.explanation.record import Explanation, ReasonKind

_REASONS: dict[ReasonKind, str] = {
    "in a group": N_("in a group"),
    "about something else": N_("about something else"),
    "alone": N_("alone"),
    "between groups": N_("between groups"),
    "without a value": N_("its record does not say where it belongs"),
    "by hand": N_("by hand"),
}


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``explain``."""
    parser.add_argument("query")
    parser.add_argument("passage_id", metavar="PASSAGE_ID", help="as 'search --json' prints it")
    add_hits(parser)
    add_grouping(parser)


def run_explain(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve, group, and say why one passage is where it is."""
    answer = open_library(arguments.library, settings=settings).search(
        Query(arguments.query, arguments.description, arguments.context),
        arguments.n_clusters,
        arguments.method,
        checkpoint=arguments.checkpoint,
        top_k=arguments.top_k,
        collection=arguments.collection,
        max_other=arguments.max_other,
        strictness=arguments.strictness,
        random_state=arguments.seed,
        progress=progress_bar(Message("Reading the hits")),
    )
    found = answer.explain(arguments.passage_id)
    show(arguments, found.to_dict(), *_explained(found))


def _explained(found: Explanation) -> Iterator[str]:
    """Yield an explanation's lines; words that carry the membership stand in [brackets]."""
    yield Message(
        "{passage}: in {group!r} ({reason})",
        passage=found.title or found.id,
        group=name_of(found.group.name),
        reason=said(_REASONS[found.reason.kind]),
    )
    yield Message("Strength {strength:.2f}, from -1 to 1.", strength=found.strength)
    if found.nearest is not None:
        yield Message("Most like {group!r}.", group=name_of(found.nearest.name))
    if found.runner_up is not None:
        name, margin = name_of(found.runner_up.name), found.margin
        yield Message("Next: {group!r}, behind by {margin:.3f}.", group=name, margin=margin)
    text = found.text
    for word in sorted(found.words, key=lambda one: -one.start):
        text = f"{text[: word.start]}[{text[word.start : word.end]}]{text[word.end :]}"
    yield from ("", *textwrap.wrap(text, WIDTH))
    if found.sentences:
        best = max(found.sentences, key=lambda one: one.effect)
        yield Message(
            "\nThe sentence that counts most (without it {effect:.2f} less):", effect=best.effect
        )
        yield from textwrap.wrap(found.text[best.start : best.end], WIDTH)
    for told, neighbours in (
        (
            Message(
                "\nMost like it under this question:" if found.query_specific else "\nMost like it:"
            ),
            found.with_query,
        ),
        (Message("\nMost like it by the texts alone:"), found.without_query),
    ):
        yield told
        for one in neighbours:
            yield Message(
                "  {score:6.3f}  {title} ({id}), in {group}",
                score=one.score,
                title=one.title or one.id,
                id=one.id,
                group=name_of(one.group),
            )
