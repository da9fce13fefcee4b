"""The costs of all triplets of a set, added up without making the triplets."""

import torch
from torch import Tensor


def relations(same: Tensor) -> tuple[Tensor, Tensor]:
    """Tell each anchor's positives from its negatives; itself is neither.

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
