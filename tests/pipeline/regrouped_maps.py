"""Hand-made answers of two questions over the same passages."""

import numpy as np

from subclust.core.records import (
    Grounds,
    Hit,
    MappedPassage,
    Passage,
    Query,
    Regrouping,
    SubtopicMap,
)
from subclust.grouping.clustering.average_link import average_link
from subclust.pipeline.effect import compare_queries
from subclust.pipeline.placing import collect


def grounds_of_points(points, n_auto=3):
    scores = -np.linalg.norm(points[:, None] - points[None], axis=-1).astype(np.float32)
    n = len(points)
    return Grounds(
        ids=tuple(f"p{row}" for row in range(n)),
        scores=scores,
        tree=average_link(scores),
        leaves=np.arange(n),
        leaf_scores=scores,
        aside=np.zeros(n, dtype=bool),
        n_auto=n_auto,
        source="threshold",
    )


def answer_of_points(query, points, labels):
    """Make the answer in which passages lie at points, in given groups."""
    hits = [
        Hit(Passage(f"p{row}", f"Text {row}", title=f"Title {row}"), row + 1, 0.0)
        for row in range(len(points))
    ]
    names = {int(label): f"{query} {label}" for label in sorted(set(labels))}
    return SubtopicMap(
        query=Query(query),
        library="demo",
        method="centred-cosine",
        checkpoint=None,
        seed=0,
        n_clusters=len(names),
        n_clusters_source="threshold",
        subtopics=collect(
            hits, names, np.array(labels), np.full(len(points), 0.5), np.asarray(points[:, :2])
        ),
        grounds=grounds_of_points(points),
    )


def two_questions() -> Regrouping:
    """Give eleven passages of which one goes from the first corner to the second."""
    corners = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 5.0]])
    rng = np.random.default_rng(0)
    labels = [0] * 4 + [1] * 4 + [2] * 3
    points = corners[labels] + rng.normal(scale=0.2, size=(11, 2))
    moved = points.copy()
    moved[0] = corners[1]
    turned = moved @ np.array([[0.0, 1.0], [-1.0, 0.0]]) * 3
    # The same groups under other numbers.
    other = [2] * 4 + [0] * 4 + [1] * 3
    other[0] = 0
    return compare_queries(
        answer_of_points("first", points, labels), answer_of_points("other", turned, other)
    )


def member_of(subtopics: SubtopicMap, passage: str) -> MappedPassage:
    return next(m for g in subtopics.subtopics for m in g.passages if m.passage.id == passage)
