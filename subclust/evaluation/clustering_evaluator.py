"""Run a clustering method over labelled queries and measure its groups."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, cast

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, ClusteringInstance, FloatArray, IntArray, Query
from subclust.evaluation.metrics import GROUPING_METRICS, PAIR_METRICS, pair_auc
from subclust.evaluation.results import ClusteringEvaluation, ClusteringScores, MetricSummary

DEFAULT_METRICS = ("ari", "ami", "nmi", "ri", "f1", "auc")


class GroupsPassages(Protocol):
    """What is needed of a clusterer.

    ``scores_``, pair scores of shape (n_passages, n_passages), is read where there is one; without
    it the AUC is nan.
    """

    n_clusters: Any
    labels_: IntArray

    def fit(
        self,
        passages: Sequence[str],
        y: object = None,
        *,
        query: Query,
        embeddings: FloatArray | None = None,
    ) -> object:
        """Group the passages of one query and set ``labels_``."""
        ...


Method = GroupsPassages | Callable[[int | Literal["auto"]], GroupsPassages]
"""A clusterer, or a function that makes one for a number of groups."""


class ClusteringEvaluator:
    """Measures a method on labelled queries, given the true number of groups and left to choose.

    Parameters
    ----------
    granularity : {"flat", "hierarchical"}
        Whether the gold subtopics are the top-level labels or the full paths.
    metrics : sequence of str
        Names out of `GROUPING_METRICS` and `PAIR_METRICS`, the primary metric among them.
    """

    primary_metric = "ari"

    def __init__(
        self,
        granularity: Literal["flat", "hierarchical"] = "flat",
        *,
        metrics: Sequence[str] = DEFAULT_METRICS,
    ) -> None:
        self.granularity = granularity
        self.metrics = metrics

    def evaluate(
        self,
        method: Method,
        instances: Sequence[ClusteringInstance],
        *,
        queries: Sequence[Query] | None = None,
        embeddings: Sequence[FloatArray] | None = None,
        automatic: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> ClusteringEvaluation:
        """Group every query's passages and compare with the gold subtopics.

        Parameters
        ----------
        method : clusterer or function
            A clusterer, whose ``n_clusters`` is set for each query and put back at the end, or a
            function that takes a number of groups (or ``"auto"``) and makes a clusterer.
        queries : sequence of Query, optional
            The instances' queries with what the method needs, such as ``embedding``.
        embeddings : sequence of ndarray of shape (n_passages, embedding_dim), optional
            One array per instance.
        automatic : bool
            Whether to run the method a second time with its own number of groups.
        progress : callable, optional
            Called with the number of queries done and their total.

        Raises
        ------
        InputError
            If there is nothing to measure, a passage has no gold subtopic, a name is unknown, or
            queries and embeddings do not fit the instances.
        """
        self._check(instances, queries, embeddings)
        modes: list[Literal["true", "auto"]] = ["true", "auto"] if automatic else ["true"]
        measured: dict[str, list[dict[str, float]]] = {mode: [] for mode in modes}
        seconds = dict.fromkeys(modes, 0.0)
        chosen: list[int] = []
        for done, instance in enumerate(instances):
            gold = instance.gold(self.granularity)
            for mode in modes:
                clusterer, spent = _fit(
                    method,
                    len(set(gold)) if mode == "true" else "auto",
                    [passage.text for passage in instance.passages],
                    instance.query if queries is None else queries[done],
                    None if embeddings is None else embeddings[done],
                )
                seconds[mode] += spent
                measured[mode].append(self._measure(gold, clusterer))
                if mode == "auto":
                    chosen.append(len(set(clusterer.labels_.tolist()) - {OTHER_PASSAGES}))
            if progress is not None:
                progress(done + 1, len(instances))
        scores = {
            mode: ClusteringScores(
                metrics={
                    name: MetricSummary.of([values[name] for values in measured[mode]])
                    for name in self.metrics
                },
                seconds=seconds[mode],
                n_clusters=tuple(chosen) if mode == "auto" else None,
            )
            for mode in modes
        }
        return ClusteringEvaluation(
            granularity=self.granularity,
            primary_metric=self.primary_metric,
            true_k=scores["true"],
            auto_k=scores.get("auto"),
        )

    def _measure(self, gold: Sequence[str], clusterer: GroupsPassages) -> dict[str, float]:
        scores = getattr(clusterer, "scores_", None)
        result = {}
        for name in self.metrics:
            if name in GROUPING_METRICS:
                result[name] = GROUPING_METRICS[name](gold, clusterer.labels_)
            elif scores is None:
                result[name] = math.nan
            else:
                result[name] = pair_auc(scores, gold, balanced=PAIR_METRICS[name])
        return result

    def _check(
        self,
        instances: Sequence[ClusteringInstance],
        queries: Sequence[Query] | None,
        embeddings: Sequence[FloatArray] | None,
    ) -> None:
        known = [*GROUPING_METRICS, *PAIR_METRICS]
        unknown = [name for name in self.metrics if name not in known]
        if unknown or self.primary_metric not in self.metrics:
            raise InputError(
                "The metrics must be some of {names}, with {primary_metric} among them, but are "
                "{others}.",
                names=", ".join(known),
                primary_metric=self.primary_metric,
                others=", ".join(self.metrics),
            )
        if self.granularity not in ("flat", "hierarchical"):
            raise InputError(
                "The granularity must be flat or hierarchical, but is {granularity!r}.",
                granularity=self.granularity,
            )
        if not instances:
            raise InputError("There are no labelled queries to measure on.")
        for what, given in (("queries", queries), ("arrays of embeddings", embeddings)):
            if given is not None and len(given) != len(instances):
                raise InputError(
                    "{count} labelled queries but {other_count} {what}.",
                    count=len(instances),
                    other_count=len(given),
                    what=what,
                )
        for instance in instances:
            if not all(instance.gold(self.granularity)):
                raise InputError(
                    "Some passages of the query {text!r} have no gold subtopic.",
                    text=instance.query.text,
                )


def _fit(
    method: Method,
    n_clusters: int | Literal["auto"],
    passages: Sequence[str],
    query: Query,
    embeddings: FloatArray | None,
) -> tuple[GroupsPassages, float]:
    """Fit with that number of groups; give the fitted clusterer and the seconds it took."""
    # `type`, because a class has a `fit`, too.
    makes_clusterers = isinstance(method, type) or not hasattr(method, "fit")
    if makes_clusterers:
        make = cast(Callable[[int | Literal["auto"]], GroupsPassages], method)
        clusterer = make(n_clusters)
        before = clusterer.n_clusters
    else:
        clusterer = cast(GroupsPassages, method)
        before, clusterer.n_clusters = clusterer.n_clusters, n_clusters
    start = time.perf_counter()
    try:
        clusterer.fit(passages, query=query, embeddings=embeddings)
    finally:
        clusterer.n_clusters = before
    return clusterer, time.perf_counter() - start
