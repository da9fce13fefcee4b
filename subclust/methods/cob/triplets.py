"""SBERT Triplet, the baseline that learns from three passages at a time (section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import FloatArray, IntArray
from subclust.methods.cob.learner import distances_of, true_groups
from subclust.methods.cob.objective import TripletObjective
from subclust.training.losses.triplet import triplet_loss
from subclust.training.query_learner import Drawn, Prepared, QueryLearner


@dataclass(frozen=True)
class Triplets:
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
            drawn = [all_triplets(groups) for groups in numbers]
        else:
            n_triplets = self.objective.triplets_per_query
            drawn = [draw_triplets(groups, n_triplets, generator) for groups in numbers]
        queries = np.repeat(np.arange(len(drawn)), [len(rows) for rows in drawn])
        rows = np.column_stack([queries, np.concatenate(drawn)]) if drawn else np.empty((0, 4))
        return _Batches(generator.permutation(rows), max(1, self.arguments.batch_passages // 3))

    def loss(self, batch: Any) -> Tensor:
        """Average the losses of a batch's triplets."""
        if not isinstance(batch, Triplets):
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
        """Give anchors, then positives, then negatives; each is encoded as often as it comes."""
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


class _Batches(Sequence[Triplets]):
    """An epoch's triplets, cut into batches when they are asked for."""

    def __init__(self, rows: IntArray, size: int) -> None:
        self.rows, self.size = rows, size

    def __len__(self) -> int:
        return -(-len(self.rows) // self.size)

    @overload
    def __getitem__(self, at: int) -> Triplets: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Triplets]: ...

    def __getitem__(self, at: int | slice) -> Triplets | Sequence[Triplets]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        return Triplets(self.rows[at * self.size : (at + 1) * self.size])


def all_triplets(groups: IntArray) -> IntArray:
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


def draw_triplets(groups: IntArray, n_triplets: int, generator: np.random.Generator) -> IntArray:
    """Draw triplets of a set: an anchor that has both, one of its group, one of another.

    Parameters
    ----------
    groups : ndarray of shape (n_passages,)
    n_triplets : int
    generator : numpy.random.Generator

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
