"""Soft assignments by Student's t, and the targets that sharpen them: Self-Train and SCCL.

Sources: Xie, Girshick and Farhadi, Unsupervised deep embedding for clustering analysis, ICML 2016,
whose equations are numbered here; Hadifar et al., A self-training approach for short text
clustering, RepL4NLP 2019; Zhang et al., Supporting clustering with contrastive learning, NAACL
2021.
"""

import numpy as np
import torch
from torch import Tensor

from subclust.core.records import FloatArray
from subclust.core.records.arrays import Float64Array
from subclust.grouping.clustering.kmeans import kmeans_labels


def student_assignments(points: Tensor, centres: Tensor, freedom: float = 1.0) -> Tensor:
    r"""Return how likely each point belongs to each centre (DEC, equation 1).

    .. math:: q_{ij} = \frac{(1 + ||z_i - \mu_j||^2 / \alpha)^{-(\alpha + 1) / 2}}
        {\sum_{j'} (1 + ||z_i - \mu_{j'}||^2 / \alpha)^{-(\alpha + 1) / 2}}

    Parameters
    ----------
    points : Tensor of shape (n_texts, dim)
    centres : Tensor of shape (n_clusters, dim)
    freedom : float
        Alpha, the degrees of freedom of Student's t, above 0.

    Returns
    -------
    Tensor of shape (n_texts, n_clusters)
        Rows add up to 1; higher is closer.
    """
    # Multiplied out: of all differences at once, many texts and clusters would take gigabytes.
    squares = (
        points.square().sum(dim=1, keepdim=True)
        + centres.square().sum(dim=1)
        - 2 * points @ centres.T
    ).clamp_min(0.0)
    logits: Tensor = -(freedom + 1) / 2 * torch.log1p(squares / freedom)
    return logits.softmax(dim=1)


def target_distribution(q: Tensor) -> Tensor:
    r"""Sharpen assignments, and give small clusters their due (DEC, equation 3).

    .. math:: p_{ij} = \frac{q_{ij}^2 / f_j}{\sum_{j'} q_{ij'}^2 / f_{j'}}, \quad
        f_j = \sum_i q_{ij}

    Parameters
    ----------
    q : Tensor of shape (n_texts, n_clusters)

    Returns
    -------
    Tensor of shape (n_texts, n_clusters)
        Rows add up to 1.
    """
    weights = q.square() / q.sum(dim=0)
    return weights / weights.sum(dim=1, keepdim=True)


def assignment_divergence(p: Tensor, q: Tensor) -> Tensor:
    r"""Ask assignments to be as their targets are (DEC, equation 2), as a mean over the texts.

    .. math:: L = \frac{1}{N} \sum_i \sum_j p_{ij} \log \frac{p_{ij}}{q_{ij}}

    Parameters
    ----------
    p, q : Tensor of shape (n_texts, n_clusters)
        Targets and assignments.

    Returns
    -------
    Tensor
        A scalar, at least 0; lower is better.
    """
    total: Tensor = torch.special.xlogy(p, p).sum() - torch.special.xlogy(p, q).sum()
    return total / len(p)


def kmeans_centres(places: FloatArray, n_clusters: int, seed: int) -> Float64Array:
    """Return the centres from which the assignments begin.

    Parameters
    ----------
    places : ndarray of shape (n_texts, dim)

    Returns
    -------
    ndarray of shape (n_clusters, dim)
        Where fewer points differ than there are centres, the last ones are points as they come.
    """
    points = places.astype(np.float64)
    labels = kmeans_labels(points, n_clusters, seed)
    found = [points[labels == label].mean(axis=0) for label in np.unique(labels)]
    return np.stack([*found, *points[: n_clusters - len(found)]])
