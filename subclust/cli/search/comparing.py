"""``compare`` and ``cluster``."""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.cli.options import add_grouping, add_method, number_of_clusters
from subclust.cli.printing import progress_bar, show
from subclust.cli.search.search import in_words, name_of, unanswered
from subclust.comparison import (
    LETTERS,
    MAX_COLUMNS,
    MIN_COLUMNS,
    Column,
    Comparison,
    OverQueries,
    compare,
    group_columns,
    moved,
    score_query,
    sum_up,
)
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records import QUERY_CONTEXTS, ClusteringInstance, Hit, Query, Ranking
from subclust.core.settings import Settings
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import LabelledSetStore
from subclust.methods import load_method
from subclust.pipeline.assemble import group_ranking
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import load_encoder, with_embedding

_PARTS: dict[str, str] = {
    "method": "method",
    "checkpoint": "checkpoint",
    "n_clusters": "n_clusters",
    "context": "context",
    "under": "query",
}
"""What may differ between columns: the option, and the field of a column."""


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``compare``."""
    parser.add_argument("query", help="finds the hits that all columns share")
    parser.add_argument("--library", default="demo", metavar="NAME", help="which to search")
    parser.add_argument("--top-k", type=int, default=200, metavar="N", help="at most so many hits")
    columns = parser.add_argument_group(
        "columns", "Each given once for all columns, or once for each of the two to four columns."
    )
    columns.add_argument(
        "--method", action="append", default=[], metavar="NAME", help="see 'methods'"
    )
    columns.add_argument(
        "--checkpoint", action="append", default=[], metavar="NAME", help="see 'models'"
    )
    columns.add_argument(
        "--n-clusters",
        action="append",
        default=[],
        type=number_of_clusters,
        metavar="auto|K",
        help="number of groups",
    )
    columns.add_argument(
        "--context",
        action="append",
        default=[],
        choices=QUERY_CONTEXTS,
        help="what stands for the question",
    )
    columns.add_argument(
        "--under", action="append", default=[], metavar="QUERY", help="group under another query"
    )
    parser.add_argument("--description", default="", help="for --context description")
    parser.add_argument(
        "--queries",
        type=Path,
        metavar="FILE",
        help="queries, one a line: also compare the columns over all of them, against the labels",
    )
    parser.add_argument("--seed", type=int, default=0, help="of everything that is random")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_compare(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve once, group in every way, compare and print."""
    columns = _read_columns(arguments)
    queries = _read_queries(arguments.queries) if arguments.queries else []
    pipelines = _open(arguments, settings, columns)
    ranking = pipelines[0].retrieve(Query(arguments.query), top_k=arguments.top_k)
    progress = progress_bar(Message("Reading the hits"))
    found = compare(ranking, columns, group_columns(ranking, columns, pipelines, progress=progress))
    value, lines = found.to_dict(), [*_in_words(found)]
    if queries:
        over = _over(queries, columns, pipelines, arguments.top_k)
        value["queries"] = over.to_dict()
        lines += _over_in_words(over)
    show(arguments, value, *lines)


def _read_columns(arguments: argparse.Namespace) -> list[Column]:
    """Make the columns of options that were each given once, or once a column."""
    given = {option: getattr(arguments, option) for option in _PARTS if getattr(arguments, option)}
    n_columns = max(map(len, given.values()), default=1)
    uneven = [option for option, values in given.items() if len(values) not in (1, n_columns)]
    if not MIN_COLUMNS <= n_columns <= MAX_COLUMNS or uneven:
        raise InputError(
            "A comparison has {min_columns} to {max_columns} columns: give --method, "
            "--n-clusters, --context, --checkpoint or --under once for each column, the others "
            "once or not at all.",
            min_columns=MIN_COLUMNS,
            max_columns=MAX_COLUMNS,
        )
    return [
        Column(
            description=arguments.description,
            **{
                _PARTS[option]: values[place if len(values) > 1 else 0]
                for option, values in given.items()
            },
        )
        for place in range(n_columns)
    ]


def _in_words(found: Comparison) -> Iterator[str]:
    ranking = found.ranking
    yield from unanswered(ranking.answered, ranking.library, ranking.query.text)
    n_hits = len(ranking.hits)
    yield Message("{count} passages for {query!r}", count=n_hits, query=ranking.query.text)
    for letter, one, gold in zip(LETTERS, found.maps, found.gold, strict=False):
        yield Message(
            "\n{letter}: {method}, {query!r}, {count} groups, ARI {ari:.3f} against the labels"
            if gold
            else "\n{letter}: {method}, {query!r}, {count} groups",
            letter=letter,
            method=f"{one.method} ({one.checkpoint})" if one.checkpoint else one.method,
            query=one.query.text,
            count=one.n_clusters,
            ari=gold.ari if gold else 0.0,
        )
        for group in one.subtopics:
            yield f"  {group.id:>3}  {name_of(group.name)} ({group.size})"
    yield ""
    ids = list(found.passages)
    for pair in found.pairs:
        yield Message(
            "{first} and {second}: ARI {ari:.3f}, AMI {ami:.3f}, NMI {nmi:.3f}; {moved} passages "
            "moved; together only in {first} {together_in_first} pairs, only in {second} "
            "{together_in_second}, of {n_pairs}",
            **vars(pair.agreement),
            **vars(pair.dispute),
            first=LETTERS[pair.first],
            second=LETTERS[pair.second],
            moved=len(moved(found.groups(pair.first), found.groups(pair.second), ids)),
        )


def _over_in_words(over: OverQueries) -> Iterator[str]:
    yield Message("\nAgainst the labels over {count} questions:", count=len(over.results))
    for letter, mean in zip(LETTERS, over.means, strict=False):
        yield Message("  {letter}: mean ARI {mean:.3f}", letter=letter, mean=mean)
    for one in over.differences:
        p = one.test.p_corrected
        chance = Message("p {p:.3f}", p=p)
        if math.isnan(p):
            chance = Message("too few questions for a p value")
        yield Message(
            "  {letter} minus {first}: {difference:+.3f} (95% {low:+.3f} to {high:+.3f}, "
            "{chance}); better on {wins}, equal on {ties}, worse on {losses}",
            **vars(one.interval),
            **vars(one.helps),
            letter=LETTERS[one.column],
            first=LETTERS[0],
            difference=one.test.mean_difference,
            chance=chance,
        )
    if over.passed_over:
        yield Message("  Without labels: {queries}", queries=", ".join(over.passed_over))


def _open(
    arguments: argparse.Namespace, settings: Settings, columns: Sequence[Column]
) -> list[SubtopicPipeline]:
    first = load_pipeline(
        settings,
        library=arguments.library,
        method=columns[0].method,
        checkpoint=columns[0].checkpoint,
        random_state=arguments.seed,
    )
    store = CheckpointStore.of(settings)
    encoder = first.retriever.encoder
    others = [
        SubtopicPipeline(
            first.retriever,
            load_method(column.method, store, encoder, column.checkpoint),
            random_state=arguments.seed,
        )
        for column in columns[1:]
    ]
    return [first, *others]


def _read_queries(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise InputError(
            "The questions in {path} cannot be read; give a text file with one question a line.",
            path=path,
        ) from error
    queries = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not queries:
        raise InputError("The file {path} holds no questions; write one a line.", path=path)
    return queries


def _over(
    queries: Sequence[str],
    columns: Sequence[Column],
    pipelines: Sequence[SubtopicPipeline],
    top_k: int,
) -> OverQueries:
    draw = progress_bar(Message("Comparing over the questions"))
    results, passed_over = [], []
    for done, query in enumerate(queries, 1):
        result = score_query(query, columns, pipelines, top_k=top_k)
        if result is None:
            passed_over.append(query)
        else:
            results.append(result)
        draw(done, len(queries))
    return sum_up(results, passed_over)


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cluster``."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="queries and their passages, as in a labelled set; labels may be missing; or set:NAME",
    )
    add_method(parser)
    add_grouping(parser)


def run_cluster(arguments: argparse.Namespace, settings: Settings) -> None:
    """Group and name the passages of each query; with ``--json`` one object a line."""
    kept = LabelledSetStore(settings.sets_dir).find(arguments.file)
    path = Path(arguments.file) if kept is None else kept.path
    instances = read_instances(path, labelled=False)
    encoder = load_encoder(settings)
    method = load_method(
        arguments.method, CheckpointStore.of(settings), encoder, arguments.checkpoint
    )
    for instance in instances:
        ranking = _as_ranking(instance, path.name if kept is None else kept.label, arguments)
        embeddings = method.encoder.encode([passage.text for passage in instance.passages])
        query = ranking.query
        if method.card.query_specific:
            query = with_embedding(query, method.encoder, embeddings)
        result = group_ranking(
            method,
            ranking,
            embeddings,
            query,
            n_clusters=arguments.n_clusters,
            max_other=arguments.max_other,
            random_state=arguments.seed,
        )
        show(arguments, result.to_dict(), *in_words(result), "")


def _as_ranking(
    instance: ClusteringInstance, library: str, arguments: argparse.Namespace
) -> Ranking:
    query = replace(
        instance.query,
        context=arguments.context,
        description=arguments.description or instance.query.description,
    )
    hits = tuple(Hit(passage, rank, 0.0) for rank, passage in enumerate(instance.passages, start=1))
    return Ranking(query, hits, np.zeros((len(hits), 0), dtype=np.float32), library)
