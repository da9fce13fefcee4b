"""Triplet loss with a neutral similarity, so that all triplets have their margin in one place."""

from torch import Tensor

from subclust.training.losses.triplet_sums import relations, triplet_costs


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
