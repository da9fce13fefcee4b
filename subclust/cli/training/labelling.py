"""``python -m subclust label``."""

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path

from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar, say, show
from subclust.core.messages import N_, Message
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.labelled.llm import LabelRun, estimate_cost, from_settings, label_file
from subclust.labelled.reading.instances import read_instances, read_sequences
from subclust.labelled.sets import LabelledSetStore

_LEFT_OUT = {
    "cut": N_(
        "{count:,} left out, whose answer was cut because it was longer than the model may write."
    ),
    "empty": N_("{count:,} left out, with an empty answer."),
    "unparsable": N_("{count:,} left out, whose answer has no clusters that could be read."),
    "single": N_("{count:,} left out, of which the answer places fewer than two texts."),
}


def add_label(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``label``."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="queries and their passages, as in a labelled set; labels are not needed; or "
        "set:NAME; or, with --items, users' sequences of items",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE.jsonl.gz", help="the labelled set"
    )
    parser.add_argument("--items", type=Path, metavar="FILE", help="the items of the sequences")
    parser.add_argument("--limit", type=at_least_one, metavar="N", help="label the first N queries")
    parser.add_argument(
        "--things",
        default="passages",
        help="what the texts are, in the plural, for the model; 'products' in the paper",
    )
    parser.add_argument(
        "--price-in", type=_price, metavar="PRICE", help="of a million tokens that are sent"
    )
    parser.add_argument(
        "--price-out", type=_price, metavar="PRICE", help="of a million tokens that come back"
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=60.0, metavar="SECONDS", help="of one answer"
    )
    parser.add_argument(
        "--yes", action="store_true", help="start; without it only the cost is estimated"
    )
    parser.add_argument("--json", action="store_true", help="print one object")


def run_label(arguments: argparse.Namespace, settings: Settings) -> None:
    """Estimate what it costs to have a language model label queries, and with ``--yes`` do it."""
    labeller = from_settings(settings, arguments.things, timeout=arguments.timeout)
    instances = _instances(arguments, settings)[: arguments.limit]
    cost = estimate_cost(
        instances, arguments.things, price_in=arguments.price_in, price_out=arguments.price_out
    )
    value = {"model": settings.llm_model, "estimate": vars(cost)}
    told = Message(
        "{cost}, to {model} at {address}.",
        cost=cost.in_words(),
        model=settings.llm_model,
        address=settings.llm_url,
    )
    if not arguments.yes:
        nothing = Message("Nothing was sent. Add --yes to send these texts there.")
        show(arguments, value, told, nothing)
        return
    # With --json too it is seen before anything is sent, beside the one object.
    say(told, to=sys.stderr if arguments.json else None)
    progress = progress_bar(Message("Labelling"))
    done = label_file(instances, labeller, arguments.out, progress=progress)
    show(arguments, {**value, **done.to_dict()}, *_in_words(done, arguments.out))


def _instances(arguments: argparse.Namespace, settings: Settings) -> list[ClusteringInstance]:
    if arguments.items is not None:
        return read_sequences(arguments.items, Path(arguments.file))
    kept = LabelledSetStore(settings.sets_dir).find(arguments.file)
    return read_instances(Path(arguments.file) if kept is None else kept.path, labelled=False)


def _in_words(done: LabelRun, path: Path) -> Iterator[str]:
    yield Message(
        "{file}: {n_labelled:,} of {n_asked:,} questions are labelled, with {n_labels:,} "
        "subtopics.",
        **vars(done),
        file=path,
    )
    for reason, count in done.discarded.items():
        yield Message(_LEFT_OUT[reason], count=count)
    if done.n_missing:
        yield Message("{n_missing:,} texts left out, which the answers forgot.", **vars(done))
    if done.tokens_in:
        yield Message("{tokens_in:,} tokens sent, {tokens_out:,} received.", **vars(done))


def _price(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError("must be 0 or more")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError("must be above 0")
    return value
