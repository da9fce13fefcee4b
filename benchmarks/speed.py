"""How long a warm query takes, from the library to the first map."""

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.core.records import Query, Ranking
from subclust.core.settings import Settings
from subclust.methods import load_method
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import Encoder, SentenceEncoder, load_encoder

QUERIES: tuple[str, ...] = (
    "causes of the American Revolutionary War",
    "anarchist thinkers and movements",
    "how autism is diagnosed and treated",
    "ancient Greek philosophy",
    "life and presidency of Abraham Lincoln",
    "history of Algeria",
    "chemical properties of alkanes",
    "Achilles in Greek myth",
    "climate and geography of Alaska",
    "film awards and their history",
    "economy and politics of Angola",
)
"""Queries that the demo library answers."""

NEW: tuple[str, ...] = (
    "treatment of autism",
    "apollo missions",
    "anarchism in different countries",
    "chemistry of the alkali metals",
    "history of Albania",
    "trade of Angola",
    "ethics of abortion",
    "amphibians",
    "philosophy of Aristotle",
    "altruism in animals",
    "Einstein's theory of relativity",
    "tennis career of Andre Agassi",
    "characters of Atlas Shrugged",
    "computer animation",
    "sorting algorithms",
    "the god Apollo in art",
    "films of Tarkovsky",
    "wildlife of Alaska",
    "alchemists of the Middle Ages",
    "pigs in Animal Farm",
    "ocean currents of the Atlantic",
    "asphalt for roads",
    "aikido training",
    "emancipation of slaves",
)
"""Others that it answers, each asked once: nothing of their names is known yet."""


def time_queries(
    pipeline: SubtopicPipeline,
    queries: Sequence[str] = QUERIES,
    *,
    top_k: int = 200,
    rounds: int = 3,
) -> dict[str, Any]:
    """Time queries from retrieval with relevance to names and PCA map, and regrouping.

    Each query is run once before it is timed, so that the passages it hits have been encoded; the
    query's own wording is new each time, so that it is encoded as a new one would be. After them
    each of `NEW` is asked for the first time.

    Parameters
    ----------
    top_k : int
        Hits.
    rounds : int
        Timed runs of each query.

    Returns
    -------
    dict
        ``query``, ``regroup``, ``regroup_all`` (no hit is set aside) and ``new``, each with ``n``,
        ``median_ms``, ``p95_ms`` and ``max_ms``; ``new_stages``, the median of each stage of `NEW`;
        ``regroup_processor`` and ``regroup_all_processor``, the same of the time that the calling
        thread had the processor, which what else the machine does changes little; ``stages`` and
        ``regroup_stages``, the median of each stage; and ``n_hits`` and ``n_hits_all``, the fewest
        of a run.
    """
    whole: list[float] = []
    again, again_all = _Regrouped(), _Regrouped()
    stages: dict[str, list[float]] = {}
    for query in queries:
        pipeline.run(Query(query), top_k=top_k)
    for number in range(rounds):
        for position, query in enumerate(queries):
            # A no-break space or two: a new text to the caches, the same words to the encoder.
            wording = query + "\u00a0" * (number + 1)
            started = time.perf_counter()
            result = pipeline.run(Query(wording), top_k=top_k)
            whole.append((time.perf_counter() - started) * 1000)
            for stage, spent in result.timings_ms.items():
                stages.setdefault(stage, []).append(spent)
            other = queries[(position + 1) % len(queries)] + "\u00a0" * (number + 1)
            again.add(pipeline, pipeline.retrieve(Query(wording), top_k=top_k), other)
            every = pipeline.retrieve(Query(wording), top_k=top_k, strictness="all")
            again_all.add(pipeline, every, other)
    new: list[float] = []
    new_stages: dict[str, list[float]] = {}
    for query in NEW:
        started = time.perf_counter()
        result = pipeline.run(Query(query), top_k=top_k)
        new.append((time.perf_counter() - started) * 1000)
        for stage, spent in result.timings_ms.items():
            new_stages.setdefault(stage, []).append(spent)
    return {
        "top_k": top_k,
        "n_hits": min(again.n_hits),
        "n_hits_all": min(again_all.n_hits),
        "new": summary(new),
        "new_stages": _medians(new_stages),
        "query": summary(whole),
        "regroup": summary(again.spent),
        "regroup_processor": summary(again.worked),
        "regroup_all": summary(again_all.spent),
        "regroup_all_processor": summary(again_all.worked),
        "stages": _medians(stages),
        "regroup_stages": _medians(again.stages),
    }


class _Regrouped:
    """Times of grouping hits under another question, in milliseconds."""

    def __init__(self) -> None:
        self.spent: list[float] = []
        self.worked: list[float] = []
        self.stages: dict[str, list[float]] = {}
        self.n_hits: list[int] = []

    def add(self, pipeline: SubtopicPipeline, ranking: Ranking, other: str) -> None:
        """Group hits under another question than their own."""
        pipeline.group(ranking)  # as in the app, where hits are grouped before they are kept
        started, processor = time.perf_counter(), time.thread_time()
        result = pipeline.group(ranking, Query(other))
        self.spent.append((time.perf_counter() - started) * 1000)
        self.worked.append((time.thread_time() - processor) * 1000)
        for stage, spent in result.timings_ms.items():
            self.stages.setdefault(stage, []).append(spent)
        self.n_hits.append(len(ranking.hits))


def _medians(stages: dict[str, list[float]]) -> dict[str, float]:
    return {stage: round(statistics.median(spent), 3) for stage, spent in stages.items()}


def summary(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return number, median, 95th percentile and maximum of times in milliseconds."""
    return {
        "n": len(milliseconds),
        "median_ms": round(statistics.median(milliseconds), 3),
        "p95_ms": round(float(np.percentile(milliseconds, 95)), 3),
        "max_ms": round(max(milliseconds), 3),
    }


N_QUERIES = 5


def time_first(
    settings: Settings,
    *,
    library: str = "demo",
    method: str = "default",
    checkpoint: str | None = None,
    queries: Sequence[str] = QUERIES[:N_QUERIES],
    top_k: int = 200,
) -> dict[str, Any]:
    """Time the grouping of hits whose embeddings are not kept yet, and then again.

    Each query finds an empty folder of embeddings. The model's weights are read before the clock
    runs, as in an app that has started.

    Parameters
    ----------
    top_k : int
        Hits.

    Returns
    -------
    dict
        ``first`` and ``again``, each with ``n``, ``median_ms``, ``p95_ms`` and ``max_ms``;
        ``n_hits``, the fewest of a query; ``n_tokens``, the mean word pieces of a hit, cut as the
        encoder cuts them; and ``told``, how often the first grouping told its progress, the fewest
        of a query.

    Raises
    ------
    SubclustError
        One of its children, where the library, the encoder or the model cannot be had.
    """
    found = load_pipeline(settings, library=library, method=method, checkpoint=checkpoint)
    store = CheckpointStore.of(settings)
    first: list[float] = []
    again: list[float] = []
    n_hits: list[int] = []
    told: list[int] = []
    texts: list[str] = []
    for query in queries:
        ranking = found.retrieve(Query(query), top_k=top_k)
        n_hits.append(len(ranking.hits))
        texts += [passage.text for passage in ranking.passages]
        with tempfile.TemporaryDirectory() as folder:
            empty = load_encoder(replace(settings, data_dir=Path(folder)), shipped=False)
            loaded = load_method(found.method.card.name, store, empty, checkpoint)
            pipeline = SubtopicPipeline(found.retriever, loaded)
            two = replace(ranking, hits=ranking.hits[:2], embeddings=ranking.embeddings[:2])
            pipeline.group(two)
            steps: list[int] = []
            first.append(_timed(pipeline, ranking, steps))
            told.append(len(steps))
            again.append(_timed(pipeline, ranking, steps))
    return {
        "top_k": top_k,
        "n_hits": min(n_hits),
        "n_tokens": round(_mean_tokens(found.retriever.encoder, texts), 1),
        "first": summary(first),
        "again": summary(again),
        "told": min(told),
    }


def _timed(pipeline: SubtopicPipeline, ranking: Ranking, steps: list[int]) -> float:
    ranking = replace(ranking)  # another search, which finds the embeddings on disk alone
    started = time.perf_counter()
    pipeline.group(ranking, progress=lambda done, total: steps.append(done))
    return (time.perf_counter() - started) * 1000


def _mean_tokens(encoder: Encoder, texts: Sequence[str]) -> float:
    """Count word pieces as the encoder cuts them; words where it has none."""
    inner = getattr(encoder, "encoder", None)
    if not isinstance(inner, SentenceEncoder):
        return sum(len(text.split()) for text in texts) / max(len(texts), 1)
    tokens = inner.fresh_model().preprocess(list(texts))
    return float(tokens["attention_mask"].sum()) / len(texts)
