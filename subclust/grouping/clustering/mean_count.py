"""The same number of groups for every query."""

import math

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray
from subclust.grouping.clustering.average_link import Tree
from subclust.grouping.clustering.cluster_count import ClusterCount


class MeanCount(ClusterCount):
    """The number of groups that queries with known subtopics have on average.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), section 4.2.

    Parameters
    ----------
    mean : float
        At least 1; the nearest whole number of groups is taken, or one group a passage where there
        are fewer passages.
    """

    name = "mean"

    def __init__(self, mean: float) -> None:
        self.mean = mean

    def _check(self) -> None:
        if not math.isfinite(self.mean) or self.mean < 1:
            raise InputError(
                "The mean number of groups must be at least 1, but is {mean!r}.", mean=self.mean
            )

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        return math.floor(self.mean + 0.5)
