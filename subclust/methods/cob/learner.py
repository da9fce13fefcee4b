"""COB's side of the training loop (figure 1)."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from subclust.clustering.kmeans import KMeansSubtopics
from subclust.methods.cob.blackbox import cluster
from subclust.methods.cob.losses import CLUSTERING_LOSSES, regulariser
from subclust.methods.cob.objective import ClusteringObjective
from subclust.methods.cob.solvers import AverageLink, ByClusterer, Solver
from subclust.training.query_learner import Drawn, QueryLearner
from subclust.training.query_objective import Granularity


class ClusteringLearner(QueryLearner):
    """Trains a network by the groups that come of its distances.

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
        found = cluster(
            distances,
            [count for _, count in truths],
            make_solver(self.objective),
            self.objective.interpolation,
        )
        judge, r = CLUSTERING_LOSSES[self.objective.loss], self.objective.regularisation
        return [
            judge(groups, true) + r * regulariser(distance, true)
            for groups, (true, _), distance in zip(found, truths, distances, strict=True)
        ]


def make_solver(objective: ClusteringObjective) -> Solver:
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
    """Give the true adjacency matrix of the drawn passages, and their number of groups.

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
