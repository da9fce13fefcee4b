"""How searching, memory and disk grow with a library."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.figures.growth import GrowthCurve
from benchmarks.figures.growth_svg import growth_svg
from benchmarks.peak_memory import PeakMemory
from benchmarks.results import RESULTS_DIR, read_result, write
from benchmarks.scale_search import WARMED_BY, measure_apart
from benchmarks.scale_texts import ScaleTexts, fill
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.text.encoders import Encoder
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
    texts : ScaleTexts
    questions : sequence of str
        More than `WARMED_BY`, each once.
    n_passages : int
        At least `top_k`.
    top_k : int
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
    library = PassageLibrary.create(
        folder,
        name,
        embedding_dim=texts.vectors.shape[1],
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
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
    """Give settings whose libraries lie in another folder."""
    return replace(settings, data_dir=folder, libraries=None)


def _is_of(path: Path, name: str) -> bool:
    return path.is_file() and any(part.startswith(f"{name}.") for part in path.parts)
