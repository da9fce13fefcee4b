"""COB and its triplet baseline in the training loop (figure 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.methods.cob.blackbox import AverageLink, ByClusterer, Solver, cluster
from subclust.methods.cob.objective import (
    CLUSTERING_LOSSES,
    ClusteringObjective,
    TripletObjective,
    regulariser,
)
from subclust.training.losses import triplet_loss
from subclust.training.queries import Drawn, Granularity, Prepared, QueryLearner


class ClusteringLearner(QueryLearner):
    """Trains a network by the groups that come of its distances.

    With ``noise`` the distances are moved at random before they are clustered, several times, and
    the losses averaged, as in Berthet et al., "Learning with differentiable perturbed optimizers",
    NeurIPS 2020. The paper has no noise. A pair then counts by how often it is put wrong: one that
    is hardly right still teaches something, and one that is put wrong only because a chain of
    others is teaches less. That gives the margin for which the paper has its regulariser.

    Parameters
    ----------
    head, training, validation, objective, arguments, encoder, device
        As for `QueryLearner`, with a `ClusteringObjective`. The head also has `highest_score`, from
        which its scores are counted as distances.
    """

    objective: ClusteringObjective

    def query_losses(
        self, batch: Sequence[Drawn], vectors: Sequence[tuple[Tensor, Tensor]]
    ) -> list[Tensor]:
        """Compute L + r times the regulariser of each query (section 3.4), clustered together."""
        truths = [true_groups(drawn, self.objective.granularity, self.device) for drawn in batch]
        distances = [
            distances_of(self, drawn, query, passages)
            for drawn, (query, passages) in zip(batch, vectors, strict=True)
        ]
        n_samples, r = self.objective.samples, self.objective.regularisation
        found = cluster(
            [_moved(d, self.objective.noise) for d in distances for _ in range(n_samples)],
            [count for _, count in truths for _ in range(n_samples)],
            _make_solver(self.objective),
            self.objective.interpolation,
        )
        judge = CLUSTERING_LOSSES[self.objective.loss]
        losses = []
        for number, (distance, (true, _)) in enumerate(zip(distances, truths, strict=True)):
            groupings = found[number * n_samples : (number + 1) * n_samples]
            wrong = torch.stack([judge(groups, true) for groups in groupings]).mean()
            losses.append(wrong + r * regulariser(distance, true))
        return losses


def _moved(distances: Tensor, noise: float) -> Tensor:
    """Add normal noise to distances, the same in both directions of a pair; never below 0.

    Parameters
    ----------
    distances : Tensor of shape (n_passages, n_passages)
    noise : float
        Standard deviation, at least 0.
    """
    if not noise:
        return distances
    drawn = torch.randn_like(distances).triu(1)
    return (distances + noise * (drawn + drawn.T)).clamp(min=0)


def _make_solver(objective: ClusteringObjective) -> Solver:
    """Make the clustering algorithm that an objective names."""
    if objective.clusterer == "k-means":
        return ByClusterer(KMeansSubtopics())
    return AverageLink()


def distances_of(learner: QueryLearner, drawn: Drawn, query: Tensor, passages: Tensor) -> Tensor:
    """Turn a network's scores into distances: how far each is below the highest score.

    Returns
    -------
    Tensor of shape (n_passages, n_passages)
        At least 0, and 0 on the diagonal; higher is farther.
    """
    scores = learner.scores(drawn, query, passages)
    highest: Tensor = learner.head.highest_score  # type: ignore[assignment]
    itself = torch.eye(len(scores), device=scores.device, dtype=torch.bool)
    distances: Tensor = (highest - scores).clamp(min=0).masked_fill(itself, 0.0)
    return distances


def true_groups(drawn: Drawn, granularity: Granularity, device: str) -> tuple[Tensor, int]:
    """Return the true adjacency matrix of the drawn passages, and their number of groups.

    Returns
    -------
    Tensor of shape (n_passages, n_passages)
        Float32; 1 where two passages belong together, 0 elsewhere; 1 on the diagonal.
    int
    """
    gold = np.array(drawn.query.instance.gold(granularity), dtype=object)[drawn.rows]
    names, numbers = np.unique(gold, return_inverse=True)
    same = numbers[:, None] == numbers[None, :]
    return torch.as_tensor(same, dtype=torch.float32, device=device), len(names)


@dataclass(frozen=True)
class _Triplets:
    """Examples of a batch.

    Parameters
    ----------
    rows : ndarray of shape (n_triplets, 4)
        Query, anchor, positive and negative, by position.
    """

    rows: IntArray


class TripletLearner(QueryLearner):
    """Trains a network to put an anchor nearer to a passage of its subtopic than to another.

    Parameters
    ----------
    head, training, validation, objective, arguments, encoder, device
        As for `QueryLearner`, with a `TripletObjective` and a head that is an `EmbeddingSpace`.
        Where each triplet is an example, a step takes ``batch_passages // 3`` of them; the head
        must then not be centred, since a triplet does not know the mean of its set.
    """

    objective: TripletObjective

    def batches(self, generator: np.random.Generator) -> Sequence[Any]:
        """Draw one epoch: every set once, or the triplets in an order of their own."""
        if self.objective.triplets == "whole-set":
            return super().batches(generator)
        granularity = self.objective.granularity
        numbers = [
            np.unique(query.instance.gold(granularity), return_inverse=True)[1]
            for query in self.training
        ]
        if self.objective.triplets == "all":
            drawn = [_all_triplets(groups) for groups in numbers]
        else:
            n_triplets = self.objective.triplets_per_query
            drawn = [_draw_triplets(groups, n_triplets, generator) for groups in numbers]
        queries = np.repeat(np.arange(len(drawn)), [len(rows) for rows in drawn])
        rows = np.column_stack([queries, np.concatenate(drawn)]) if drawn else np.empty((0, 4))
        return _Batches(generator.permutation(rows), max(1, self.arguments.batch_passages // 3))

    def loss(self, batch: Any) -> Tensor:
        """Average the losses of a batch's triplets."""
        if not isinstance(batch, _Triplets):
            return super().loss(batch)
        moved: Tensor = self.head.space(None, self._three(batch.rows))  # type: ignore[operator]
        anchor, positive, negative = moved.chunk(3)
        loss: Tensor = nn.functional.triplet_margin_loss(
            anchor, positive, negative, margin=self.objective.margin
        )
        return loss

    def query_losses(
        self, batch: Sequence[Drawn], vectors: Sequence[tuple[Tensor, Tensor]]
    ) -> list[Tensor]:
        """Average the losses of all triplets of each set."""
        losses = []
        for drawn, (query, passages) in zip(batch, vectors, strict=True):
            true, _ = true_groups(drawn, self.objective.granularity, self.device)
            distances = distances_of(self, drawn, query, passages)
            losses.append(triplet_loss(distances, true > 0, self.objective.margin))
        return losses

    def _three(self, rows: IntArray) -> Tensor:
        """Return anchors, positives, negatives; each is encoded as often as it occurs."""
        places = [(self.training[row[0]], int(row[at])) for at in (1, 2, 3) for row in rows]
        if self.encoder is not None:
            vectors: Tensor = self.encoder([q.instance.passages[at].text for q, at in places])
            return vectors
        return torch.as_tensor(
            np.stack([_embedding(query, at) for query, at in places]), device=self.device
        )


def _embedding(query: Prepared, at: int) -> FloatArray:
    assert query.passages is not None
    return np.asarray(query.passages[at], dtype=np.float32)


class _Batches(Sequence[_Triplets]):
    """An epoch's triplets, cut into batches when they are asked for."""

    def __init__(self, rows: IntArray, size: int) -> None:
        self.rows, self.size = rows, size

    def __len__(self) -> int:
        return -(-len(self.rows) // self.size)

    @overload
    def __getitem__(self, at: int) -> _Triplets: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[_Triplets]: ...

    def __getitem__(self, at: int | slice) -> _Triplets | Sequence[_Triplets]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        return _Triplets(self.rows[at * self.size : (at + 1) * self.size])


def _all_triplets(groups: IntArray) -> IntArray:
    """List the ordered triplets of a set.

    Parameters
    ----------
    groups : ndarray of shape (n_passages,)
        True group of each passage.

    Returns
    -------
    ndarray of shape (n_triplets, 3)
        Anchor, positive, negative.
    """
    same = groups[:, None] == groups[None, :]
    anchors, positives = np.nonzero(same & ~np.eye(len(groups), dtype=bool))
    pairs, negatives = np.nonzero(~same[anchors])
    return np.column_stack([anchors[pairs], positives[pairs], negatives])


def _draw_triplets(groups: IntArray, n_triplets: int, generator: np.random.Generator) -> IntArray:
    """Draw triplets of a set: an anchor that has both, one of its group, one of another.

    Parameters
    ----------
    groups : ndarray of shape (n_passages,)

    Returns
    -------
    ndarray of shape (n_triplets, 3)
        Empty where there is no triplet.
    """
    same = groups[:, None] == groups[None, :]
    anchors = np.flatnonzero((same.sum(axis=1) > 1) & ~same.all(axis=1))
    if not len(anchors):
        return np.empty((0, 3), dtype=np.int64)
    rows = []
    for anchor in generator.choice(anchors, n_triplets):
        others = np.flatnonzero(same[anchor])
        positive = generator.choice(others[others != anchor])
        rows.append((anchor, positive, generator.choice(np.flatnonzero(~same[anchor]))))
    return np.array(rows, dtype=np.int64)
