"""The interface of the rules that choose how many groups there are."""

from abc import ABC, abstractmethod

from subclust.core.records import FloatArray
from subclust.grouping.clustering.average_link import Tree, average_link
from subclust.grouping.clustering.base import NumberOfClusters


class ClusterCount(ABC):
    """Chooses the number of groups of one query's passages.

    Attributes
    ----------
    name : str
        For files, and what a clusterer reports as ``n_clusters_source_``.
    """

    name: str

    def choose(self, tree: Tree, scores: FloatArray) -> int:
        """Choose the number of groups.

        Parameters
        ----------
        tree : ndarray of shape (n_passages - 1, 4)
            Average-link tree of `scores`.
        scores : ndarray of shape (n_passages, n_passages)
            Symmetric and finite, on any scale; higher is closer.

        Returns
        -------
        int
            From 1 to n_passages.

        Raises
        ------
        InputError
            If a parameter of the rule cannot be used.
        """
        self._check()
        if len(scores) < 2:
            return 1
        return min(max(self._choose(tree, scores), 1), len(scores))

    def _check(self) -> None:
        """Raise `InputError` if a parameter cannot be used."""
        return

    @abstractmethod
    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        """Choose for at least two passages; `choose` keeps the answer within bounds."""


def decide(
    n_clusters: NumberOfClusters,
    count: ClusterCount,
    scores: FloatArray,
    tree: Tree | None = None,
) -> tuple[int, str]:
    """Take the number that was asked for, or let the rule choose.

    Returns
    -------
    n_clusters : int
        From 1 to n_passages.
    source : str
        ``"user"`` or the name of the rule.
    """
    if n_clusters != "auto":
        return min(int(n_clusters), len(scores)), "user"
    return count.choose(average_link(scores) if tree is None else tree, scores), count.name
