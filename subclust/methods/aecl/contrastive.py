"""Contrastive losses of AECL: similarity-guided (equations 6 to 9), between clusters (10, 11)."""

import torch
from torch import Tensor, nn


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
