"""How long searches of a library take in a process of their own, and how much memory it needs."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

from benchmarks.peak_memory import resident_peak
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder
from subclust.text.library import PassageLibrary
from subclust.text.library.search import search_vector
from subclust.text.retrieval import RETRIEVAL_MODES, Retriever

WARMED_BY = 20
"""So many of the questions are asked first and not timed."""


def measure_apart(
    settings: Settings, library: str, questions: Sequence[str], top_k: int
) -> dict[str, Any]:
    """Do as `measure_searches` in a fresh process, whose memory is that of searching alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure_searches, settings, library, questions, top_k).result()


def measure_searches(
    settings: Settings, library: str, questions: Sequence[str], top_k: int
) -> dict[str, Any]:
    """Time searches of a library, and set those of its index beside the exact ones.

    The process is warm: it has answered `WARMED_BY` other questions. A timed question is one that
    it has not met, and its vector is made within that time.

    Parameters
    ----------
    settings : Settings
        Of the folder of libraries and the encoder.
    questions : sequence of str
        More than `WARMED_BY`, each once.

    Returns
    -------
    dict
        ``n_queries, top_k``; ``fusion_ms, text_ms, vector_ms`` and ``exact_ms`` (a vector search
        without the index), each ``p50, p95, max`` in milliseconds; ``recall`` (mean share, 0 to 1,
        of the exact hits that the vector search finds), ``recall_lowest``; ``resident_mb``, the
        most that the process took for all but the exact searches, encoder and all, in 10**6 bytes.
    """
    encoder = load_encoder(settings)
    opened = PassageLibrary.open(settings.library_dir, library)
    retriever = Retriever(opened, encoder)
    asked = questions[WARMED_BY:]
    result: dict[str, Any] = {"n_queries": len(asked), "top_k": top_k}
    found: dict[str, list[set[str]]] = {}
    for mode in RETRIEVAL_MODES:
        for question in questions[:WARMED_BY]:
            retriever.search(Query(question), top_k, mode)  # type: ignore[arg-type]
        spent, found[mode] = [], []
        for question in asked:
            started = time.perf_counter()
            ranking = retriever.search(Query(question), top_k, mode)  # type: ignore[arg-type]
            spent.append((time.perf_counter() - started) * 1000)
            found[mode].append({hit.passage.id for hit in ranking.hits})
        result[f"{mode}_ms"] = in_short(spent)
    result["resident_mb"] = round(resident_peak() / 1e6)
    spent, recalls = [], []
    for question, ids in zip(asked, found["vector"], strict=True):
        vector = encoder.encode_asked(question)
        started = time.perf_counter()
        exact = search_vector(opened.table, vector, top_k, None, exact=True)
        spent.append((time.perf_counter() - started) * 1000)
        recalls.append(len(ids & {one.id for one in exact.passages}) / len(exact))
    result["exact_ms"] = in_short(spent)
    result["recall"] = round(float(np.mean(recalls)), 4)
    result["recall_lowest"] = min(recalls)
    return result


def in_short(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return ``p50, p95, max`` of times, rounded to a tenth of a millisecond."""
    p50, p95, highest = np.percentile(milliseconds, [50, 95, 100])
    named = {"p50": p50, "p95": p95, "max": highest}
    return {name: round(float(value), 1) for name, value in named.items()}
