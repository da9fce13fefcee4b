"""What AECL asks of cluster assignments: pseudo-labels and entropies (equations 4, 5, 12, 13)."""

import torch
from torch import Tensor, nn

from subclust.core.exceptions import InputError

NO_LABEL = -1
"""Pseudo-label of a text that is not sure enough to have one."""


def confident_labels(p0: Tensor, threshold: float) -> Tensor:
    r"""Label the texts whose most probable cluster is beyond doubt (equation 4).

    .. math:: \hat y_i = \mathrm{argmax}(p_i) \quad \text{if } \max(p_i) > \text{thres}

    Parameters
    ----------
    p0 : Tensor of shape (n_texts, n_clusters)
        Probabilities.
    threshold : float

    Returns
    -------
    Tensor of shape (n_texts,)
        Int64; `NO_LABEL` where the text is not sure enough.
    """
    highest, labels = p0.max(dim=1)
    return labels.masked_fill(highest <= threshold, NO_LABEL)


def assignment_entropy(p0: Tensor) -> Tensor:
    r"""Average the entropy of the texts' assignments (equation 5).

    .. math:: L_{E1} = -\frac{1}{N} \sum_i \sum_j P_{ij} \log P_{ij}

    Parameters
    ----------
    p0 : Tensor of shape (n_texts, n_clusters)

    Returns
    -------
    Tensor
        A scalar from 0 (all texts are sure) to log n_clusters.
    """
    entropies: Tensor = _entropy_terms(p0)
    return entropies.sum(dim=1).mean()


def pseudo_label_loss(labels: Tensor, logits1: Tensor) -> Tensor:
    r"""Ask the augmentations to be where the texts' pseudo-labels are (equation 12).

    .. math:: L_P = -\frac{1}{N} \sum_i \langle \mathrm{OneHot}(\hat y_i), \log p_i^{1} \rangle

    Parameters
    ----------
    labels : Tensor of shape (n_texts,)
        A text without one adds nothing, but counts in N.
    logits1 : Tensor of shape (n_texts, n_clusters)
        Of the augmentations, before the softmax.

    Returns
    -------
    Tensor
        A scalar, at least 0; lower is better.
    """
    total: Tensor = nn.functional.cross_entropy(
        logits1, labels, ignore_index=NO_LABEL, reduction="sum"
    )
    return total / len(labels)


def mean_assignment_entropy(p0: Tensor, p1: Tensor) -> Tensor:
    r"""Compute the entropy of the clusters' sizes in both views (equation 13).

    .. math::
        L_{E2} = -\frac{1}{2} \sum_j q_j^0 \log q_j^0 + q_j^1 \log q_j^1, \quad
        q_j = \frac{1}{N} \sum_i P_{ij}

    Parameters
    ----------
    p0, p1 : Tensor of shape (n_texts, n_clusters)

    Returns
    -------
    Tensor
        A scalar from 0 (all texts in one cluster) to log n_clusters.
    """
    sizes = torch.stack([p0.mean(dim=0), p1.mean(dim=0)])
    entropies: Tensor = _entropy_terms(sizes)
    return entropies.sum() / 2


def negative_similarity(s: Tensor, gold: Tensor) -> Tensor:
    r"""Measure how much texts attend to those of other subtopics (equation 18).

    .. math:: NS = \frac{1}{N} \sum_{ij} 1_{y_i \ne y_j} S_{ij}

    For reports only: it reads true labels.

    Parameters
    ----------
    s : Tensor of shape (n_texts, n_texts)
        Of `similarity_matrix`.
    gold : Tensor of shape (n_texts,)

    Returns
    -------
    Tensor
        A scalar from 0 to 1; lower is better.

    Raises
    ------
    InputError
        If the two do not belong together.
    """
    if s.shape != (len(gold), len(gold)):
        raise InputError(
            "{count} labels but similarities of shape {tuple}.",
            count=len(gold),
            tuple=tuple(s.shape),
        )
    return (s * (gold[:, None] != gold[None, :])).sum() / len(gold)


def positive_similarity(s: Tensor, gold: Tensor) -> Tensor:
    """Measure how much texts attend to their own subtopic (equation 19): 1 - NS."""
    return 1 - negative_similarity(s, gold)


def _entropy_terms(p: Tensor) -> Tensor:
    """Compute -p log p, whose slope at a probability of exactly 0 is not finite."""
    terms: Tensor = torch.special.entr(torch.where(p > 0, p, 1.0))
    return terms
