"""How much of the exact answer the index of a library's vectors finds, and how soon."""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measured_library import measured_library
from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.scale_search import in_short
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray
from subclust.core.settings import Settings
from subclust.text.library import FoundPassages, PassageLibrary
from subclust.text.library.add import VECTOR_INDEX_ROWS
from subclust.text.library.search import search_vector

TOP_K = 200
NOISE = 0.3
"""Length of what is added to a vector of length 1 to make another passage of it."""

_AT_ONCE = 5000


def measure_index(
    library: PassageLibrary,
    queries: FloatArray,
    n_passages: int,
    *,
    top_k: int = TOP_K,
    noise: float = NOISE,
    random_state: int = 0,
    progress: Callable[[int, int | None], None] | None = None,
) -> dict[str, Any]:
    """Search a library of a given size by its index and exactly, and compare.

    Its passages are those of a real library over and over, under ids of their own, each repetition
    with its vectors moved at random: the cosine to the original is about ``1 / sqrt(1 + noise²)``.

    Parameters
    ----------
    library : PassageLibrary
        With at least one passage.
    queries : ndarray of shape (n_queries, embedding_dim)
    n_passages : int
        At least `top_k`.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` while the library is made.

    Returns
    -------
    dict
        ``n_passages, n_queries, top_k, noise, has_index, recall`` (mean share, 0 to 1, of the exact
        hits that the index finds), ``recall_lowest`` (of a query), ``exact_ms`` and ``index_ms``
        (each ``p50`` and ``p95``, warm), ``indexing_seconds``, ``n_bytes`` on disk.

    Raises
    ------
    InputError
        If there is nothing to search.
    """
    if n_passages < top_k or not len(queries):
        raise InputError(
            "At least {top_k} passages and one query are needed to compare searches.", top_k=top_k
        )
    with tempfile.TemporaryDirectory() as folder:
        made = PassageLibrary.create(
            Path(folder),
            "measured",
            embedding_dim=library.embedding_dim,
            encoder_name=library.encoder_name,
            encoder_revision=library.encoder_revision,
        )
        _fill(made, library.passages(), n_passages, noise, random_state, progress)
        started = time.perf_counter()
        made.optimize()
        seconds = time.perf_counter() - started
        exact, exact_ms = _searched(made, queries, top_k, exact=True)
        found, index_ms = _searched(made, queries, top_k, exact=False)
        n_bytes = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    recalls = [len(a & b) / len(a) for a, b in zip(exact, found, strict=True)]
    return {
        "n_passages": n_passages,
        "n_queries": len(queries),
        "top_k": top_k,
        "noise": noise,
        "has_index": n_passages >= VECTOR_INDEX_ROWS,
        "recall": float(np.mean(recalls)),
        "recall_lowest": min(recalls),
        "exact_ms": exact_ms,
        "index_ms": index_ms,
        "indexing_seconds": round(seconds, 1),
        "n_bytes": n_bytes,
    }


def _fill(
    made: PassageLibrary,
    found: FoundPassages,
    n_passages: int,
    noise: float,
    random_state: int,
    progress: Callable[[int, int | None], None] | None,
) -> None:
    if not len(found):
        raise InputError("The library has no passages.")
    generator = np.random.default_rng(random_state)
    for start in range(0, n_passages, _AT_ONCE):
        rows = np.arange(start, min(start + _AT_ONCE, n_passages))
        vectors = found.embeddings[rows % len(found)]
        moved = generator.standard_normal(vectors.shape, dtype=np.float32)
        moved *= noise / np.linalg.norm(moved, axis=1, keepdims=True)
        moved[rows < len(found)] = 0  # the first time they are as they are
        vectors = vectors + moved
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        passages = [
            replace(found.passages[row % len(found)], id=f"{row:08}") for row in rows.tolist()
        ]
        made.add(passages, vectors)
        if progress is not None:
            progress(int(rows[-1]) + 1, n_passages)


def _searched(
    library: PassageLibrary, queries: Sequence[FloatArray] | FloatArray, top_k: int, *, exact: bool
) -> tuple[list[set[str]], dict[str, float]]:
    """Return the ids found for each query, and how long a search took once it was warm."""
    answers, spent = [], []
    for query in queries:
        search_vector(library.table, query, top_k, None, exact=exact)
        started = time.perf_counter()
        found = search_vector(library.table, query, top_k, None, exact=exact)
        spent.append((time.perf_counter() - started) * 1000)
        answers.append({passage.id for passage in found.passages})
    times = in_short(spent)
    return answers, {name: times[name] for name in ("p50", "p95")}


def add_index(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``index``."""
    parser.add_argument(
        "--library", default="demo", help="whose passages are repeated, and whose titles are asked"
    )
    parser.add_argument(
        "--passages", type=at_least_one, action="append", metavar="N",
        help="so many in the measured library; several times for several",
    )  # fmt: skip
    parser.add_argument("--queries", type=at_least_one, default=100, metavar="N")
    add_output(parser)


def run_index(arguments: argparse.Namespace, settings: Settings) -> None:
    """Compare what the index finds with the exact answer."""
    encoder, library = measured_library(settings, arguments.library)
    titles = list(library.articles())
    step = max(1, len(titles) // arguments.queries)
    queries = encoder.encode(titles[::step][: arguments.queries])
    sizes = []
    for n_passages in arguments.passages or [20_000, 100_000]:
        measured = measure_index(
            library, queries, n_passages, progress=progress_bar(f"Filling {n_passages:,}")
        )
        sizes.append(measured)
        if not arguments.json:
            print(
                f"{n_passages:,} passages: recall@{measured['top_k']} {measured['recall']:.4f} "
                f"(lowest {measured['recall_lowest']:.3f}), index {measured['index_ms']['p50']} ms,"
                f" exact {measured['exact_ms']['p50']} ms"
            )
    result = {
        "library": arguments.library,
        "sizes": sizes,
        "story": story(encoder, settings.resolve_device()),
    }
    output(arguments, RESULTS_DIR / "index" / f"{arguments.library}.json", result)
