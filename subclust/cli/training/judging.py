"""How good models are: ``judge``, ``bench`` and ``tasks``."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from subclust.api.judging import judge_on
from subclust.api.labelled import LabelledData
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import add_columns, columns_of
from subclust.cli.printing import progress_bar, said, say, show, tell
from subclust.core.messages import N_, Message
from subclust.core.records import QUERY_CONTEXTS, ClusteringInstance
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import DEFAULT_METRICS
from subclust.judging.bench import COUNT_RULES, learn_counts, learn_method_threshold, run_benchmark
from subclust.judging.judgement import MEASURES, Judgement
from subclust.judging.maps import judgement_maps
from subclust.judging.tasks import load_task, task_cards
from subclust.text.encoders import load_encoder, shared_encoder

METHODS = ["default", "centred-cosine", "sbert-cosine"]
"""What is measured unless told otherwise."""

_NAMED = 3
"""Queries that were helped or hurt most, by name."""

_ROLES = {
    "new": N_("after"),
    "base": N_("before"),
    "default": N_("in use"),
    "baseline": N_("learns nothing"),
}


def add_judge(parser: argparse.ArgumentParser) -> None:
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


def run_judge(arguments: argparse.Namespace, settings: Settings) -> None:
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
    found = judge_on(
        arguments.checkpoint,
        LabelledData(arguments.data, None, columns_of(arguments)),
        settings,
        split=arguments.split,
        base=arguments.base,
        granularity=arguments.granularity,
        save=arguments.save,
        progress=_progress_bars(N_("Grouping by {method}")),
    )
    judgement = found.judgement
    tell(*found.notices)
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
    show(arguments, value, *_in_words(judgement))


def _progress_bars(template: str) -> Callable[[str, int, int | None], None]:
    """Return a function that draws the progress of each method, by its name."""
    # One bar per method, because a bar remembers when it began and when it was last drawn.
    bar = cache(lambda name: progress_bar(Message(template, method=name)))
    return lambda name, done, total: bar(name)(done, total)


def _in_words(judgement: Judgement) -> Iterator[str]:
    yield judgement.sentence
    yield from judgement.notes
    width = max(len(method.name) for method in judgement.methods) + 2
    head = ("ARI", "AMI", "auto ARI", "auto AMI")
    yield "\n" + " " * (width + 16) + "".join(f"{title:>10}" for title in head)
    for method in judgement.methods:
        means = "".join(_mean(method.means[name], 10) for name in MEASURES)
        yield f"{method.name:{width}}{said(_ROLES[method.role]):16}{means}"
    changes = judgement.changes()
    for title, rows in (
        (N_("Helped most: {queries}"), [change for change in changes if change[1] > 0]),
        (N_("Hurt most: {queries}"), [change for change in changes[::-1] if change[1] < 0]),
    ):
        if rows:
            named = "; ".join(f"{query} ({value:+.3f})" for query, value in rows[:_NAMED])
            yield Message(title, queries=named)


def _mean(value: float | None, width: int) -> str:
    """Return a score, or a stroke, in a column."""
    return f"{'-' if value is None else said(Message('{value:.3f}', value=value)):>{width}}"


def add_bench(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bench``."""
    parser.add_argument(
        "task",
        metavar="TASK_OR_FILE",
        help="a labelled set, by its path or as set:NAME, or a task, such as demo",
    )
    parser.add_argument(
        "--method",
        action="append",
        metavar="NAME",
        help="may be given several times, the first is compared with the others; "
        "NAME@CHECKPOINT names a checkpoint",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], default="flat")
    parser.add_argument(
        "--context", choices=QUERY_CONTEXTS, help="by default the one a checkpoint was trained with"
    )
    parser.add_argument(
        "--count", choices=list(COUNT_RULES), help="rule for the automatic number of groups"
    )
    parser.add_argument(
        "--validation",
        metavar="TASK_OR_FILE",
        help="choose there the rule for the automatic number of groups, for each method that is "
        "not trained; with --training",
    )
    parser.add_argument(
        "--training",
        metavar="TASK_OR_FILE",
        help="whose mean number of groups is one of these rules",
    )
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="of the benchmark data")
    parser.add_argument(
        "--learn-threshold",
        action="store_true",
        help="print the similarity at which each method's automatic number of groups is best",
    )
    parser.add_argument(
        "--max-other",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="largest share of passages that may go to 'other passages', 0 by default; above 0, "
        "what a method finds to be about something else goes there too",
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.set_defaults(wrong_usage=parser.error)


def run_bench(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure methods on a labelled set."""
    _, result = measure(arguments, settings)
    if result is not None:
        show(arguments, result, *table(result))


def measure(
    arguments: argparse.Namespace, settings: Settings
) -> tuple[list[ClusteringInstance], dict[str, Any] | None]:
    """Measure methods on a task or file.

    Returns
    -------
    instances : list of ClusteringInstance
    result : dict or None
        Of `run_benchmark`; None where only thresholds were asked for, which are printed.
    """
    if (arguments.validation is None) != (arguments.training is None):
        arguments.wrong_usage("--validation and --training go together")
    if arguments.validation is not None and arguments.count is not None:
        arguments.wrong_usage("--count and --validation both choose the rule; give one of them")
    if arguments.data_dir is not None:
        settings = replace(settings, benchmark_data_dir=arguments.data_dir)
    encoder = load_encoder(settings)
    store = CheckpointStore.of(settings)
    name, instances = load_task(arguments.task, settings)
    methods = arguments.method or METHODS
    if arguments.learn_threshold:
        for method in methods:
            threshold = learn_method_threshold(instances, method, encoder, store)
            say(f"{method} {threshold:.6f}")
        return instances, None

    progress = _progress_bars(N_("Encoding for {method}"))
    counts = None
    if arguments.validation is not None:
        counts = learn_counts(
            methods,
            load_task(arguments.validation, settings)[1],
            load_task(arguments.training, settings)[1],
            encoder,
            store,
            progress=progress,
        )
    return instances, run_benchmark(
        name,
        instances,
        methods,
        encoder,
        store,
        granularity=arguments.granularity,
        context=arguments.context,
        count=arguments.count,
        counts=counts,
        max_other=arguments.max_other,
        progress=progress,
    )


def table(result: Mapping[str, Any]) -> list[str]:
    """Return a result as the lines of a table, a row a method, for people."""
    n, named = result["n_instances"], {"task": result["task"], "labels": result["granularity"]}
    if n == 1:
        lines: list[str] = [Message("{task}, one collection, {labels}", **named)]
    else:
        lines = [Message("{task}, {count} questions, {labels}", count=n, **named)]
    width = max(map(len, result["methods"])) + 2
    metrics = "".join(f"{metric:>8}" for metric in DEFAULT_METRICS)
    lines.append(f"{'':{width}}{metrics}{'auto ARI':>11}{said(Message('groups')):>9}")
    for name, scores in result["methods"].items():
        auto = result["auto_k"]["methods"].get(name)
        means = "".join(_mean(scores[metric]["mean"], 8) for metric in DEFAULT_METRICS)
        ari = groups = None
        if auto is not None:
            ari, groups = auto["ari"]["mean"], sum(auto["n_clusters"]) / len(auto["n_clusters"])
        count = "-" if groups is None else said(Message("{groups:.1f}", groups=groups))
        lines.append(f"{name:{width}}{means}{_mean(ari, 11)}{count:>9}")
    return lines + [_compared(row, n) for row in result["comparisons"]]


def _compared(row: Mapping[str, Any], n_queries: int) -> Message:
    """Return what a comparison of two methods came to."""
    apart = Message(
        "{method} against {against}: ARI {difference:+.3f}",
        method=row["method"],
        against=row["against"],
        difference=row["mean_difference"],
    )
    gain = row["relative_gain"]
    told = "" if gain is None else Message("{percent:+.1f}%", percent=100 * gain)
    if n_queries == 1:  # no interval and no test
        return Message("{apart} ({gain})", apart=apart, gain=told) if told else apart
    chance = Message("undefined")
    if row["p_corrected"] is not None:
        chance = Message("{p:.2g}", p=row["p_corrected"])
    return Message(
        "{apart} ({gain}95% from {low:+.3f} to {high:+.3f}, p {chance}), better on {wins}, worse "
        "on {losses}",
        apart=apart,
        gain=Message("{gain}, ", gain=told) if told else "",
        low=row["interval"][0],
        high=row["interval"][1],
        chance=chance,
        wins=row["wins"],
        losses=row["losses"],
    )


def add_tasks(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tasks``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run_tasks(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the labelled tasks and where their files are looked for."""
    cards = task_cards()
    heads = (
        Message("task"),
        Message("split"),
        Message("queries"),
        Message("passages"),
        Message("subtopics"),
        Message("licence"),
    )
    row = "{:30} {:10} {:>8} {:>9} {:>10}  {}".format
    lines: list[str] = [row(*map(said, heads))]
    for card in cards:
        numbers = [
            said(Message("{count:,}", count=count)) for count in (card.n_queries, card.n_passages)
        ]
        labels = said(Message("{count:.1f}", count=card.n_labels)) if card.n_labels else "-"
        lines.append(row(card.name, card.split, *numbers, labels, card.licence))
    lines.append(
        Message(
            "Subtopics are the mean of a question. Folder of the files: {folder}; --json has the "
            "rest.",
            folder=settings.benchmark_data_dir or Message("not set: SUBCLUST_BENCHMARK_DATA_DIR"),
        )
    )
    show(arguments, {"tasks": [asdict(card) for card in cards]}, *lines)
