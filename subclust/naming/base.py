"""The interface of everything that names groups of passages."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from subclust.exceptions import InputError
from subclust.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    FloatArray,
    IntArray,
    Query,
)


class SubtopicNamer(ABC):
    """Gives each group of passages a name; no two groups of one map get the same."""

    def name(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        embeddings: FloatArray | None = None,
    ) -> dict[int, str]:
        """Name the groups.

        Parameters
        ----------
        query : Query
            Its own words are not used in names.
        passages : sequence of str
            Texts, n_passages of them.
        labels : ndarray of shape (n_passages,)
            Group of each passage; -1 is "other passages" and always named so.
        embeddings : ndarray of shape (n_passages, embedding_dim), optional
            L2-normalised, for namers that compare meanings.

        Returns
        -------
        dict of int to str
            One name for each label that occurs, all different.

        Raises
        ------
        InputError
            If there is not one label, and one embedding where there are any, per passage.
        """
        if len(labels) != len(passages):
            raise InputError(f"{len(passages)} passages but {len(labels)} labels to name.")
        if embeddings is not None and len(embeddings) != len(passages):
            raise InputError(f"{len(passages)} passages but {len(embeddings)} embeddings to name.")
        groups = sorted({int(label) for label in labels} - {OTHER_PASSAGES})
        names = self._name(query, passages, labels, groups, embeddings) if groups else {}
        if (labels == OTHER_PASSAGES).any():
            names[OTHER_PASSAGES] = OTHER_PASSAGES_NAME
        return names

    def knowing(self, passages: Sequence[str], embeddings: FloatArray) -> "SubtopicNamer":
        """Give this namer with the embeddings of passages that it will be asked about.

        For callers who have none at hand, such as those who cut a tree anew.

        Parameters
        ----------
        passages : sequence of str
            Texts, n_passages of them.
        embeddings : ndarray of shape (n_passages, embedding_dim)
        """
        return self

    @abstractmethod
    def _name(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        groups: Sequence[int],
        embeddings: FloatArray | None,
    ) -> dict[int, str]:
        """Name `groups`, of which there is at least one."""
