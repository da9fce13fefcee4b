"""COB's side of the training loop (figure 1)."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.methods.cob.blackbox import cluster
from subclust.methods.cob.losses import CLUSTERING_LOSSES, regulariser
from subclust.methods.cob.objective import ClusteringObjective
from subclust.methods.cob.solvers import AverageLink, ByClusterer, Solver
from subclust.training.query_learner import Drawn, QueryLearner
from subclust.training.query_objective import Granularity


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
            [moved(d, self.objective.noise) for d in distances for _ in range(n_samples)],
            [count for _, count in truths for _ in range(n_samples)],
            make_solver(self.objective),
            self.objective.interpolation,
        )
        judge = CLUSTERING_LOSSES[self.objective.loss]
        losses = []
        for number, (distance, (true, _)) in enumerate(zip(distances, truths, strict=True)):
            groupings = found[number * n_samples : (number + 1) * n_samples]
            wrong = torch.stack([judge(groups, true) for groups in groupings]).mean()
            losses.append(wrong + r * regulariser(distance, true))
        return losses


def moved(distances: Tensor, noise: float) -> Tensor:
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
