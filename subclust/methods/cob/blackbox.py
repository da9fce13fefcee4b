"""The differentiable clustering layer (section 2, "Blackbox backpropagation", and section 3.3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from subclust.methods.cob.solvers import Solver


class BlackboxClustering(torch.autograd.Function):
    r"""Distances to adjacency matrices, with the gradient of black-box backpropagation.

    Forward, with the clustering algorithm as it is:

    .. math:: A = \mathrm{cluster}(D, k)

    Backward, one more clustering, of the distances moved by the incoming gradient, never below 0
    (Vlastelica et al., ICLR 2020, algorithm 1):

    .. math::
        D' = \max(D + \lambda \tfrac{dL}{dA}, 0), \quad A' = \mathrm{cluster}(D', k), \quad
        \frac{dL}{dD} := -\frac{1}{\lambda}(A - A')

    A pair that is together in A and apart in A' has a negative gradient, so that descent moves the
    two apart; where the moved distances give the same groups, the gradient is 0. The larger
    :math:`\lambda`, the farther the second clustering looks.

    Called by `cluster`, for several sets at once.
    """

    @staticmethod
    def forward(
        ctx: Any, solver: Solver, counts: Sequence[int], interpolation: float, *distances: Tensor
    ) -> tuple[Tensor, ...]:
        """Cluster each set."""
        adjacencies = _solve(solver, distances, counts)
        ctx.solver, ctx.counts, ctx.interpolation = solver, tuple(counts), interpolation
        ctx.save_for_backward(*distances, *adjacencies)
        return tuple(adjacencies)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Cluster each set once more."""
        saved: tuple[Tensor, ...] = ctx.saved_tensors
        distances, adjacencies = saved[: len(gradients)], saved[len(gradients) :]
        moved = [
            (distance + ctx.interpolation * gradient).clamp(min=0)
            for distance, gradient in zip(distances, gradients, strict=True)
        ]
        others = _solve(ctx.solver, moved, ctx.counts)
        results = [
            -(adjacency - other) / ctx.interpolation
            for adjacency, other in zip(adjacencies, others, strict=True)
        ]
        return None, None, None, *results


def cluster(
    distances: Sequence[Tensor], counts: Sequence[int], solver: Solver, interpolation: float
) -> tuple[Tensor, ...]:
    """Cluster sets of passages, so that a gradient flows back to their distances.

    Parameters
    ----------
    distances : sequence of Tensor of shape (n_passages, n_passages)
        Symmetric, at least 0; higher is farther. The sets may be of different sizes.
    counts : sequence of int
        Number of groups of each set.
    solver : Solver
    interpolation : float
        Lambda of the paper, above 0.

    Returns
    -------
    tuple of Tensor of shape (n_passages, n_passages)
        1 where two passages share a group, 0 elsewhere; 1 on the diagonal.
    """
    result: tuple[Tensor, ...] = BlackboxClustering.apply(  # type: ignore[no-untyped-call]
        solver, counts, interpolation, *distances
    )
    return result


def _solve(solver: Solver, distances: Sequence[Tensor], counts: Sequence[int]) -> list[Tensor]:
    matrices = [np.asarray(d.detach().cpu().numpy(), dtype=np.float64) for d in distances]
    labels = solver.labels(matrices, counts)
    return [
        torch.as_tensor(groups[:, None] == groups[None, :], device=d.device).to(d.dtype)
        for groups, d in zip(labels, distances, strict=True)
    ]
