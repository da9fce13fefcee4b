"""Losses of a set of passages whose subtopics are known, which papers share.

Those of triplets are over all triplets of the set, whose costs are added up without making them.
"""

import numpy as np
import torch
from scipy.sparse.csgraph import csgraph_from_dense, minimum_spanning_tree
from torch import Tensor

from subclust.core.records.arrays import Float64Array, IntArray


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


def structural_loss(similarities: Tensor, same: Tensor, *, weight: float, penalty: float) -> Tensor:
    r"""Compare the most violating spanning forest of a set with its best true one.

    .. math::
        L = \max_{h \in F} \Big[ \sum_{e \in h} s_e + C\, \Delta(h) \Big]
        - \max_{h \in F^*} \sum_{e \in h} s_e,
        \qquad \Delta(h) = n - k + \sum_{e \in h} l(e)

    A forest h is a latent sign of a clustering: its trees are the groups. F are all forests over
    the n passages, F* those whose trees span the k true subtopics, each by itself. l(e) is -1 for
    an edge within a subtopic and r for one between two. Both maxima are found by Kruskal's
    algorithm: the first over s - C and s + C r, without the edges whose value is not above 0. The
    gradient goes through the edges that were chosen. The loss is 0 when the forest found is the
    true one with C to spare: its edges then have similarities of C or more, and no edge between
    subtopics is above -C r.

    Source: Haponchyk et al., EMNLP 2018, and Haponchyk and Moschitti, NAACL 2021, after Yu and
    Joachims, ICML 2009, and Fernandes et al., CoNLL 2012; the loss of SCL (Barnabo et al., 2023)
    and, with C = 0.15 and r = 0.5, of the baselines of CACTUS.

    Parameters
    ----------
    similarities : Tensor of shape (n_passages, n_passages)
        Symmetric; higher is closer, and above 0 says that two passages belong together.
    same : Tensor of shape (n_passages, n_passages)
        Boolean and symmetric; whether two passages are of one subtopic. The diagonal is not read.
    weight : float
        C, at least 0: of the structured loss beside the similarities.
    penalty : float
        r, at least 0: of an edge between two subtopics.

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better. Grows with the number of passages.
    """
    values = similarities.detach().cpu().numpy().astype(np.float64)
    together = same.detach().cpu().numpy()
    augmented = values + np.where(together, -weight, weight * penalty)
    found = spanning_forest(augmented)
    found = found[:, augmented[found[0], found[1]] > 0]
    true = spanning_forest(np.where(together, values, -np.inf))
    n_right = together[found[0], found[1]].sum()
    n_wrong = found.shape[1] - n_right
    structured = weight * (true.shape[1] - n_right + penalty * n_wrong)
    return _sum(similarities, found) + float(structured) - _sum(similarities, true)


def spanning_forest(values: Float64Array) -> IntArray:
    """Find the spanning forest with the highest sum: as many edges as can be without a circle.

    Parameters
    ----------
    values : ndarray of shape (n_passages, n_passages)
        Symmetric; -inf where there is no edge. The diagonal is not read.

    Returns
    -------
    ndarray of shape (2, n_edges)
        The two ends of each edge, the smaller number first.
    """
    above = np.triu(np.ones(values.shape, dtype=bool), 1) & np.isfinite(values)
    if not above.any():
        return np.zeros((2, 0), dtype=np.int64)
    # All costs are above 0, since 0 is no edge to scipy.
    costs = np.where(above, values[above].max() - values + 1.0, np.inf)
    tree = minimum_spanning_tree(csgraph_from_dense(costs, null_value=np.inf)).tocoo()
    ends = np.stack([tree.row, tree.col]).astype(np.int64)
    return np.sort(ends, axis=0)


def _sum(similarities: Tensor, edges: IntArray) -> Tensor:
    ends = torch.from_numpy(edges).to(similarities.device)
    return similarities[ends[0], ends[1]].sum()


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
