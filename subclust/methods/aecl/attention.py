"""The sample-level attention network: how alike the texts of a batch are (equations 1 to 3)."""

from torch import Tensor, nn


def projections(
    z: Tensor, w_k1: Tensor, w_k2: Tensor, w_t: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Map representations to the three spaces of the attention (equation 1).

    .. math:: K_1 = Z W_{K_1}, \quad K_2 = Z W_{K_2}, \quad T = Z W_T

    Parameters
    ----------
    z : Tensor of shape (n_texts, latent_dim)
    w_k1, w_k2, w_t : Tensor of shape (latent_dim, latent_dim)

    Returns
    -------
    tuple of three Tensors of shape (n_texts, latent_dim)
    """
    return z @ w_k1, z @ w_k2, z @ w_t


def similarity_matrix(k1: Tensor, k2: Tensor) -> Tensor:
    r"""Compute how much each text attends to each other one (equation 2).

    .. math:: S = \mathrm{Softmax}\left(\frac{K_1 K_2^T}{\sqrt{D_2}}\right)

    Parameters
    ----------
    k1, k2 : Tensor of shape (n_texts, latent_dim)

    Returns
    -------
    Tensor of shape (n_texts, n_texts)
        Rows add up to 1; higher is more alike; not symmetric.
    """
    logits: Tensor = k1 @ k2.T / k1.shape[1] ** 0.5
    return logits.softmax(dim=1)


def consistent_representations(s: Tensor, t: Tensor) -> Tensor:
    r"""Aggregate the texts of a batch by their similarities (equation 3).

    .. math:: h_i = \sum_{j=1}^N S_{ij} t_j

    Parameters
    ----------
    s : Tensor of shape (n_texts, n_texts)
    t : Tensor of shape (n_texts, latent_dim)

    Returns
    -------
    Tensor of shape (n_texts, latent_dim)
    """
    return s @ t


class SampleAttention(nn.Module):
    """Attention between the texts of a batch, with the weights of equation 1.

    The three maps start as the identity, so that a text attends to itself and to what is near it.
    From small weights drawn by chance, all texts attend to all alike: their consistent
    representations are then the same, and no cluster can be told from another for a long time.

    Parameters
    ----------
    latent_dim : int
    """

    def __init__(self, latent_dim: int) -> None:
        super().__init__()
        self.k1 = nn.Linear(latent_dim, latent_dim, bias=False)
        self.k2 = nn.Linear(latent_dim, latent_dim, bias=False)
        self.t = nn.Linear(latent_dim, latent_dim, bias=False)
        for layer in (self.k1, self.k2, self.t):
            nn.init.eye_(layer.weight)

    def forward(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Aggregate the texts of a batch.

        Parameters
        ----------
        z : Tensor of shape (n_texts, latent_dim)

        Returns
        -------
        h : Tensor of shape (n_texts, latent_dim)
            Consistent representations.
        s : Tensor of shape (n_texts, n_texts)
            Similarities.
        """
        k1, k2, t = projections(z, self.k1.weight.T, self.k2.weight.T, self.t.weight.T)
        s = similarity_matrix(k1, k2)
        return consistent_representations(s, t), s
