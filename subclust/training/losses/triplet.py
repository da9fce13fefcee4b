"""Triplet losses over all triplets of a set, whose costs are added up without making them."""

import torch
from torch import Tensor


def relations(same: Tensor) -> tuple[Tensor, Tensor]:
    """Return each anchor's positives and negatives; itself is neither.

    Parameters
    ----------
    same : Tensor of shape (n_passages, n_passages)
        Boolean; whether two passages are of one subtopic. The diagonal is not read.

    Returns
    -------
    positive, negative : Tensor of shape (n_passages, n_passages)
        Boolean, of each anchor (row).
    """
    itself = torch.eye(len(same), dtype=torch.bool, device=same.device)
    return same & ~itself, ~(same | itself)


def triplet_costs(similarities: Tensor, same: Tensor, margin: float) -> Tensor:
    r"""Add up, for each anchor and positive, the costs of all their triplets.

    .. math:: c_{ap} = \sum_n \max(0, \gamma - s_{ap} + s_{an})

    An anchor's negatives are sorted once. Those that cost anything beside a positive are then the
    last ones of the row, from a place that a binary search finds, and their sum is read off the
    sums from the right. So n passages take time :math:`O(n^2 \log n)` and memory :math:`O(n^2)`,
    although there are :math:`O(n^3)` triplets.

    Parameters
    ----------
    similarities : Tensor of shape (n_passages, n_passages)
        Higher is closer; need not be symmetric.
    same : Tensor of shape (n_passages, n_passages)
        As for `relations`.
    margin : float
        By which the positive should be closer.

    Returns
    -------
    Tensor of shape (n_passages, n_passages)
        At least 0; 0 where the column is no positive of the row.
    """
    positive, negative = relations(same)
    n_passages = len(similarities)
    never = torch.full_like(similarities, -torch.inf)
    ordered = torch.where(negative, similarities, never).sort(dim=1).values
    costly = torch.where(ordered.isneginf(), torch.zeros_like(ordered), ordered)
    # Entry j is the sum of the negatives from the j-th on; the last one, of none, is 0.
    from_right = torch.nn.functional.pad(costly.flip(1).cumsum(dim=1).flip(1), (0, 1))
    bounds = (similarities - margin).detach().contiguous()
    first = torch.searchsorted(ordered.detach().contiguous(), bounds, right=True)
    n_costly = (n_passages - first).to(similarities.dtype)
    sums = from_right.gather(1, first) + n_costly * (margin - similarities)
    # Rounding may leave a sum of nothing a hair below 0.
    return torch.where(positive, sums.clamp(min=0), torch.zeros_like(sums))


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
    return costs.sum() / max(_count_triplets(same), 1)


def _count_triplets(same: Tensor) -> int:
    """Count the ordered triplets of a set: anchor, positive, negative.

    Parameters
    ----------
    same : Tensor of shape (n_passages, n_passages)
        As for `triplet_loss`.
    """
    positive, negative = relations(same)
    return int((positive.sum(dim=1) * negative.sum(dim=1)).sum())


def augmented_triplet_loss(
    similarities: Tensor, same: Tensor, neutral: Tensor | float, margin: float
) -> Tensor:
    r"""Average the augmented triplet loss of a set.

    .. math::
        L = \frac{1}{|T| + |P^{intra}| + |P^{inter}|} \Big\{
        \sum_{(a, p, n) \in T} (\gamma - s_{ap} + s_{an})^+
        + \sum_{(a, p) \in P^{intra}} (\tfrac{\gamma}{2} - s_{ap} + s_{neu})^+
        + \sum_{(a, n) \in P^{inter}} (\tfrac{\gamma}{2} - s_{neu} + s_{an})^+ \Big\}

    The triplet loss alone knows only what is closer than what: a set may have none of it and yet
    two of its subtopics closer to each other than the passages of a third. Here all pairs of one
    subtopic are to lie above the neutral similarity, and all others below it.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), equations 7 and 8. As
    there, the pairs are those of the triplets: a passage alone in its subtopic is no anchor.

    Parameters
    ----------
    similarities : Tensor of shape (n_passages, n_passages)
        Higher is closer; in the paper cosines.
    same : Tensor of shape (n_passages, n_passages)
        Boolean; whether two passages are of one subtopic. The diagonal is not read.
    neutral : Tensor or float
        Scalar on the scale of the similarities; it can be learnt.
    margin : float
        Gamma, at least 0; half of it on either side of the neutral similarity.

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better. 0 where there is no triplet.
    """
    positive, negative = relations(same)
    intra = positive & negative.any(dim=1, keepdim=True)
    inter = negative & positive.any(dim=1, keepdim=True)
    triplets = triplet_costs(similarities, same, margin).sum()
    above = ((margin / 2 - similarities + neutral).clamp(min=0) * intra).sum()
    below = ((margin / 2 - neutral + similarities).clamp(min=0) * inter).sum()
    n_triplets = (positive.sum(dim=1) * negative.sum(dim=1)).sum()
    n_terms = n_triplets + intra.sum() + inter.sum()
    return (triplets + above + below) / n_terms.clamp(min=1)
