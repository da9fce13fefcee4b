"""Of what kind groups are that hold together so well, or come back so surely."""

import argparse
import copy
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.stats import hypergeom

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import OTHER_PASSAGES, ClusteringInstance, IntArray, Query
from subclust.core.settings import Settings
from subclust.explanation.stability import clusterwise_stability
from subclust.grouping.clustering.agglomerative import PrecomputedScores
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.judging.bench import embed, embed_queries, open_method, trained_context
from subclust.judging.tasks import load_task
from subclust.pipeline.assemble import MAX_OTHER
from subclust.text.encoders import Encoder, load_encoder

FIT_BINS = (-1.0, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 1.0)
STABILITY_BINS = (0.0, 0.5, 0.6, 0.75, 0.85, 0.95, 1.0)
"""Ends of the intervals, of which only the last holds its upper end."""

SHARES: Mapping[str, float] = {"tight": 2 / 3, "fairly tight": 1 / 2}
"""How many of the groups that are as tight mostly share a heading, at the least."""

LOOSE = "loose"
"""The word for all others."""

_STEPS = 100


@dataclass(frozen=True)
class Group:
    """A group that a method made of labelled passages.

    Parameters
    ----------
    size : int
        At least 2.
    fit : float
        Mean strength of its passages, -1 to 1.
    stability : float or None
        0 to 1; None where it was too small to try.
    shares : bool
        Whether more than half of its passages have one gold heading.
    by_chance : float
        How probable that is for as many passages drawn from the query's, 0 to 1.
    """

    size: int
    fit: float
    stability: float | None
    shares: bool
    by_chance: float


def labelled_groups(
    instances: Sequence[ClusteringInstance],
    method: str,
    encoder: Encoder,
    store: CheckpointStore,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> list[Group]:
    """Group each query as the app does and compare the groups with the gold headings.

    Parameters
    ----------
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in queries.

    Returns
    -------
    list of Group
        "Other passages" and single passages are left out.
    """
    opened = open_method(method, store, encoder)
    vectors = embed(instances, opened.encoder, method)
    queries = embed_queries(instances, vectors, opened, trained_context(opened))
    found: list[Group] = []
    for done, (one, query, embeddings) in enumerate(
        zip(instances, queries, vectors, strict=True), start=1
    ):
        clusterer = copy.copy(opened.clusterer)
        clusterer.n_clusters, clusterer.max_other = "auto", MAX_OTHER
        texts = [passage.text for passage in one.passages]
        clusterer.fit(texts, query=query, embeddings=embeddings)
        found += _groups(clusterer, texts, query, one.gold())
        if progress is not None:
            progress(done, len(instances))
    return found


def _groups(
    clusterer: SubtopicClusterer, texts: Sequence[str], query: Query, gold: Sequence[str]
) -> list[Group]:
    labels, strengths = clusterer.labels_, clusterer.strengths_
    stability = _stability(clusterer, texts, query)
    found = []
    for number in sorted(set(labels.tolist()) - {OTHER_PASSAGES}):
        rows = np.flatnonzero(labels == number)
        if len(rows) < 2:
            continue
        most = max(Counter(gold[int(row)] for row in rows).values())
        found.append(
            Group(
                size=len(rows),
                fit=float(strengths[rows].mean()),
                stability=stability.get(number),
                shares=2 * most > len(rows),
                by_chance=_by_chance(gold, len(rows)),
            )
        )
    return found


def _stability(
    clusterer: SubtopicClusterer, texts: Sequence[str], query: Query
) -> Mapping[int, float]:
    """Try how surely the groups come back, as `Explainer.stability` does."""
    if clusterer.scores_ is None or not hasattr(clusterer, "similarity"):
        raise BenchmarkError("The method compares no pairs, so its groups cannot be tried anew.")
    again: Any = copy.copy(clusterer)
    again.n_clusters, again.max_other = clusterer.n_clusters_, 0.0
    again.similarity = PrecomputedScores(clusterer.scores_)
    places = PrecomputedScores.positions(np.arange(len(texts)))

    def recluster(subset: IntArray) -> IntArray:
        some = [texts[int(row)] for row in subset]
        labels: IntArray = again.fit(some, query=query, embeddings=places[subset]).labels_
        return labels

    return clusterwise_stability(clusterer.labels_, recluster)


def _by_chance(gold: Sequence[str], size: int) -> float:
    """Compute how probable it is that more than half of some passages share a heading."""
    # At most one heading can have more than half, so the probabilities add up.
    return float(sum(hypergeom.sf(size // 2, len(gold), n, size) for n in Counter(gold).values()))


def choose_limits(groups: Sequence[Group]) -> dict[str, float]:
    """Choose from which mean fit on a group may be called by each word.

    The share of groups that mostly share a heading is smoothed so that it never falls while the fit
    rises (isotonic regression).

    Returns
    -------
    dict of str to float
        By the words of `SHARES`, the lowest hundredth from 0 on at which the smoothed share is that
        of the word; 1 where it never is.
    """
    # Imported here, since scikit-learn's part for it takes a moment and only this needs it.
    from sklearn.isotonic import IsotonicRegression

    smoothed = IsotonicRegression(out_of_bounds="clip").fit(
        [one.fit for one in groups], [float(one.shares) for one in groups]
    )
    fits = np.arange(_STEPS) / _STEPS
    shares = smoothed.predict(fits)
    return {
        word: float(fits[np.argmax(shares >= wanted)]) if (shares >= wanted).any() else 1.0
        for word, wanted in SHARES.items()
    }


def summed_up(groups: Sequence[Group], limits: Mapping[str, float]) -> dict[str, Any]:
    """Count how many groups mostly share a heading: by word, by fit and by stability.

    Parameters
    ----------
    limits : mapping of str to float
        Of `choose_limits`.

    Returns
    -------
    dict
        ``words``, ``fit`` and ``stability``: rows of ``n_groups``, ``share`` and what ``by_chance``
        would be, both 0 to 1.
    """
    words: dict[str, Any] = {}
    below = float("inf")
    for word, limit in (*limits.items(), (LOOSE, float("-inf"))):
        words[word] = _row([one for one in groups if limit <= one.fit < below])
        below = limit
    return {
        "n_groups": len(groups),
        "words": words,
        "fit": _binned(groups, [one.fit for one in groups], FIT_BINS),
        "stability": _binned(groups, [one.stability for one in groups], STABILITY_BINS),
    }


def _binned(
    groups: Sequence[Group], values: Sequence[float | None], ends: Sequence[float]
) -> list[dict[str, Any]]:
    rows = []
    for low, high in pairwise(ends):
        inside = [
            group
            for group, value in zip(groups, values, strict=True)
            if value is not None and (low <= value < high or value == high == ends[-1])
        ]
        rows.append({"from": low, "to": high, **_row(inside)})
    return rows


def _row(groups: Sequence[Group]) -> dict[str, Any]:
    if not groups:
        return {"n_groups": 0, "share": None, "by_chance": None}
    return {
        "n_groups": len(groups),
        "share": round(float(np.mean([one.shares for one in groups])), 4),
        "by_chance": round(float(np.mean([one.by_chance for one in groups])), 4),
    }


VALIDATION = "wiki2014_validation"
TESTS = ("wiki2021_test", "trec_car_a", "demo")


def add_quality(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``quality``."""
    parser.add_argument("--method", default="default", metavar="NAME")
    add_output(parser)


def run_quality(arguments: argparse.Namespace, settings: Settings) -> None:
    """Choose the limits of the words on validation queries and report them on the others."""
    started = time.monotonic()
    encoder, store = load_encoder(settings), CheckpointStore.of(settings)
    groups = {}
    for task in (VALIDATION, *TESTS):
        name, instances = load_task(task, settings)
        told = progress_bar(f"Grouping {name}")
        groups[name] = labelled_groups(instances, arguments.method, encoder, store, progress=told)
    opened = open_method(arguments.method, store, encoder)
    limits = choose_limits(groups[VALIDATION])
    result: dict[str, Any] = {
        "method": opened.card.name,
        "checkpoint": opened.checkpoint.name if opened.checkpoint else None,
        "limits": limits,
        "recipe": {"shares": dict(SHARES), "max_other": MAX_OTHER, "smallest_group": 2},
        "validation": {VALIDATION: summed_up(groups[VALIDATION], limits)},
        "test": {name: summed_up(groups[name], limits) for name in TESTS},
        "story": story(encoder, settings.resolve_device())
        | {"seconds": round(time.monotonic() - started, 1)},
    }
    if output(arguments, RESULTS_DIR / "quality" / f"{opened.card.name}.json", result):
        return
    print(f"{opened.card.name}: " + ", ".join(f"{w} from {v:.2f}" for w, v in limits.items()))
    for name, told_of in {**result["validation"], **result["test"]}.items():
        rows = [
            f"{word} {row['share']:.1%} of {row['n_groups']}"
            for word, row in told_of["words"].items()
            if row["n_groups"]
        ]
        print(f"  {name:20} {'; '.join(rows)}")
