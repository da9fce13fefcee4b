"""Binary cross-entropy on the pairs of a set."""

import torch
from torch import Tensor


def pair_cross_entropy(
    similarities: Tensor, same: Tensor, neutral: Tensor | float, scale: float
) -> Tensor:
    r"""Average the cross-entropy over all pairs of a set: whether two passages belong together.

    .. math:: P(\text{same}) = \sigma(\beta (s_{ij} - s_{neu}))

    Source: the baseline "cross-entropy" of CACTUS, table 4, which does not say how a cosine becomes
    a probability. Pairs are taken as they come; of sets with many subtopics most are different.

    Parameters
    ----------
    similarities : Tensor of shape (n_passages, n_passages)
        Symmetric; higher is closer.
    same : Tensor of shape (n_passages, n_passages)
        Boolean and symmetric; whether two passages are of one subtopic. The diagonal is not read.
    neutral : Tensor or float
        Scalar; the similarity at which both are as likely. It can be learnt.
    scale : float
        Beta, above 0: what a difference of 1 in the similarity is worth in log odds.

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better. 0 for a single passage.
    """
    rows, columns = torch.triu_indices(len(same), len(same), 1, device=same.device)
    if not len(rows):
        return similarities.sum() * 0
    odds = scale * (similarities[rows, columns] - neutral)
    belong = same[rows, columns].to(odds.dtype)
    return torch.nn.functional.binary_cross_entropy_with_logits(odds, belong)
