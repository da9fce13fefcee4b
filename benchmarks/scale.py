"""How searching, memory and disk grow with a library."""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.figures.growth_svg import GrowthCurve, growth_svg
from benchmarks.measured_library import measured_library
from benchmarks.peak_memory import PeakMemory
from benchmarks.results import RESULTS_DIR, add_output, read_result, story, write
from benchmarks.scale_search import WARMED_BY, measure_apart
from benchmarks.scale_texts import ScaleTexts, fill, scale_texts
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder
from subclust.text.ingest.known import opened_library
from subclust.text.library import PassageLibrary

SIZES = (10_000, 100_000, 1_000_000)
TOP_K = 200

_TIMES = {"fusion": "Both, fused", "text": "By words", "vector": "By meaning",
          "exact": "Exact"}  # fmt: skip


def measure_scale(
    settings: Settings,
    encoder: Encoder,
    texts: ScaleTexts,
    questions: Sequence[str],
    n_passages: int,
    *,
    top_k: int = TOP_K,
    progress: Callable[[int, int | None], None] | None = None,
) -> dict[str, Any]:
    """Build a library and search it in a fresh process.

    Parameters
    ----------
    settings : Settings
        Its data folder is where the library is built, and stays.
    encoder : Encoder
        That of the vectors.
    questions : sequence of str
        More than `WARMED_BY`, each once.
    n_passages : int
        At least `top_k`.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` while the library is filled.

    Returns
    -------
    dict
        ``n_passages, n_texts`` (different ones among them), ``n_encoded`` (vectors that are their
        text's own), ``noise``, ``filling_seconds``, ``indexing_seconds``, ``building_mb`` (most
        memory above that before it began, in 10**6 bytes), ``n_bytes`` on disk, ``has_index`` (of
        vectors), and what `measure_searches` gives.

    Raises
    ------
    InputError
        If there is nothing to search for.
    """
    if n_passages < top_k or len(questions) <= WARMED_BY:
        raise InputError(
            "At least {top_k} passages and {warmed_by} questions are needed to time searches.",
            top_k=top_k,
            warmed_by=WARMED_BY + 1,
        )
    name = f"scale-{n_passages}"
    folder = settings.library_dir
    if name in PassageLibrary.names(folder):
        PassageLibrary.remove(folder, name)
    library, _ = opened_library(folder, name, encoder)
    with PeakMemory() as peak:
        started = time.perf_counter()
        fill(library, texts, n_passages, progress)
        filled = time.perf_counter()
        library.optimize()
        indexed = time.perf_counter()
    has_index = any("embedding" in index.columns for index in library.table.list_indices())
    return {
        "n_passages": n_passages,
        "n_texts": min(n_passages, len(texts.passages)),
        "n_encoded": min(n_passages, len(texts.vectors)),
        "noise": texts.noise,
        "filling_seconds": round(filled - started, 1),
        "indexing_seconds": round(indexed - filled, 1),
        "building_mb": round(peak.megabytes),
        "n_bytes": sum(one.stat().st_size for one in folder.rglob("*") if _is_of(one, name)),
        "has_index": has_index,
        **measure_apart(settings, name, questions, top_k),
    }


def keep(measured: Mapping[str, Any], folder: Path = RESULTS_DIR / "scale") -> Path:
    """Write a size's result among those of the other sizes, and draw them all.

    Returns
    -------
    Path
        Of the result; the picture lies beside it.
    """
    path = folder / "passages.json"
    sizes = (read_result(path) or {"sizes": []})["sizes"]
    kept = [one for one in sizes if one["n_passages"] != measured["n_passages"]]
    kept = sorted([*kept, dict(measured)], key=lambda one: one["n_passages"])
    write(path, {"sizes": kept})
    path.with_suffix(".svg").write_text(picture(kept), "utf-8")
    return path


def picture(sizes: Sequence[Mapping[str, Any]]) -> str:
    """Draw how times, memory and disk grow, as SVG."""
    passages = tuple(one["n_passages"] for one in sizes)

    def curve(label: str, values: Sequence[float]) -> GrowthCurve:
        return GrowthCurve(label, passages, tuple(max(value, 0.1) for value in values))

    times = [
        curve(label, [one[f"{mode}_ms"]["p95"] for one in sizes]) for mode, label in _TIMES.items()
    ]
    space = [
        curve("Memory", [one["resident_mb"] for one in sizes]),
        curve("Disk", [one["n_bytes"] / 1e6 for one in sizes]),
    ]
    building = [
        curve("Filling", [one["filling_seconds"] for one in sizes]),
        curve("Indexing", [one["indexing_seconds"] for one in sizes]),
    ]
    return growth_svg(
        "How searching, memory, disk and building grow with the number of passages",
        [
            ("Searching: 95 of 100 searches are answered within", "milliseconds", times),
            ("Memory of the searching process, and disk", "megabytes", space),
            ("Building", "seconds", building),
        ],
        across="passages in the library, logarithmic",
    )


def in_folder(settings: Settings, folder: Path) -> Settings:
    """Return settings whose libraries lie in another folder."""
    return replace(settings, data_dir=folder, libraries=None)


def _is_of(path: Path, name: str) -> bool:
    return path.is_file() and any(part.startswith(f"{name}.") for part in path.parts)


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
    add_output(parser)


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
