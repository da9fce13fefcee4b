"""Hits divided in a way that is known before they are grouped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from subclust.core.records import OTHER_PASSAGES, BoolArray, FloatArray, IntArray, Query
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics, PrecomputedScores
from subclust.grouping.clustering.average_link import Tree
from subclust.grouping.clustering.cluster_count import ClusterCount
from subclust.grouping.naming import SubtopicNamer
from subclust.grouping.naming.base import Asked

Near = Callable[[int, FloatArray], FloatArray]
"""Scores other wordings of a hit with all hits.

It takes the row of the hit and their vectors, shape (n_texts, dim), and returns scores of shape
(n_texts, n_hits)."""


@dataclass(frozen=True)
class Division:
    """Groups of hits with the scores whose average-link tree has them.

    Parameters
    ----------
    labels : ndarray of shape (n_hits,)
        From 0; -1 for hits of which the way does not say where they belong.
    scores : ndarray of shape (n_hits, n_hits)
        Higher is closer.
    names : tuple of str
        Of each group, where the way has them, as the values of a field.
    near : callable, optional
        Where vectors decide; a field asks for no text.
    """

    labels: IntArray
    scores: FloatArray
    names: tuple[str, ...] = ()
    near: Near | None = field(default=None, repr=False, compare=False)

    @property
    def n_groups(self) -> int:
        """Number of groups, hits that belong nowhere not counted."""
        return int(self.labels.max()) + 1

    @property
    def inside(self) -> BoolArray:
        """Which hits belong to a group; shape (n_hits,)."""
        return np.asarray(self.labels != OTHER_PASSAGES)


class DividedSubtopics(AgglomerativeSubtopics):
    """Average link over the scores of a division; with "auto" its own groups.

    In place of embeddings it takes ``PrecomputedScores.positions``.

    Parameters
    ----------
    division : Division
    """

    def __init__(self, division: Division) -> None:
        super().__init__(PrecomputedScores(division.scores), count=GivenCount(division.n_groups))
        self.division = division

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        assert embeddings is not None
        # Hits that belong nowhere are those that the division leaves out, whatever was asked for.
        self.max_other = 0.0
        inside = np.flatnonzero(self.division.inside[embeddings[:, 0].astype(np.int64)])
        labels = np.full(len(passages), OTHER_PASSAGES, dtype=np.int64)
        strengths = np.zeros(len(passages), dtype=np.float32)
        labels[inside], strengths[inside], _ = super()._fit(
            [passages[int(row)] for row in inside], query, embeddings[inside]
        )
        self.leaves_ = inside
        return labels, strengths, self.similarity.score_matrix(query, passages, embeddings)


class GivenCount(ClusterCount):
    """As many groups as a division has."""

    name = "way"

    def __init__(self, n_groups: int) -> None:
        self.n_groups = n_groups

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        return self.n_groups


class ValueNamer(SubtopicNamer):
    """Names a group by the values that its passages have in a field.

    Parameters
    ----------
    values : mapping of str to str
        Of each text; texts without one are named by `other`.
    other : SubtopicNamer
        Names groups that share their value with another, after it.
    """

    def __init__(self, values: Mapping[str, str], other: SubtopicNamer) -> None:
        self.values = values
        self.other = other
        self.vocabulary = other.vocabulary

    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List the values of each group, and with a name of its own where others have them too."""
        told: dict[int, str] = {}
        for group in asked.groups:
            rows = np.flatnonzero(asked.labels == group)
            counts: dict[str, int] = {}
            for row in rows.tolist():
                value = self.values.get(asked.passages[row], "")
                counts[value] = counts.get(value, 0) + 1
            ordered = sorted(filter(None, counts), key=lambda one: (-counts[one], one))
            told[group] = ", ".join(ordered[:3]) + (" …" if len(ordered) > 3 else "")
        shared = [one for one in asked.wanted if list(told.values()).count(told[one]) > 1]
        further = self.other.propose(asked) if shared else {}
        return {
            group: [f"{told[group]}: {one}" for one in further[group]]
            if group in shared
            else [told[group]]
            for group in asked.wanted
        }
