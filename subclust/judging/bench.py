"""Run methods over labelled queries: the numbers behind every table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import (
    ClusteringInstance,
    FloatArray,
    Query,
    QueryContext,
    documents_by_text,
)
from subclust.evaluation.clustering_evaluator import DEFAULT_METRICS, ClusteringEvaluator
from subclust.evaluation.results import ClusteringEvaluation
from subclust.evaluation.significance import bootstrap_interval, helps_hurts, paired_test
from subclust.grouping.clustering.agglomerative import GatedSubtopics
from subclust.grouping.clustering.base import MAX_PAIRWISE, too_many_pairs
from subclust.grouping.clustering.cluster_count import ClusterCount, SilhouetteCount
from subclust.grouping.clustering.gap_count import GapCount
from subclust.grouping.clustering.stability_count import StabilityCount
from subclust.grouping.clustering.threshold_count import learn_threshold
from subclust.judging.validated_count import (
    Counting,
    ValidatedCount,
    choose_count,
    mean_number,
    takes_rule,
)
from subclust.methods import LoadedMethod, load_method
from subclust.text.encoders import Encoder, base_of, with_embedding
from subclust.text.retrieval.relevance import with_relevance

OWN_RULE = "the method's own"
"""Stands for the rule by which a method itself chooses the number of groups."""

METRICS = (*DEFAULT_METRICS, "nmi_geometric", "acc", "bcubed_f1", "auc_balanced")
"""All that `subclust.evaluation` has, each the mean over the queries."""

COUNT_RULES: dict[str, Callable[[], ClusterCount]] = {
    "silhouette": SilhouetteCount,
    "gap": GapCount,
    "stability": StabilityCount,
}
"""Rules for the number of groups that need no learning; the learnt threshold is the method's."""

Granularity = Literal["flat", "hierarchical"]
Progress = Callable[[str, int, int], None]


def run_benchmark(
    task: str,
    instances: Sequence[ClusteringInstance],
    methods: Sequence[str],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    granularity: Granularity = "flat",
    context: QueryContext | None = None,
    count: str | None = None,
    counts: Mapping[str, ValidatedCount] | None = None,
    max_other: float = 0.0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Run each method with the true number of groups and with its own.

    Where a query has more than `MAX_PAIRWISE` passages no method chooses its own number, which
    takes all pairs, and there is no AUC.

    Parameters
    ----------
    methods : sequence of str
        Names, or ``name@checkpoint``.
    encoder : Encoder
        The base encoder.
    granularity : {"flat", "hierarchical"}
    context : {"title", "description", "passages"}, optional
        Of the query; by default the one a checkpoint was trained with, or the title.
    count : str, optional
        A key of `COUNT_RULES` to use instead of a method's own rule.
    counts : mapping of str to ValidatedCount, optional
        Rules by method, of `learn_counts`, to use instead of the methods' own.
    max_other : float
        Largest share of passages that a method may set aside, 0 to 1.
    progress : callable, optional
        Called as ``progress(method, n_done, n_total)``.

    Returns
    -------
    dict
        The object that ``python -m subclust bench --json`` prints.

    Raises
    ------
    BenchmarkError
        If there is no such rule, or a query has too many passages for a method or the rule.
    """
    largest = max((len(instance.passages) for instance in instances), default=0)
    opened = {name: open_method(name, store, encoder) for name in methods}
    chosen = counts or {}
    _set_counts(opened, count, chosen)
    _check_without_pairs(task, largest, opened, count)
    known: dict[str, list[FloatArray]] = {}
    results: dict[str, ClusteringEvaluation] = {}
    described: dict[str, dict[str, str | None]] = {}
    for name, method in opened.items():
        method.clusterer.max_other = max_other
        # Methods over the same encoder share its vectors.
        if method.encoder.revision not in known:
            known[method.encoder.revision] = embed(instances, method.encoder, name, progress)
        embeddings = known[method.encoder.revision]
        used = context or trained_context(method)
        described[name] = {
            "checkpoint": method.checkpoint.name if method.checkpoint else None,
            "context": used if method.card.query_specific else None,
        }
        results[name] = ClusteringEvaluator(granularity, metrics=METRICS).evaluate(
            method.clusterer,
            instances,
            queries=embed_queries(instances, embeddings, method, used),
            embeddings=embeddings,
            automatic=largest <= MAX_PAIRWISE,
        )
    return {
        "task": task,
        "n_instances": len(instances),
        "granularity": granularity,
        "methods": {
            name: {**result.true_k.to_dict(), **described[name]} for name, result in results.items()
        },
        "auto_k": {
            "rule": count or OWN_RULE,
            "methods": {
                name: result.auto_k.to_dict()
                | {"checkpoint": described[name]["checkpoint"]}
                | ({"count": chosen[name].told} if name in chosen else {})
                for name, result in results.items()
                if result.auto_k is not None
            },
        },
        "comparisons": _compare(results),
        "training": _trainings(opened),
        "queries": [instance.query.text for instance in instances],
    }


def _set_counts(
    opened: Mapping[str, LoadedMethod], count: str | None, chosen: Mapping[str, ValidatedCount]
) -> None:
    if count is not None and count not in COUNT_RULES:
        raise BenchmarkError(
            "There is no rule {count!r} for the number of groups; choose one of {names}.",
            count=count,
            names=", ".join(COUNT_RULES),
        )
    for name, method in opened.items():
        if isinstance(method.clusterer, Counting):
            if count is not None:
                method.clusterer.count = COUNT_RULES[count]()
            elif name in chosen:
                method.clusterer.count = chosen[name].rule


def _check_without_pairs(
    task: str, largest: int, opened: Mapping[str, LoadedMethod], count: str | None
) -> None:
    """Raise if a method or the rule would compare all pairs of a query that is too large."""
    for name, method in opened.items() if largest > MAX_PAIRWISE else ():
        if method.clusterer.needs_pairs or count is not None:
            raise BenchmarkError(
                "{task} is not for {what}: {too_many_pairs}",
                task=task,
                what=f"the rule {count}" if count is not None else f"the method {name}",
                too_many_pairs=too_many_pairs(largest),
            )


def _trainings(opened: Mapping[str, LoadedMethod]) -> dict[str, dict[str, Any]]:
    """Return arguments and figures of each training, its parent and its weights' digest."""
    return {
        name: {
            **made.card.get("training", {}),
            "parent": made.parent,
            "weights_digest": made.weights_digest,
        }
        for name, method in opened.items()
        if (made := method.checkpoint)
    }


def learn_counts(
    methods: Sequence[str],
    validation: Sequence[ClusteringInstance],
    training: Sequence[ClusteringInstance],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    progress: Progress | None = None,
) -> dict[str, ValidatedCount]:
    """Choose the rule for the number of groups on validation queries, method by method.

    Parameters
    ----------
    methods : sequence of str
        Names, or ``name@checkpoint``; those that are trained, or take no rule, are left out.
    validation : sequence of ClusteringInstance
        On which the rule is chosen.
    training : sequence of ClusteringInstance
        Whose mean number of subtopics is one of the rules.
    progress : callable, optional
        Called as ``progress(method, n_done, n_total)`` while texts are encoded.

    Returns
    -------
    dict of str to ValidatedCount

    Raises
    ------
    BenchmarkError
        If there are no training queries.
    InputError
        If no validation query has two passages.
    """
    mean = mean_number(training)
    learnt = {}
    for name in methods:
        method = open_method(name, store, encoder)
        if takes_rule(method):
            embeddings = embed(validation, method.encoder, name, progress)
            queries = embed_queries(validation, embeddings, method, trained_context(method))
            learnt[name] = choose_count(method, validation, queries, embeddings, mean)
    return learnt


def open_method(name: str, store: CheckpointStore, encoder: Encoder) -> LoadedMethod:
    """Load ``name`` or ``name@checkpoint``."""
    method, _, checkpoint = name.partition("@")
    return load_method(method, store, encoder, checkpoint or None)


def embed(
    instances: Sequence[ClusteringInstance],
    encoder: Encoder,
    name: str = "",
    progress: Progress | None = None,
) -> list[FloatArray]:
    """Encode all passages at once and hand them out per query.

    Returns
    -------
    list of ndarray of shape (n_passages, embedding_dim)
    """
    texts = [passage.text for instance in instances for passage in instance.passages]
    vectors = encoder.encode(
        texts,
        progress=None if progress is None else lambda done, total: progress(name, done, total),
    )
    result, start = [], 0
    for instance in instances:
        stop = start + len(instance.passages)
        result.append(vectors[start:stop])
        start = stop
    return result


def embed_queries(
    instances: Sequence[ClusteringInstance],
    embeddings: Sequence[FloatArray],
    method: LoadedMethod,
    context: QueryContext,
) -> list[Query]:
    """Return each query with what the method looks at.

    Parameters
    ----------
    embeddings : sequence of ndarray of shape (n_passages, embedding_dim)
        By the method's encoder.
    context : {"title", "description", "passages"}

    Returns
    -------
    list of Query
        With the documents of the hits and, where the method uses them, the embedding of the context
        and, where it may set passages aside, an estimate of which are about the query.
    """
    queries = [
        replace(instance.query, context=context, documents=documents_by_text(instance.passages))
        for instance in instances
    ]
    if not method.card.query_specific:
        return queries
    queries = [
        with_embedding(query, method.encoder, hits)
        for query, hits in zip(queries, embeddings, strict=True)
    ]
    base = base_of(method.encoder)
    if not isinstance(method.clusterer, GatedSubtopics) or not method.clusterer.max_other:
        return queries
    # The estimate reads the question's text, but here the hits stand in for the question.
    if context == "passages":
        return queries
    texts = ([passage.text for passage in instance.passages] for instance in instances)
    return [
        with_relevance(query, base, hits, vectors)
        for query, hits, vectors in zip(queries, texts, embeddings, strict=True)
    ]


def trained_context(method: LoadedMethod) -> QueryContext:
    """Name the query context that a checkpoint was trained with; the title where it was mixed."""
    context = method.checkpoint.config.get("context") if method.checkpoint else None
    if context in ("description", "passages"):
        return context  # type: ignore[no-any-return]
    return "title"


def learn_method_threshold(
    instances: Sequence[ClusteringInstance],
    name: str,
    encoder: Encoder,
    store: CheckpointStore,
) -> float:
    """Learn the threshold at which a method's automatic number of groups is best.

    Returns
    -------
    float
        On the scale of the method's scores.
    """
    method = open_method(name, store, encoder)
    embeddings = embed(instances, method.encoder)
    queries = embed_queries(instances, embeddings, method, trained_context(method))
    pairs = []
    for instance, query, vectors in zip(instances, queries, embeddings, strict=True):
        # Only the scores are wanted, and a given number spares the rule that would choose one.
        method.clusterer.n_clusters = 1
        texts = [passage.text for passage in instance.passages]
        method.clusterer.fit(texts, query=query, embeddings=vectors)
        scores = method.clusterer.scores_
        if scores is None:
            raise BenchmarkError(
                "No threshold can be learnt for {name} here: {too_many_pairs}",
                name=name,
                too_many_pairs=too_many_pairs(len(texts)),
            )
        pairs.append((scores, instance.gold("flat")))
    return learn_threshold(pairs)


def _compare(results: Mapping[str, ClusteringEvaluation]) -> list[dict[str, Any]]:
    """Compare the first method with each other one on the adjusted Rand index, by query.

    Returns
    -------
    list of dict
        Relative gain of the means, paired test (Bonferroni over the list; its p values are None
        where queries are too few for it), bootstrap interval of the difference, and wins, ties
        and losses.
    """
    names = list(results)
    rows = []
    for other in names[1:]:
        mine = results[names[0]].true_k.metrics["ari"]
        theirs = results[other].true_k.metrics["ari"]
        test = paired_test(mine.per_instance, theirs.per_instance, n_comparisons=len(names) - 1)
        interval = bootstrap_interval(mine.per_instance, theirs.per_instance)
        counts = helps_hurts(mine.per_instance, theirs.per_instance)
        rows.append(
            {
                "method": names[0],
                "against": other,
                "metric": "ari",
                "relative_gain": mine.mean / theirs.mean - 1 if theirs.mean > 0 else None,
                **test.to_dict(),
                "interval": [interval.low, interval.high],
                "wins": counts.wins,
                "ties": counts.ties,
                "losses": counts.losses,
            }
        )
    return rows
