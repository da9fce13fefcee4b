"""``python -m benchmarks encoders``."""

import argparse
import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.encoder_backends import beside_earlier, measure_backends
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.story import story, write
from subclust.judging.tasks import load_task, provenance
from subclust.text.encoders import load_encoder
from subclust.text.encoders.backends import BACKENDS, MEASURED, this_processor


def add_encoders(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``encoders``."""
    parser.add_argument(
        "task",
        nargs="?",
        default="wiki2014_validation",
        metavar="TASK_OR_FILE",
        help="whose passages are encoded and grouped (default: wiki2014_validation)",
    )
    parser.add_argument(
        "--backend", action="append", default=[], choices=list(BACKENDS), metavar="NAME",
        help="only this one and torch; may be given several times",
    )  # fmt: skip
    parser.add_argument("--method", default="centred-cosine", metavar="NAME")
    parser.add_argument("--queries", type=at_least_one, metavar="N", help="only the first N")
    parser.add_argument("--passages", type=at_least_one, default=256, metavar="N", help="timed")
    parser.add_argument("--rounds", type=at_least_one, default=5, metavar="N")
    parser.add_argument(
        "--save", action="store_true",
        help="keep the result with the others, where SUBCLUST_ENCODER_BACKEND=auto looks",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one object")


def run_encoders(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure what the back ends of the encoder are worth on this machine."""
    task, instances = load_task(arguments.task, settings)
    bars = {"": progress_bar("Measuring")}

    def progress(what: str, n_done: int, n_total: int) -> None:
        bars.setdefault(what, progress_bar(what))(n_done, n_total)

    processor = this_processor()
    found = measure_backends(
        settings,
        instances[: arguments.queries],
        processor,
        names=arguments.backend,
        n_texts=arguments.passages,
        rounds=arguments.rounds,
        method=arguments.method,
        progress=None if arguments.json else progress,
    )
    told = {
        **story(load_encoder(settings), "cpu"),
        "precision": None,
        "data": provenance(arguments.task, settings),
        "runtimes": {name: _version(name) for name in ("onnx", "onnxruntime", "openvino")},
    }
    result = {"task": task, **found, "story": told}
    if arguments.save:
        file = MEASURED / f"{processor.kind}.json"
        write(file, beside_earlier(result, file))
    print(json.dumps(result) if arguments.json else in_words(result))


def in_words(result: Mapping[str, Any]) -> str:
    """Return what was measured, as a table that Markdown draws.

    Parameters
    ----------
    result : mapping
        Of `measure_backends`.
    """
    reference = result["reference"]
    lines = [
        "| back end | passages/s | times | cosine, mean | lowest | ARI | share of matrix rate |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| {reference['name']} | {reference['passages_per_second']} | 1 | | | | |",
    ]
    for name, row in result["backends"].items():
        share = "" if row["matrix_share"] is None else f"{row['matrix_share']:.0%}"
        lines.append(
            f"| `{name}` | {row['passages_per_second']} | {row['ratio']:.2f} | "
            f"{row['cosine_mean']:.5f} | {row['cosine_min']:.5f} | {row['ari']:.4f} "
            f"({row['ari_difference']:+.4f}) | {share} |"
        )
    rates = ", ".join(f"{rate:.0f} in {name}" for name, rate in result["matrix_gflops"].items())
    lines.append(
        f"\nProcessor {result['processor']}, {result['n_threads']} threads; thousand million "
        f"operations a second in matrix products: {rates}. {result['n_texts']} passages of "
        f"{result['mean_tokens']} word pieces timed; vectors and groups ({result['method']}, true "
        f"number) of {result['n_passages']:,} passages of {result['n_queries']} queries."
    )
    lines += [f"{name} was not measured: {why}." for name, why in result["not_measured"].items()]
    return "\n".join(lines)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
