"""Triplet loss over all triplets of a set of passages."""

import torch
from torch import Tensor


def triplet_loss(distances: Tensor, same: Tensor, margin: float) -> Tensor:
    r"""Average the triplet loss over all triplets of a set.

    .. math::
        L = \frac{1}{|\mathcal{T}|} \sum_{(a, p, n) \in \mathcal{T}}
        \max(0, d_{ap} - d_{an} + \varepsilon)

    over all ordered triplets of an anchor, another passage of its subtopic and one of another.

    Source: Dor et al., ACL 2018; Kashyapi and Dietz, Learn the Big Picture, section 4.2. Memory
    grows with the square of the set for each anchor's subtopic: at most n_passages ** 3 numbers.

    Parameters
    ----------
    distances : Tensor of shape (n_passages, n_passages)
        At least 0; higher is farther.
    same : Tensor of shape (n_passages, n_passages)
        Boolean; whether two passages are of one subtopic. The diagonal is not read.
    margin : float
        By which the other passage should be farther, on the scale of the distances.

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better. 0 where there is no triplet.
    """
    itself = torch.eye(len(distances), dtype=torch.bool, device=distances.device)
    anchors, positives = torch.nonzero(same & ~itself, as_tuple=True)
    # One row a pair of anchor and positive; what is no negative of the anchor costs nothing.
    gaps = distances[anchors, positives][:, None] - distances[anchors] + margin
    negative = ~(same | itself)[anchors]
    costs = gaps.clamp(min=0) * negative
    return costs.sum() / negative.sum().clamp(min=1)


def count_triplets(same: Tensor) -> int:
    """Count the ordered triplets of a set: anchor, positive, negative.

    Parameters
    ----------
    same : Tensor of shape (n_passages, n_passages)
        As for `triplet_loss`.
    """
    n_same = (same | torch.eye(len(same), dtype=torch.bool, device=same.device)).sum(dim=1)
    return int(((n_same - 1) * (len(same) - n_same)).sum())
