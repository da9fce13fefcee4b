"""``python -m subclust compare``."""

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from subclust.checkpoints import CheckpointStore
from subclust.cli.options import number_of_clusters
from subclust.cli.progress import progress_bar
from subclust.cli.unanswered import unanswered_in_words
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
from subclust.core.records import QUERY_CONTEXTS, Query
from subclust.core.settings import Settings
from subclust.methods import load_method
from subclust.pipeline.query import SubtopicPipeline, load_pipeline

_PARTS: dict[str, str] = {
    "method": "method",
    "checkpoint": "checkpoint",
    "n_clusters": "n_clusters",
    "context": "context",
    "under": "query",
}
"""What may differ between columns: the option, and the field of a column."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
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


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Retrieve once, group in every way, compare and print."""
    columns = read_columns(arguments)
    queries = _read_queries(arguments.queries) if arguments.queries else []
    pipelines = _open(arguments, settings, columns)
    ranking = pipelines[0].retrieve(Query(arguments.query), top_k=arguments.top_k)
    maps = group_columns(ranking, columns, pipelines, progress=progress_bar("Reading the hits"))
    found = compare(ranking, columns, maps)
    over = _over(queries, columns, pipelines, arguments.top_k) if queries else None
    if arguments.json:
        made: dict[str, Any] = found.to_dict()
        print(json.dumps(made | ({"queries": over.to_dict()} if over else {}), ensure_ascii=False))
    else:
        print("\n".join(in_words(found) + (over_in_words(over) if over else [])))


def read_columns(arguments: argparse.Namespace) -> list[Column]:
    """Make the columns of options that were each given once, or once a column.

    Raises
    ------
    InputError
        If there are fewer than two or more than four columns, or options for other numbers.
    """
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


def in_words(found: Comparison) -> list[str]:
    """Write a comparison for a terminal."""
    ranking = found.ranking
    lines = unanswered_in_words(ranking.answered, ranking.library, ranking.query.text)
    lines += [f"{len(ranking.hits)} passages for {ranking.query.text!r}"]
    for letter, one, gold in zip(LETTERS, found.maps, found.gold, strict=False):
        model = f" ({one.checkpoint})" if one.checkpoint else ""
        against = f", ARI {gold.ari:.3f} against the labels" if gold else ""
        lines.append(
            f"\n{letter}: {one.method}{model}, {one.query.text!r}, {one.n_clusters} groups{against}"
        )
        lines += [f"  {group.id:>3}  {group.name} ({group.size})" for group in one.subtopics]
    lines.append("")
    ids = list(found.passages)
    for pair in found.pairs:
        changed = moved(found.groups(pair.first), found.groups(pair.second), ids)
        told = pair.agreement
        lines.append(
            f"{LETTERS[pair.first]} and {LETTERS[pair.second]}: ARI {told.ari:.3f}, "
            f"AMI {told.ami:.3f}, NMI {told.nmi:.3f}; {len(changed)} passages moved; "
            f"together only in {LETTERS[pair.first]} {pair.dispute.together_in_first} pairs, "
            f"only in {LETTERS[pair.second]} {pair.dispute.together_in_second}, "
            f"of {pair.dispute.n_pairs}"
        )
    return lines


def over_in_words(over: OverQueries) -> list[str]:
    """Write what came out over a set of queries for a terminal."""
    lines = [f"\nAgainst the labels over {len(over.results)} queries:"]
    lines += [
        f"  {letter}: mean ARI {mean:.3f}"
        for letter, mean in zip(LETTERS, over.means, strict=False)
    ]
    for one in over.differences:
        lines.append(
            f"  {LETTERS[one.column]} minus {LETTERS[0]}: {one.test.mean_difference:+.3f} "
            f"(95% {one.interval.low:+.3f} to {one.interval.high:+.3f}, "
            f"{_p_in_words(one.test.p_corrected)}); "
            f"better on {one.helps.wins}, equal on {one.helps.ties}, worse on {one.helps.losses}"
        )
    if over.passed_over:
        lines.append(f"  Without labels: {', '.join(over.passed_over)}")
    return lines


def _p_in_words(value: float) -> str:
    return "too few queries for a p value" if math.isnan(value) else f"p {value:.3f}"


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
            "The queries in {path} cannot be read; give a text file with one query a line.",
            path=path,
        ) from error
    queries = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not queries:
        raise InputError("The file {path} holds no queries; write one a line.", path=path)
    return queries


def _over(
    queries: Sequence[str],
    columns: Sequence[Column],
    pipelines: Sequence[SubtopicPipeline],
    top_k: int,
) -> OverQueries:
    told = progress_bar("Comparing over the queries")
    results, passed_over = [], []
    for done, query in enumerate(queries, 1):
        result = score_query(query, columns, pipelines, top_k=top_k)
        if result is None:
            passed_over.append(query)
        else:
            results.append(result)
        told(done, len(queries))
    return sum_up(results, passed_over)
