"""What is chosen on the validation queries after training, and the scores that go into the card."""

from collections.abc import Sequence

import numpy as np

from subclust.clustering.threshold_count import learn_threshold
from subclust.encoders import Encoder
from subclust.records import ClusteringInstance, FloatArray
from subclust.training.query_learner import Prepared, QueryLearner


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
    learner: QueryLearner, validation: Sequence[Prepared]
) -> tuple[dict[str, float], dict[str, float]]:
    """Choose on the validation queries what is not trained, and score the whole there.

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
        {"threshold": learn_threshold(zip(scores, gold, strict=True))},
        {
            "validation_ari": _mean_ari(learner, scores, gold),
            "validation_queries": float(len(validation)),
        },
    )


def judge_ari(learner: QueryLearner, validation: Sequence[Prepared]) -> float:
    """Average the adjusted Rand index at the true number of groups."""
    return _mean_ari(learner, *_scored(learner, validation))


def _scored(
    learner: QueryLearner, validation: Sequence[Prepared]
) -> tuple[list[FloatArray], list[list[str]]]:
    objective = learner.objective
    context = "title" if objective.context == "mixed" else objective.context
    return (
        [learner.score_matrix(query, context) for query in validation],
        [query.instance.gold(objective.granularity) for query in validation],
    )


def _mean_ari(
    learner: QueryLearner, scores: Sequence[FloatArray], gold: Sequence[Sequence[str]]
) -> float:
    return float(np.mean([learner.ari(s, g) for s, g in zip(scores, gold, strict=True)]))
