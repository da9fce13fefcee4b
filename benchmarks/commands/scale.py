"""``python -m benchmarks scale``."""

import argparse
import json
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.measured_library import measured_library
from benchmarks.results import story
from benchmarks.scale import SIZES, in_folder, keep, measure_scale
from benchmarks.scale_texts import scale_texts
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task

TEXTS = ("wiki2014_train", "openstax_chapters_train")
QUESTIONS = "wiki2014_validation"


def add_scale(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``scale``."""
    parser.add_argument(
        "--sizes", type=_sizes, default=list(SIZES), metavar="N,N",
        help="passages of the libraries that are built, by default 10000,100000,1000000",
    )  # fmt: skip
    parser.add_argument(
        "--library", default="demo", help="whose passages come first, and whose vectors are used"
    )
    parser.add_argument(
        "--texts", action="append", metavar="TASK_OR_FILE",
        help=f"labelled queries whose passages come then; by default {' and '.join(TEXTS)}",
    )  # fmt: skip
    parser.add_argument(
        "--questions", default=QUESTIONS, metavar="TASK_OR_FILE",
        help=f"labelled queries that are asked, by default those of {QUESTIONS}",
    )  # fmt: skip
    parser.add_argument("--queries", type=at_least_one, default=120, metavar="N")
    parser.add_argument("--folder", type=Path, help="build the libraries here, and leave them")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_scale(arguments: argparse.Namespace, settings: Settings) -> None:
    """Build libraries of several sizes and search each in a fresh process."""
    encoder, library = measured_library(settings, arguments.library)
    tasks = arguments.texts or list(TEXTS)
    instances = [one for task in tasks for one in load_task(task, settings)[1]]
    texts = scale_texts(library, instances)
    asked = list(dict.fromkeys(q.query.text for q in load_task(arguments.questions, settings)[1]))
    questions = asked[:: max(1, len(asked) // arguments.queries)][: arguments.queries]
    del instances, asked
    sources = {"library": arguments.library, "texts": tasks, "questions": arguments.questions}
    sizes = []
    folder = arguments.folder
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory() as chosen:
        for n_passages in arguments.sizes:
            bar = None if arguments.json else progress_bar(f"Filling {n_passages:,}")
            measured = measure_scale(
                in_folder(settings, Path(chosen)), encoder, texts, questions, n_passages,
                progress=bar,
            )  # fmt: skip
            measured |= sources | {"story": story(encoder, settings.resolve_device())}
            sizes.append(measured)
            if arguments.save:
                keep(measured)
            if not arguments.json:
                print(_line(measured))
    if arguments.json:
        print(json.dumps({"sizes": sizes}))


def _line(one: dict[str, Any]) -> str:
    return (
        f"{one['n_passages']:,} passages: fused p50 {one['fusion_ms']['p50']} ms, p95 "
        f"{one['fusion_ms']['p95']} ms, words p95 {one['text_ms']['p95']} ms, meaning p95 "
        f"{one['vector_ms']['p95']} ms (exact {one['exact_ms']['p95']} ms), recall@"
        f"{one['top_k']} {one['recall']:.4f} (lowest {one['recall_lowest']:.3f}), memory "
        f"{one['resident_mb']:,} MB, disk {one['n_bytes'] / 1e6:,.0f} MB, built in "
        f"{one['filling_seconds'] + one['indexing_seconds']:,.0f} s"
    )


def _sizes(text: str) -> list[int]:
    try:
        return sorted({at_least_one(part.strip()) for part in text.split(",")})
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(
            f"must be whole numbers with commas between them, such as 10000,100000, but {error}"
        ) from error
