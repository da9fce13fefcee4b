"""The interface of everything that groups the passages of a query into subtopics."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records import (
    OTHER_PASSAGES,
    BoolArray,
    Float64Array,
    FloatArray,
    IntArray,
    NumberOfClusters,
    Query,
)
from subclust.core.records.progress import Progress
from subclust.core.seeds import check_seed, is_whole
from subclust.grouping.clustering.estimator import Estimator

__all__ = ["NumberOfClusters", "SubtopicClusterer"]

MAX_PAIRWISE = 5000
"""Passages whose pairs are all scored at the most; a few matrices of that size take about a
gigabyte, and four times that for twice the passages."""


class ScoresPairs(Protocol):
    """What a clusterer needs of a similarity: all pair scores of a query's passages."""

    def score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None = None
    ) -> FloatArray:
        """Score all pairs; higher is closer; shape (n_passages, n_passages)."""
        ...


@runtime_checkable
class _PreparesScores(Protocol):
    """A similarity whose scores take seconds, most of which can be spent beforehand."""

    def prepare(self, query: Query, passages: Sequence[str], progress: Progress) -> None:
        """Compute what the scores of these passages take, and call back while it goes on."""
        ...


class SubtopicClusterer(Estimator, ABC):
    """Groups the passages of one query. `fit` returns self and may be called again.

    An estimator as scikit-learn's are, with ``get_params`` and ``set_params``, and for its
    ``clone``; what was trained is a parameter, which copies of the estimator share.

    Parameters
    ----------
    n_clusters : int or "auto"
        Exact number of groups (at most one per passage), or chosen from the data.
    max_other : float
        Largest share of passages, 0 to 1, that may go to "other passages" (label -1).
    random_state : int

    Attributes
    ----------
    needs_pairs : bool
        Whether it cannot do without the scores of all pairs; it then refuses more than
        `MAX_PAIRWISE` passages.
    labels_ : ndarray of shape (n_passages,)
        Group of each passage from 0, largest group first, ties by first canonical passage; -1 is
        "other passages".
    strengths_ : ndarray of shape (n_passages,)
        How well each passage fits its group, -1 to 1; higher is better.
    scores_ : ndarray of shape (n_passages, n_passages) or None
        Pair similarities that the grouping rests on; higher is closer. None above `MAX_PAIRWISE`
        passages.
    n_clusters_ : int
        Number of groups found, "other passages" not counted.
    n_clusters_source_ : str
        ``"user"``, or the name of the rule that chose the number.
    tree_ : ndarray of shape (n_leaves - 1, 4) or None
        The average-link tree that the groups are cut from, as scipy writes it, its leaves in
        canonical order; None where the method has none.
    leaves_ : ndarray of shape (n_leaves,)
        Which passage each leaf of the tree is.
    leaf_scores_ : ndarray of shape (n_leaves, n_leaves)
        Pair similarities that the tree was built from.
    aside_ : ndarray of shape (n_leaves,)
        Which leaves fit nowhere when the number of groups is automatic; the same ones are set aside
        whatever the number asked for, unless that would leave too few.
    n_auto_ : int
        The number of groups that is automatic, or the one asked for where nothing may be set aside.
    n_auto_source_ : str
        Name of the rule that chose it.
    """

    needs_pairs: bool = True
    labels_: IntArray
    strengths_: FloatArray
    scores_: FloatArray | None
    n_clusters_: int
    n_clusters_source_: str
    tree_: Float64Array | None = None
    leaves_: IntArray
    leaf_scores_: FloatArray
    aside_: BoolArray
    n_auto_: int
    n_auto_source_: str

    def __init__(
        self,
        n_clusters: NumberOfClusters = "auto",
        *,
        max_other: float = 0.0,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_other = max_other
        self.random_state = random_state

    def fit(
        self,
        passages: Sequence[str],
        y: object = None,
        *,
        query: Query | None = None,
        embeddings: FloatArray | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Group the passages; the order in which they come does not matter.

        Parameters
        ----------
        passages : sequence of str
            Texts, n_passages of them, at least one.
        y : ignored
            For scikit-learn's signature.
        query : Query, optional
            With `embedding` set where the method is query-specific.
        embeddings : ndarray of shape (n_passages, embedding_dim), optional
            Of the encoder that the method was trained over.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` by methods that take seconds.

        Raises
        ------
        InputError
            If there are no passages or too many, or a parameter or an array does not fit.
        """
        query = query or Query("")
        n_passages = len(passages)
        if n_passages == 0:
            raise InputError("There are no passages to group; try a broader question.")
        if self.needs_pairs and n_passages > MAX_PAIRWISE:
            raise InputError(too_many_pairs(n_passages))
        check_n_clusters(self.n_clusters)
        check_seed(self.random_state)
        if not _is_share(self.max_other):
            raise InputError(
                "max_other must be a share between 0 and 1, but is {max_other!r}.",
                max_other=self.max_other,
            )
        if not all(isinstance(passage, str) for passage in passages):
            raise InputError("A clusterer takes the texts of passages; give their 'text'.")
        if not isinstance(query, Query):
            raise InputError("A clusterer takes a Query, not {query!r}.", query=query)
        if embeddings is not None:
            embeddings = np.asarray(embeddings)
            self._check_embeddings(embeddings, n_passages, query)
        order = _canonical_order(passages, embeddings)
        back = np.argsort(order)
        self._forget_tree()
        ordered = [passages[i] for i in order]
        similarity = getattr(self, "similarity", None)
        if progress is not None and isinstance(similarity, _PreparesScores):
            similarity.prepare(query, ordered, progress)
        labels, strengths, scores = self._fit(
            ordered, query, None if embeddings is None else embeddings[order]
        )
        if self.tree_ is not None:
            self.leaves_ = order[self.leaves_]
        self.labels_ = renumber(labels)[back]
        self.strengths_ = np.asarray(strengths, dtype=np.float32)[back]
        self.scores_ = (
            None if scores is None else np.asarray(scores, dtype=np.float32)[np.ix_(back, back)]
        )
        self.n_clusters_ = int(len(set(self.labels_.tolist()) - {OTHER_PASSAGES}))
        return self

    def fit_predict(self, passages: Sequence[str], y: object = None, **options: Any) -> IntArray:
        """Group the passages and return their labels.

        Parameters
        ----------
        passages, y, **options
            As for `fit`.

        Returns
        -------
        ndarray of shape (n_passages,)
        """
        return self.fit(passages, y, **options).labels_

    @property
    def embedding_dim(self) -> int | None:
        """Dimension of the embeddings that the model was trained over; None takes any."""
        for part in ("similarity", "learnt"):
            found: int | None = getattr(getattr(self, part, None), "embedding_dim", None)
            if found is not None:
                return found
        return None

    def _check_embeddings(self, embeddings: FloatArray, n_passages: int, query: Query) -> None:
        if embeddings.ndim != 2 or len(embeddings) != n_passages:
            raise InputError(
                "{n_passages} passages but embeddings of shape {shape}; one row per passage is "
                "needed.",
                n_passages=n_passages,
                shape=embeddings.shape,
            )
        wrong = np.flatnonzero(~np.isfinite(embeddings).all(axis=1))
        if len(wrong):
            raise InputError(
                "The embedding of passage {number} is not all finite numbers; encode it again.",
                number=int(wrong[0]),
            )
        if self.embedding_dim is None:
            return
        width = embeddings.shape[1]
        asked = width if query.embedding is None else len(query.embedding)
        for found, allowed in ((width, self._widths(self.embedding_dim)), (asked, (width,))):
            if found not in allowed:
                raise InputError(
                    "The model was trained over vectors of {expected} dimensions, but got "
                    "vectors of {found}; encode passages and query with the encoder of the "
                    "method, as load_method returns it.",
                    expected=allowed[0],
                    found=found,
                )

    def _widths(self, embedding_dim: int) -> tuple[int, ...]:
        """Return how many columns embeddings may have."""
        return (embedding_dim,)

    def _forget_tree(self) -> None:
        # In a method of its own, because mypy would believe the tree to be None for all of `fit`.
        self.tree_ = None

    @abstractmethod
    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        """Group passages that come in canonical order.

        Sets ``n_clusters_source_``, and where there is a tree ``tree_`` and what goes with it;
        returns labels, strengths and pair scores.
        """


def _is_share(value: object) -> bool:
    return isinstance(value, Real) and 0.0 <= float(value) <= 1.0


def check_n_clusters(n_clusters: NumberOfClusters) -> NumberOfClusters:
    """Return a number of groups as it was given.

    Raises
    ------
    InputError
        If it is neither ``"auto"`` nor a whole number of at least 1.
    """
    if n_clusters != "auto" and not (is_whole(n_clusters) and n_clusters >= 1):
        raise InputError(
            "The number of groups must be 'auto' or a whole number of at least 1, but is "
            "{count!r}.",
            count=n_clusters,
        )
    return n_clusters


def too_many_pairs(n_passages: int) -> str:
    """Return why a method that compares all pairs refuses so many passages."""
    return Message(
        "{n_passages:,} passages are too many for a method that compares all pairs, which "
        "takes at most {max_pairwise:,}; choose one that does not, such as kmeans, with a "
        "given number of groups, or fewer passages.",
        n_passages=n_passages,
        max_pairwise=MAX_PAIRWISE,
    )


def check_scores(scores: FloatArray, n_passages: int) -> FloatArray:
    """Reject a score matrix that nothing can be grouped by.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        `scores` as float32.

    Raises
    ------
    InputError
        If the shape is wrong or a score is not finite.
    """
    scores = np.asarray(scores, dtype=np.float32)
    if scores.shape != (n_passages, n_passages):
        raise InputError(
            "{n_passages} passages but pair scores of shape {shape}; ({n_passages}, {n_passages}) "
            "is needed.",
            n_passages=n_passages,
            shape=scores.shape,
        )
    if not np.isfinite(scores).all():
        raise InputError(
            "Some pair scores are not finite numbers; the embeddings or the trained model "
            "are damaged."
        )
    return scores


def _canonical_order(passages: Sequence[str], embeddings: FloatArray | None) -> IntArray:
    """Sort passages by content, so that the order in which they came cannot matter."""
    if embeddings is None:
        keys = [(text, b"") for text in passages]
    else:
        keys = [(text, row.tobytes()) for text, row in zip(passages, embeddings, strict=True)]
    return np.asarray(sorted(range(len(passages)), key=keys.__getitem__), dtype=np.int64)


def renumber(labels: IntArray) -> IntArray:
    """Renumber groups from 0, largest first, ties by first member; -1 stays.

    Returns
    -------
    ndarray of shape (n_passages,)
    """
    labels = np.asarray(labels, dtype=np.int64)
    groups, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    keep = groups != OTHER_PASSAGES
    groups, first, sizes = groups[keep], first[keep], sizes[keep]
    result = np.full(len(labels), OTHER_PASSAGES, dtype=np.int64)
    for new, position in enumerate(np.lexsort((first, -sizes))):
        result[labels == groups[position]] = new
    return result
