"""How long the comparison of a trained model with others takes."""

import time
from collections.abc import Sequence

from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.clustering.base import MAX_PAIRWISE
from subclust.judging.bench import embed
from subclust.judging.rivals import BASELINE
from subclust.methods import load_method
from subclust.text.encoders import Encoder
from subclust.training.estimates.trial import StandIn, not_encoded, time_encoder

_JUDGED = 4
"""Methods that group the held-out queries: the new model, what it started from, what is in use and
what learns nothing."""


def judging_seconds(
    judged: Sequence[ClusteringInstance],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    tuned: bool = False,
) -> float:
    """Reckon how long the comparison of a trained model with others will take.

    The largest query is grouped by the method that learns nothing, over vectors by chance, so that
    this process takes the memory of the comparison too.

    Parameters
    ----------
    judged : sequence of ClusteringInstance
        The queries that are compared on.
    encoder : Encoder
        Over which is trained.
    store : CheckpointStore
    tuned : bool
        Whether the model has vectors of its own, so that texts are encoded again.
    """
    if not judged:
        return 0.0
    texts = dict.fromkeys(
        text for one in judged for text in (one.query.text, *(p.text for p in one.passages))
    )
    missing = [*texts, *texts] if tuned else not_encoded(texts, encoder)
    method = load_method(BASELINE, store, StandIn(encoder))
    evaluator = ClusteringEvaluator("flat", metrics=("ari", "ami"))
    by_size = sorted(judged, key=lambda one: len(one.passages))
    per_query = 0.0
    for one in (by_size[0], by_size[-1]):  # what is loaded once is not counted for each
        started = time.perf_counter()
        evaluator.evaluate(
            method.clusterer,
            [one],
            embeddings=embed([one], method.encoder),
            automatic=len(one.passages) <= MAX_PAIRWISE,
        )
        per_query = time.perf_counter() - started
    return _JUDGED * len(judged) * per_query + len(missing) * time_encoder(missing, encoder)
