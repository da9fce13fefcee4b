"""Structural loss of a set: the best spanning forest against the best that is right."""

import numpy as np
import numpy.typing as npt
import torch
from scipy.sparse.csgraph import csgraph_from_dense, minimum_spanning_tree
from torch import Tensor

from subclust.core.records.arrays import Float64Array


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


def spanning_forest(values: Float64Array) -> npt.NDArray[np.int64]:
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


def _sum(similarities: Tensor, edges: npt.NDArray[np.int64]) -> Tensor:
    ends = torch.from_numpy(edges).to(similarities.device)
    return similarities[ends[0], ends[1]].sum()
