"""What the relevance gate of Centred QS3M is trained on. Not in the paper."""

from torch import Tensor, nn

from subclust.grouping.similarity.relevance_gate import Relevance


def relevance_loss(relevance: Relevance, about: Tensor) -> Tensor:
    """Compute the loss of a gate's judgement of one hit set.

    Parameters
    ----------
    relevance : Relevance
    about : Tensor of shape (n_passages,)
        1 for passages of the query, 0 for others.

    Returns
    -------
    Tensor
        Scalar, at least 0, lower is better: whether the hits are mixed, and, where they are, which
        passages are about the query, both kinds weighing equally.
    """
    bce = nn.functional.binary_cross_entropy_with_logits
    is_mixed = (about == 0).any()
    loss = bce(relevance.mixed, is_mixed.to(about.dtype))
    if is_mixed:
        losses = bce(relevance.passages, about, reduction="none")
        loss = loss + (losses[about == 1].mean() + losses[about == 0].mean()) / 2
    return loss
