"""How well passages fit the groups that somebody has put them into."""

from collections.abc import Mapping

import numpy as np

from subclust.core.records import OTHER_PASSAGES
from subclust.grouping.clustering.base import MAX_PAIRWISE
from subclust.grouping.clustering.strength import passage_strengths
from subclust.grouping.similarity.cosine import CosineSimilarity
from subclust.labelled.corrections import Measure
from subclust.ui.explore.search import Answer


def measure_of(found: Answer) -> Measure | None:
    """Return what measures strengths on the scores that the answer's groups rest on.

    Where the method has no scores of pairs, they are cosines; of more passages than pairs can be
    scored of there is no measure.
    """
    passages = found.ranking.passages
    if len(passages) > MAX_PAIRWISE:
        return None
    rows = {passage.id: row for row, passage in enumerate(passages)}

    def measure(where: Mapping[str, int]) -> Mapping[str, float]:
        inside = [one for one, group in where.items() if group != OTHER_PASSAGES]
        if not inside:
            return {}
        embeddings, query = found.pipeline.encode(found.ranking, found.subtopics.query)
        similarity = getattr(found.pipeline.method.clusterer, "similarity", CosineSimilarity())
        scores = similarity.score_matrix(query, [one.text for one in passages], embeddings)
        place = np.array([rows[one] for one in inside])
        labels = np.array([where[one] for one in inside], dtype=np.int64)
        strengths = passage_strengths(scores[np.ix_(place, place)], labels)
        return dict(zip(inside, map(float, strengths), strict=True))

    return measure
