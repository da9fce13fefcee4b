"""Triplet loss over all triplets of a set of passages."""

from torch import Tensor

from subclust.training.losses.triplet_sums import relations, triplet_costs


def triplet_loss(distances: Tensor, same: Tensor, margin: float) -> Tensor:
    r"""Average the triplet loss over all triplets of a set.

    .. math::
        L = \frac{1}{|\mathcal{T}|} \sum_{(a, p, n) \in \mathcal{T}}
        \max(0, d_{ap} - d_{an} + \varepsilon)

    over all ordered triplets of an anchor, another passage of its subtopic and one of another.

    Source: Dor et al., ACL 2018; Kashyapi and Dietz, Learn the Big Picture, section 4.2; CACTUS,
    equation 6, where the distance is minus the cosine.

    Parameters
    ----------
    distances : Tensor of shape (n_passages, n_passages)
        Higher is farther.
    same : Tensor of shape (n_passages, n_passages)
        Boolean; whether two passages are of one subtopic. The diagonal is not read.
    margin : float
        By which the other passage should be farther, on the scale of the distances.

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better. 0 where there is no triplet.
    """
    costs = triplet_costs(-distances, same, margin)
    return costs.sum() / max(count_triplets(same), 1)


def count_triplets(same: Tensor) -> int:
    """Count the ordered triplets of a set: anchor, positive, negative.

    Parameters
    ----------
    same : Tensor of shape (n_passages, n_passages)
        As for `triplet_loss`.
    """
    positive, negative = relations(same)
    return int((positive.sum(dim=1) * negative.sum(dim=1)).sum())
