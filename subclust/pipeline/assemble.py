"""Cluster, name and place hits whose embeddings are there."""

import copy
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext

import numpy as np

from subclust.core.records import FloatArray, Query, Ranking, SubtopicMap
from subclust.core.records.boilerplate import without_labels
from subclust.core.records.progress import Progress
from subclust.grouping.clustering.agglomerative import PrecomputedScores
from subclust.grouping.clustering.base import NumberOfClusters, SubtopicClusterer
from subclust.grouping.clustering.grounds import can_cut, cut_labels, grounds_of
from subclust.grouping.naming import HeadingNamer, SubtopicNamer
from subclust.grouping.similarity.base import PairSimilarity
from subclust.methods import LoadedMethod
from subclust.pipeline.names import names_of_cut
from subclust.pipeline.placing import collect, placed
from subclust.pipeline.ways import DividedSubtopics, Division, ValueNamer
from subclust.text.encoders.batches import one_thread

QUICK = 600
"""Passages that a network compares in a few milliseconds."""

MAX_OTHER = 0.1
"""Share of the hits that may go to "other passages" unless told otherwise."""


def group_ranking(
    method: LoadedMethod,
    ranking: Ranking,
    embeddings: FloatArray,
    query: Query,
    *,
    namer: SubtopicNamer | None = None,
    n_clusters: NumberOfClusters = "auto",
    max_other: float = MAX_OTHER,
    projection: str = "pca",
    random_state: int = 0,
    timings: Mapping[str, float] | None = None,
    progress: Progress | None = None,
    division: Division | None = None,
) -> SubtopicMap:
    """Cluster, name and project hits whose embeddings are there.

    Parameters
    ----------
    method : LoadedMethod
    ranking : Ranking
    embeddings : ndarray of shape (n_hits, embedding_dim)
        By the method's encoder.
    query : Query
        With its `embedding` set where the method is query-specific.
    namer : SubtopicNamer, optional
        By default one that needs no encoder.
    n_clusters, max_other, projection, random_state
        As for `SubtopicPipeline`.
    timings : mapping of str to float, optional
        Milliseconds of the stages before.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` by methods that take seconds.
    division : Division, optional
        How the hits divide, where that is not for the method to find.
    """
    texts = [passage.text for passage in ranking.passages]
    spent = {"retrieve": 0.0, "encode": 0.0, **(timings or {})}
    with _timed(spent, "cluster"):
        # A copy, since several sessions may share this method.
        clusterer = copy.copy(method.clusterer)
        compared = embeddings
        if division is not None:
            clusterer = DividedSubtopics(division)
            compared = PrecomputedScores.positions(np.arange(len(texts)))
        clusterer.n_clusters, clusterer.max_other = n_clusters, max_other
        clusterer.random_state = random_state
        with one_thread() if _is_quick(clusterer, len(texts)) else nullcontext():
            plain = [without_labels(text) for text in texts]
            clusterer.fit(plain, query=query, embeddings=compared, progress=progress)
        grounds = grounds_of(clusterer, [passage.id for passage in ranking.passages])
        labels, strengths = clusterer.labels_, clusterer.strengths_
        if grounds and can_cut(grounds, clusterer.n_clusters_):
            # The same groups, with the numbers that they have in every cut.
            labels = cut_labels(grounds, clusterer.n_clusters_)
    with _timed(spent, "name"):
        namer = namer_of_hits(namer or HeadingNamer(), ranking, division)
        if grounds and can_cut(grounds, clusterer.n_clusters_):
            names = names_of_cut(grounds, clusterer.n_clusters_, namer, query, texts)
        else:
            names = namer.name(query, texts, labels)
    with _timed(spent, "project"):
        coordinates = placed(ranking, method.encoder, embeddings, projection, random_state)

    spent["total"] = sum(spent.values())
    return SubtopicMap(
        query=query,
        library=ranking.library,
        method=method.card.name,
        checkpoint=method.checkpoint.name if method.checkpoint else None,
        seed=random_state,
        n_clusters=clusterer.n_clusters_,
        n_clusters_source=clusterer.n_clusters_source_,
        subtopics=collect(ranking.hits, names, labels, strengths, coordinates, namer.vocabulary),
        timings_ms=spent,
        projection=projection,
        grounds=grounds,
        nearest_cosine=ranking.nearest_cosine,
        answered=ranking.answered,
        set_aside=ranking.set_aside,
    )


def namer_of_hits(
    namer: SubtopicNamer, ranking: Ranking, division: Division | None
) -> SubtopicNamer:
    """Return a namer that knows the hits, and their values where a field divides them."""
    found = namer.knowing(ranking.passages, ranking.embeddings)
    if division is None or not division.names:
        return found
    pairs = zip(ranking.passages, division.labels.tolist(), strict=True)
    values = {one.text: division.names[label] for one, label in pairs if label >= 0}
    return ValueNamer(values, found)


def _is_quick(clusterer: SubtopicClusterer, n_passages: int) -> bool:
    """Return whether one thread groups so many passages as fast as several."""
    similarity = getattr(clusterer, "similarity", None)
    is_network = isinstance(similarity, PairSimilarity) and similarity.is_network
    return is_network and n_passages <= QUICK


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    """Note the milliseconds that a stage takes."""
    started = time.perf_counter()
    yield
    timings[stage] = (time.perf_counter() - started) * 1000
