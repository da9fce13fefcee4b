"""AECL's losses and pseudo-labels (equations 4 to 13), and its measures (18 and 19)."""

import torch
from torch import Tensor, nn

NO_LABEL = -1
"""Pseudo-label of a text that is not sure enough to have one."""


def cosines(a: Tensor, b: Tensor) -> Tensor:
    r"""Compute the cosine of each row of one with each row of the other (equation 8).

    .. math:: \mathrm{sim}(a_i, b_j) = \frac{\langle a_i, b_j \rangle}{||a_i||\,||b_j||}

    Parameters
    ----------
    a : Tensor of shape (n_rows, dim)
    b : Tensor of shape (n_columns, dim)

    Returns
    -------
    Tensor of shape (n_rows, n_columns)
        -1 to 1; higher is closer.
    """
    return nn.functional.normalize(a, dim=1) @ nn.functional.normalize(b, dim=1).T


def instance_terms(z0: Tensor, z1: Tensor, temperature: float) -> Tensor:
    r"""Compare each text with its augmentation, against all others (equation 6).

    .. math::
        l_{1,i} = \frac{e(z_i^0, z_i^1)}{\sum_{k \ne i} e(z_i^0, z_k^0) + e(z_i^0, z_k^1)}
        + \frac{e(z_i^1, z_i^0)}{\sum_{k \ne i} e(z_i^1, z_k^1) + e(z_i^1, z_k^0)}, \quad
        e(a, b) = \exp(\mathrm{sim}(a, b) / \tau_I)

    Parameters
    ----------
    z0, z1 : Tensor of shape (n_texts, latent_dim)
        Of the texts, and of their augmentations; at least two.
    temperature : float
        Above 0.

    Returns
    -------
    Tensor of shape (n_texts,)
        Above 0; higher where a text is closer to its augmentation than to others.
    """
    across = _exponentials(z0, z1, temperature)
    own = across.diagonal()
    first = own / (_others(_exponentials(z0, z0, temperature)) + _others(across))
    second = own / (_others(_exponentials(z1, z1, temperature)) + _others(across.T))
    return first + second


def guided_terms(
    z: Tensor, h: Tensor, s: Tensor, groups: Tensor, temperature: float, *, itself: bool = True
) -> Tensor:
    r"""Compare each text with the consistent representations of its own cluster (equation 7).

    .. math::
        l_{2,i} = \frac{\sum_{j \in \Lambda_i} S_{ij}\, e(z_i, h_j)}
        {\sum_{k \ne i} e(z_i, z_k) + e(z_i, h_k)}
        + \frac{\sum_{j \in \Lambda_i} S_{ij}\, e(h_i, z_j)}
        {\sum_{k \ne i} e(h_i, h_k) + e(h_i, z_k)}

    where :math:`\Lambda_i` are the texts that are predicted to be in the cluster of text i.

    Parameters
    ----------
    z, h : Tensor of shape (n_texts, latent_dim)
        Representations and consistent representations, of one view.
    s : Tensor of shape (n_texts, n_texts)
        Similarities of that view.
    groups : Tensor of shape (n_texts,)
        Predicted cluster of each text.
    temperature : float
        Above 0.
    itself : bool
        Whether a text is one of its own positives, as the equation has it. The authors' program
        leaves it out; over the first stage's clusters by chance, the attention here then learns to
        look at a few texts only, of whatever subtopic.

    Returns
    -------
    Tensor of shape (n_texts,)
        At least 0; higher where a text is closer to its cluster.
    """
    weights = s * (groups[:, None] == groups[None, :])
    if not itself:
        weights = weights - weights.diagonal().diag()
    across = _exponentials(z, h, temperature)
    of_z = _others(_exponentials(z, z, temperature)) + _others(across)
    of_h = _others(_exponentials(h, h, temperature)) + _others(across.T)
    return (weights * across).sum(dim=1) / of_z + (weights * across.T).sum(dim=1) / of_h


def similarity_guided_loss(l1: Tensor, l2: tuple[Tensor, Tensor] | None) -> Tensor:
    r"""Join the terms of equations 6 and 7 (equation 9).

    .. math:: L_I = \frac{1}{2N} \sum_i \sum_{v \in \{0, 1\}} -\log(l_{1,i} + l_{2,i}^v)

    Parameters
    ----------
    l1 : Tensor of shape (n_texts,)
        Of equation 6.
    l2 : tuple of two Tensors of shape (n_texts,), or None
        Of equation 7, for the texts and for their augmentations; None leaves them out (table 3,
        "No IC").

    Returns
    -------
    Tensor
        A scalar; lower is better.
    """
    if l2 is None:
        return -l1.log().mean()
    return -(l1 + torch.stack(l2)).log().mean()


def cluster_terms(p0: Tensor, p1: Tensor, temperature: float) -> Tensor:
    r"""Compare each cluster's columns in the two views, against other clusters (equation 10).

    .. math::
        l_{c,i} = -\log \frac{e(P_{:i}^0, P_{:i}^1)}
        {\sum_{k \ne i} e(P_{:i}^0, P_{:k}^0) + e(P_{:i}^0, P_{:k}^1)}
        - \log \frac{e(P_{:i}^1, P_{:i}^0)}
        {\sum_{k \ne i} e(P_{:i}^1, P_{:k}^1) + e(P_{:i}^1, P_{:k}^0)}

    Parameters
    ----------
    p0, p1 : Tensor of shape (n_texts, n_clusters)
        Probabilities, of the texts and of their augmentations; at least two clusters.
    temperature : float
        Above 0.

    Returns
    -------
    Tensor of shape (n_clusters,)
        Lower where a cluster is the same in both views and differs from the others.
    """
    across = cosines(p0.T, p1.T) / temperature
    e = across.exp()
    first = _others(_exponentials(p0.T, p0.T, temperature)) + _others(e)
    second = _others(_exponentials(p1.T, p1.T, temperature)) + _others(e.T)
    return first.log() + second.log() - 2 * across.diagonal()


def cluster_loss(terms: Tensor) -> Tensor:
    r"""Average the terms of equation 10 (equation 11).

    .. math:: L_C = \frac{1}{2M} \sum_i l_{c,i}
    """
    return terms.mean() / 2


def _exponentials(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    return (cosines(a, b) / temperature).exp()


def _others(exponentials: Tensor) -> Tensor:
    """Add up each row without its diagonal."""
    return (exponentials - exponentials.diagonal().diag()).sum(dim=1)


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


def _entropy_terms(p: Tensor) -> Tensor:
    """Compute -p log p, whose slope at a probability of exactly 0 is not finite."""
    terms: Tensor = torch.special.entr(torch.where(p > 0, p, 1.0))
    return terms
