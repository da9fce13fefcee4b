"""The objective part of this room's recipes, and COB's losses (sections 3.3 and 3.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from subclust.core.exceptions import TrainingError
from subclust.training.queries import QueryObjective
from subclust.training.recipe import check_least


@dataclass(frozen=True)
class ClusteringObjective(QueryObjective):
    """COB: the groups found against the true ones, and a regulariser (sections 3.3 and 3.4).

    Parameters
    ----------
    head_rate, validation_queries
        As for `QueryObjective`.
    loss : {"rand", "adjusted-rand", "purity"}
        What the groups are judged by; the paper's is the Rand index.
    interpolation : float
        Lambda, above 0. The default is the paper's for 20 Newsgroups (table 3).
    regularisation : float
        r, at least 0; the same.
    clusterer : {"average-link", "k-means"}
        That groups in training; the paper's is average link.
    noise : float
        Standard deviation of what is added to each distance before it is clustered, at least 0.
        Not in the paper, which has none: see `ClusteringLearner`.
    samples : int
        How often each set is clustered with other noise, at least 1.
    """

    loss: Literal["rand", "adjusted-rand", "purity"] = "rand"
    interpolation: float = 90.0
    regularisation: float = 1.0
    clusterer: Literal["average-link", "k-means"] = "average-link"
    noise: float = 0.0
    samples: int = 1

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        super().__post_init__()
        if self.interpolation <= 0:
            raise TrainingError(
                "interpolation must be above 0, but is {interpolation}.",
                interpolation=self.interpolation,
            )
        check_least(self, regularisation=0, noise=0, samples=1)


@dataclass(frozen=True)
class TripletObjective(QueryObjective):
    """SBERT Triplet: the baseline that the paper trains on the same sets (section 4.2).

    Parameters
    ----------
    head_rate, validation_queries
        As for `QueryObjective`.
    triplets : {"all", "sampled", "whole-set"}
        All triplets of the sets, each an example of its own, as in the paper; so many of each set
        (`triplets_per_query`), drawn again each epoch; or all triplets of a set at once, from one
        encoding of its passages, which the paper does not do and which costs what COB costs.
    triplets_per_query : int
        At least 1.
    margin : float
        Epsilon, above 0, on the scale of the distances of vectors of length 1.
    """

    triplets: Literal["all", "sampled", "whole-set"] = "all"
    triplets_per_query: int = 64
    margin: float = 0.5

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        super().__post_init__()
        check_least(self, triplets_per_query=1)
        if self.margin <= 0:
            raise TrainingError("margin must be above 0, but is {margin}.", margin=self.margin)


def rand_loss(found: Tensor, true: Tensor) -> Tensor:
    r"""Count the ordered pairs on which two groupings disagree (section 3.3).

    .. math:: L = \sum_{ij} |A_{ij} - T_{ij}|, \qquad RI = 1 - \frac{L}{2\binom{n}{2}}

    Parameters
    ----------
    found, true : Tensor of shape (n_passages, n_passages)
        Adjacency matrices A and T: 1 where two passages share a group, 0 elsewhere.

    Returns
    -------
    Tensor
        Scalar, 0 to n (n - 1); lower is better.
    """
    return (found - true).abs().sum()


def adjusted_rand_loss(found: Tensor, true: Tensor) -> Tensor:
    r"""Compute 1 - ARI of two groupings, times the number of ordered pairs; not in the paper.

    With :math:`a` pairs together in both, :math:`b` in A alone, :math:`c` in T alone and :math:`d`
    in neither (Hubert and Arabie 1985):

    .. math:: ARI = \frac{2(ad - bc)}{(a + b)(b + d) + (a + c)(c + d)}

    Parameters
    ----------
    found, true : Tensor of shape (n_passages, n_passages)
        As for `rand_loss`.

    Returns
    -------
    Tensor
        Scalar, 0 to about n (n - 1), more where a grouping is worse than chance; lower is better.
        Its scale is that of `rand_loss`, so that one lambda suits both.
    """
    n_passages = len(found)
    off = 1 - torch.eye(n_passages, dtype=found.dtype, device=found.device)
    together, apart = true * off, (1 - true) * off
    a, b = (found * together).sum(), (found * apart).sum()
    c, d = together.sum() - a, apart.sum() - b
    down = (a + b) * (b + d) + (a + c) * (c + d)
    index = 2 * (a * d - b * c) / torch.where(down == 0, torch.ones_like(down), down)
    # Where both have one group, or none has two passages, they agree.
    index = torch.where(down == 0, index + 1, index)
    return n_passages * (n_passages - 1) * (1 - index)


def purity_loss(found: Tensor, true: Tensor) -> Tensor:
    r"""Compute 1 - purity of the groups, times the number of ordered pairs (section 3.1).

    .. math::
        \mathrm{purity} = \frac{1}{n} \sum_i \max_j \frac{(A T)_{ij}}{\sum_l A_{il}}

    since :math:`(AT)_{ij}` counts the passages of i's group that belong with j, and each group
    counts as often as it has passages.

    Parameters
    ----------
    found, true : Tensor of shape (n_passages, n_passages)
        As for `rand_loss`.

    Returns
    -------
    Tensor
        Scalar, 0 to n (n - 1); lower is better. Its scale is that of `rand_loss`.
    """
    n_passages = len(found)
    shares = (found @ true) / found.sum(dim=1, keepdim=True)
    return n_passages * (n_passages - 1) * (1 - shares.max(dim=1).values.mean())


def regulariser(distances: Tensor, true: Tensor) -> Tensor:
    r"""Compute mean distance within the true groups minus that between them (section 3.4).

    .. math::
        \frac{\sum_{ij} D_{ij} T_{ij}}{\sum_{ij} T_{ij}}
        - \frac{\sum_{ij} D_{ij} (1 - T_{ij})}{\sum_{ij} (1 - T_{ij})}

    Parameters
    ----------
    distances : Tensor of shape (n_passages, n_passages)
    true : Tensor of shape (n_passages, n_passages)
        As for `rand_loss`, with 1 on the diagonal.

    Returns
    -------
    Tensor
        Scalar on the scale of the distances; lower is better.
    """
    within = (distances * true).sum() / true.sum().clamp(min=1)
    # A set with a single true group has no pair between groups; this avoids 0 over 0.
    between = (distances * (1 - true)).sum() / (1 - true).sum().clamp(min=1)
    return within - between


CLUSTERING_LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "rand": rand_loss,
    "adjusted-rand": adjusted_rand_loss,
    "purity": purity_loss,
}
"""By their names in a recipe."""
