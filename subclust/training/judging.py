"""What is chosen on the validation queries after training, and the scores that go into the card."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from subclust.core.records import ClusteringInstance, FloatArray
from subclust.grouping.clustering.threshold_count import indices_at, learn_threshold
from subclust.text.encoders import Encoder
from subclust.training.query_learner import Prepared, QueryLearner

CERTAINTY = 0.99
"""Of a one-sided paired t test, before a threshold learnt on few queries replaces an earlier one.

It is high because the new one was chosen on the same queries, and looks better there than it is.
"""


def embed_all(instances: Sequence[ClusteringInstance], encoder: Encoder) -> dict[str, FloatArray]:
    """Encode every query, description and passage once.

    Returns
    -------
    dict of str to ndarray of shape (embedding_dim,)
    """
    texts = dict.fromkeys(
        text
        for instance in instances
        for text in (
            instance.query.text,
            instance.query.description or instance.query.text,
            *(passage.text for passage in instance.passages),
        )
    )
    return dict(zip(texts, encoder.encode(list(texts)), strict=True))


def judge(
    learner: QueryLearner, validation: Sequence[Prepared], before: float | None = None
) -> tuple[dict[str, float], dict[str, float]]:
    """Choose on the validation queries what is not trained, and score the whole there.

    Parameters
    ----------
    learner : QueryLearner
        Trained.
    validation : sequence of Prepared
    before : float, optional
        Threshold of the checkpoint that the run started from.

    Returns
    -------
    learnt : dict of str to float
        ``threshold`` for the automatic number of groups, on the scale of the scores.
    scores : dict of str to float
        ``validation_ari`` at the true number of groups, and ``validation_queries``.
    """
    learner.model.eval()
    scores, gold = _scored(learner, validation)
    return (
        {"threshold": choose_threshold(list(zip(scores, gold, strict=True)), before)},
        {
            "validation_ari": _mean_ari(learner, scores, gold),
            "validation_queries": float(len(validation)),
        },
    )


def choose_threshold(
    instances: Sequence[tuple[FloatArray, Sequence[str]]], before: float | None
) -> float:
    """Learn the threshold anew, or keep the one there was unless the new one is clearly better.

    A threshold learnt on six queries fits those six; the one of a checkpoint that is trained
    further was learnt on hundreds. So it goes only where it has come to be wrong, as it does when
    training moves the scale of the scores.

    Parameters
    ----------
    instances : sequence of (scores, gold)
        As for `learn_threshold`.
    before : float or None
        None where there was none.

    Returns
    -------
    float
        On the scale of the scores.

    Raises
    ------
    InputError
        If there was none, and no query has two passages.
    """
    if before is None:
        return learn_threshold(instances)
    earlier = indices_at(instances, before)
    if len(earlier) < 2:
        return before
    learnt = learn_threshold(instances)
    gains = indices_at(instances, learnt) - earlier
    needed = stats.t.ppf(CERTAINTY, len(gains) - 1) * gains.std(ddof=1) / math.sqrt(len(gains))
    return learnt if gains.mean() > needed else before


def judge_ari(learner: QueryLearner, validation: Sequence[Prepared]) -> float:
    """Average the adjusted Rand index at the true number of groups."""
    return _mean_ari(learner, *_scored(learner, validation))


def _scored(
    learner: QueryLearner, validation: Sequence[Prepared]
) -> tuple[list[FloatArray], list[list[str]]]:
    objective = learner.objective
    context = "title" if objective.context == "mixed" else objective.context
    return (
        learner.score_matrices(validation, context),
        [query.instance.gold(objective.granularity) for query in validation],
    )


def _mean_ari(
    learner: QueryLearner, scores: Sequence[FloatArray], gold: Sequence[Sequence[str]]
) -> float:
    return float(np.mean([learner.ari(s, g) for s, g in zip(scores, gold, strict=True)]))
