"""What the back ends of an encoder are worth: speed, vectors, groups, share of the processor."""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from subclust.checkpoints import CheckpointStore
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.judging.bench import Progress, run_benchmark
from subclust.judging.story import story, write
from subclust.judging.tasks import load_task, provenance
from subclust.text.encoders import Encoder, SentenceEncoder, load_encoder, uncached
from subclust.text.encoders.backends import BACKENDS, MEASURED, Processor, this_processor
from subclust.text.encoders.runtimes import loaded_runtime
from subclust.text.encoders.wrapping import KnownEncoder

REFERENCE = "torch"
"""The back end to whose vectors and groups the others are compared."""

TOKENS = (110, 128)
"""Word pieces of a passage that is timed: about 120."""

SIDE = 2048
"""Of the square matrices by which the processor's rate is measured."""


_SAME = ("task", "processor", "method", "n_texts", "n_queries", "n_passages")
"""Where two results agree in these, their rows go side by side."""


def measure_backends(
    settings: Settings,
    instances: Sequence[ClusteringInstance],
    processor: Processor,
    *,
    names: Sequence[str] = (),
    n_texts: int = 256,
    rounds: int = 5,
    method: str = "centred-cosine",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure each back end that can be used here, beside sentence-transformers in float32.

    A process has one runtime at most, so that of ONNX Runtime and OpenVINO the first is measured.

    In every round all of them encode the same passages of about 120 word pieces one after the
    other, so that what else the machine does falls on all; the ratio is the median over the
    rounds. Vectors and groups are those of all passages of the queries.

    Parameters
    ----------
    settings : Settings
        Its encoder is measured, on the processor.
    names : sequence of str
        Only these back ends, and PyTorch in float32.
    n_texts : int
        Passages timed in a round, at most.
    rounds : int
        After one that is not counted.
    method : str
        Groups the passages, with the true number of groups.
    progress : callable, optional
        Called as ``progress(what, n_done, n_total)``.

    Returns
    -------
    dict
        ``processor, n_threads, n_texts, mean_tokens, rounds, method, n_queries, n_passages,
        gflop_per_passage, matrix_gflops`` by precision, ``reference`` (sentence-transformers),
        ``backends`` by name, each with ``passages_per_second, ratio, cosine_mean, cosine_min, ari,
        ari_difference, gflops, matrix_share`` (None where the rate of its precision was not
        measured), and ``not_measured``, the reason by name.

    Raises
    ------
    InputError
        If the passages are too short to be timed.
    """
    settings = replace(settings, device="cpu")
    encoders, reasons = _usable(settings, processor, names)
    plain = encoders[REFERENCE]
    if not isinstance(plain, SentenceEncoder):
        raise InputError("The encoder {encoder} has no back ends to compare.", encoder=plain.name)
    texts = list(dict.fromkeys(p.text for one in instances for p in one.passages))
    timed, lengths = _of_length(plain, texts, n_texts)
    seconds = _time(plain, encoders, timed, rounds, progress)
    gflop = _gflop(plain, timed)
    rates = {"float32": matrix_rate(torch.float32)}
    if processor.bfloat16:
        rates["bfloat16"] = matrix_rate(torch.bfloat16)
    base = seconds.pop("")
    rows: dict[str, dict[str, Any]] = {}
    expected: FloatArray | None = None
    for number, (name, encoder) in enumerate(encoders.items()):
        if progress is not None:
            progress(f"All passages by {name}", number, len(encoders))
        vectors = encoder.encode(texts)
        expected = vectors if expected is None else expected
        cosine = (vectors * expected).sum(axis=1)
        ari = _ari(settings, instances, KnownEncoder(encoder, texts, vectors), method)
        speed = len(timed) / statistics.median(seconds[name])
        rate = rates.get(BACKENDS[name].precision)
        rows[name] = {
            "passages_per_second": round(speed, 1),
            "ratio": round(
                statistics.median(b / s for b, s in zip(base, seconds[name], strict=True)), 2
            ),
            "cosine_mean": round(float(cosine.mean()), 6),
            "cosine_min": round(float(cosine.min()), 6),
            "ari": round(ari, 6),
            "ari_difference": round(ari - rows[REFERENCE]["ari"] if rows else 0.0, 6),
            "gflops": round(speed * gflop, 1),
            "matrix_share": round(speed * gflop / rate, 3) if rate else None,
        }
    return {
        "processor": processor.kind,
        "n_threads": torch.get_num_threads(),
        "n_texts": len(timed),
        "mean_tokens": round(float(np.mean(lengths)), 1),
        "rounds": rounds,
        "method": method,
        "n_queries": len(instances),
        "n_passages": len(texts),
        "gflop_per_passage": round(gflop, 6),
        "matrix_gflops": {name: round(rate, 1) for name, rate in rates.items()},
        "reference": {
            "name": "sentence-transformers, float32, batches of 32",
            "passages_per_second": round(len(timed) / statistics.median(base), 1),
        },
        "backends": rows,
        "not_measured": reasons,
    }


def _usable(
    settings: Settings, processor: Processor, names: Sequence[str]
) -> tuple[dict[str, Encoder], dict[str, str]]:
    """Return the encoders, PyTorch in float32 first, and why the others are not among them."""
    encoders: dict[str, Encoder] = {}
    reasons = {}
    runtime = loaded_runtime()
    for name, backend in BACKENDS.items():
        reason = backend.why_not(processor)
        if name != REFERENCE and names and name not in names:
            continue
        if reason is None and not backend.is_torch:
            runtime = runtime or backend.extra
            if runtime != backend.extra:  # a process has one of them
                reason = f"it takes a run of its own, with --backend {name}"
        if reason is not None:
            reasons[name] = reason
            continue
        encoders[name] = uncached(load_encoder(replace(settings, encoder_backend=name)))
    return encoders, reasons


def beside_earlier(result: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """Add what an earlier run measured of other back ends, so that one file has them all.

    Parameters
    ----------
    result : mapping
        As `measure_backends` gives it, with ``task`` and ``story``.
    file : Path
        Of the earlier result; one of another task, method or selection of passages is left out.

    Returns
    -------
    dict
        The result; each row that was added has the ``story`` of its run.
    """
    told = dict(result)
    if not file.is_file():
        return told
    earlier = json.loads(file.read_text(encoding="utf-8"))
    if any(earlier.get(name) != told.get(name) for name in _SAME):
        return told
    rows = {name: {"story": earlier["story"], **row} for name, row in earlier["backends"].items()}
    told["backends"] = {**rows, **told["backends"]}
    told["not_measured"] = {
        name: why for name, why in told["not_measured"].items() if name not in rows
    }
    return told


def _of_length(
    encoder: SentenceEncoder, texts: Sequence[str], n_texts: int
) -> tuple[list[str], list[int]]:
    tokenizer = encoder.fresh_model().tokenizer
    found = tokenizer(list(texts), truncation=True, max_length=encoder.max_seq_length)["input_ids"]
    low, high = TOKENS
    rows = [row for row, ids in enumerate(found) if low <= len(ids) <= high][:n_texts]
    if not rows:
        raise InputError(
            "No passage has {low} to {high} word pieces, so nothing can be timed; take a task "
            "with longer passages, and leave SUBCLUST_MAX_SEQ_LENGTH at 128.",
            low=low,
            high=high,
        )
    return [texts[row] for row in rows], [len(found[row]) for row in rows]


def _time(
    plain: SentenceEncoder,
    encoders: Mapping[str, Encoder],
    texts: Sequence[str],
    rounds: int,
    progress: Progress | None,
) -> dict[str, list[float]]:
    """Return the seconds of each round by back end, and of sentence-transformers under ``""``."""
    model = plain.fresh_model().eval()
    runs: dict[str, Callable[[], object]] = {
        "": lambda: model.encode(list(texts), batch_size=32, show_progress_bar=False)
    }
    for name, encoder in encoders.items():
        runs[name] = lambda encoder=encoder: encoder.encode(texts)  # type: ignore[misc]
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        if progress is not None:
            progress("Timing", number, rounds + 1)
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            if number:
                seconds[name].append(time.perf_counter() - started)
    return seconds


def _gflop(encoder: SentenceEncoder, texts: Sequence[str]) -> float:
    """Count the operations of a passage's matrix products, in thousand millions."""
    model = encoder.fresh_model().eval()
    transformer: Any = model[0]
    transformer.auto_model.set_attn_implementation("eager")  # whose products are counted
    some = list(texts[:8])
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model.encode(some, batch_size=1, show_progress_bar=False)
    return float(counter.get_total_flops()) / len(some) / 1e9


def matrix_rate(dtype: torch.dtype, side: int = SIDE, rounds: int = 8) -> float:
    """Measure how fast the processor multiplies square matrices.

    Returns
    -------
    float
        Thousand millions of operations a second, a multiplication and an addition counted as two;
        of the quickest round.
    """
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.randn(side, side, generator=generator).to(dtype) for _ in range(2))
    best = float("inf")
    with torch.inference_mode():
        for _ in range(rounds):
            started = time.perf_counter()
            torch.mm(a, b)
            best = min(best, time.perf_counter() - started)
    return 2 * side**3 / best / 1e9


def _ari(
    settings: Settings, instances: Sequence[ClusteringInstance], encoder: Encoder, method: str
) -> float:
    store = CheckpointStore.of(settings)
    found = run_benchmark("encoders", instances, [method], encoder, store)
    (scores,) = found["methods"].values()
    return float(scores["ari"]["mean"])


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
