"""The interface of everything that names groups of passages."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from subclust.exceptions import InputError
from subclust.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, IntArray, Query


class SubtopicNamer(ABC):
    """Gives each group of passages a name; no two groups of one map get the same."""

    def name(self, query: Query, passages: Sequence[str], labels: IntArray) -> dict[int, str]:
        """Name the groups.

        Parameters
        ----------
        query : Query
            Its own words are not used in names.
        passages : sequence of str
            Texts, n_passages of them.
        labels : ndarray of shape (n_passages,)
            Group of each passage; -1 is "other passages" and always named so.

        Returns
        -------
        dict of int to str
            One name for each label that occurs, all different.

        Raises
        ------
        InputError
            If there is not one label per passage.
        """
        if len(labels) != len(passages):
            raise InputError(f"{len(passages)} passages but {len(labels)} labels to name.")
        groups = sorted({int(label) for label in labels} - {OTHER_PASSAGES})
        names = self._name(query, passages, labels, groups) if groups else {}
        if (labels == OTHER_PASSAGES).any():
            names[OTHER_PASSAGES] = OTHER_PASSAGES_NAME
        return names

    @abstractmethod
    def _name(
        self, query: Query, passages: Sequence[str], labels: IntArray, groups: Sequence[int]
    ) -> dict[int, str]:
        """Name `groups`, of which there is at least one."""
