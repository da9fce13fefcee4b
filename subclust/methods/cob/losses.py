"""What is minimised: how far the groups found are from the true ones (sections 3.2 to 3.4)."""

from collections.abc import Callable

import torch
from torch import Tensor


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
    r"""Give 1 - ARI of two groupings, times the number of ordered pairs; not in the paper.

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
    r"""Give 1 - purity of the groups found, times the number of ordered pairs (section 3.1).

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
    r"""Give mean distance within the true groups minus mean distance between them (section 3.4).

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
    between = (distances * (1 - true)).sum() / (1 - true).sum().clamp(min=1)
    return within - between


CLUSTERING_LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "rand": rand_loss,
    "adjusted-rand": adjusted_rand_loss,
    "purity": purity_loss,
}
"""By their names in a recipe."""
