"""How long a method takes over hits that it has never met, and over the same ones again."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.speed import QUERIES, summary
from subclust.checkpoints import CheckpointStore
from subclust.core.records import Query, Ranking
from subclust.core.settings import Settings
from subclust.methods import load_method
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import Encoder, SentenceEncoder, load_encoder

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
    settings : Settings
    library, method : str
    checkpoint : str, optional
    queries : sequence of str
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
