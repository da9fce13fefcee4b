"""The similarity networks of QS3M (Kashyapi and Dietz, JCDL 2022, section 3.1).

Each takes the hits of one query at once and gives the scores of all pairs, higher is closer.
"""

import torch
from torch import Tensor, nn


class QuerySpecificScaler(nn.Module):
    r"""QSS, section 3.1.1: cosine after reweighting the dimensions by the query.

    .. math:: \phi_q(p_i, p_j) = \cos(\vec q^\Psi \odot \vec p_i,\; \vec q^\Psi \odot \vec p_j)

    :math:`\Psi` is two linear layers with a ReLU between them and a bottleneck of 32; at 768
    dimensions it has the paper's 49K weights.

    Parameters
    ----------
    embedding_dim : int
    bottleneck : int
    """

    def __init__(self, embedding_dim: int, bottleneck: int = 32) -> None:
        super().__init__()
        self.psi = nn.Sequential(
            nn.Linear(embedding_dim, bottleneck), nn.ReLU(), nn.Linear(bottleneck, embedding_dim)
        )

    def forward(self, query: Tensor, passages: Tensor) -> Tensor:
        """Score all pairs.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,)
        passages : Tensor of shape (n_passages, embedding_dim)

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            From -1 to 1.
        """
        scaled: Tensor = nn.functional.normalize(self.psi(query) * passages, dim=-1)
        return scaled @ scaled.T


class QuerySpecificSiamese(nn.Module):
    r"""QS3M, section 3.1.2: a projection shared by query and passages, and a pair classifier.

    .. math::
        \phi_q(p_i, p_j) = \Phi[\vec p_i^\Theta; \vec p_j^\Theta;
        |\vec p_i^\Theta - \vec q^\Theta|; |\vec p_j^\Theta - \vec q^\Theta|;
        |\vec p_i^\Theta - \vec p_j^\Theta|]

    :math:`\Theta` is two linear layers of the embedding's size with one ReLU after the second, as
    in the authors' code. :math:`\Phi` is one linear layer over the five vectors; unlike the
    authors' it has no ReLU of its own, under which a model can start with all scores 0 and no
    gradient. The score of (i, j) is averaged with that of (j, i), since a similarity is symmetric;
    for a linear :math:`\Phi` this ties the weights of the first two vectors and those of the next
    two.

    The five vectors are never put together for all pairs: with
    :math:`u_i = \frac12(w_1 + w_2) \cdot p_i + \frac12(w_3 + w_4) \cdot |p_i - q|` the score is
    :math:`u_i + u_j + w_5 \cdot |p_i - p_j| + b`, and the last product is a difference of two
    L1 distances, over the dimensions of positive and of negative weight.

    Parameters
    ----------
    embedding_dim : int
    use_query : bool
        False is the paper's QS3M-no-query: the two vectors of proximity to the query are left out.
    """

    def __init__(self, embedding_dim: int, use_query: bool = True) -> None:
        super().__init__()
        self.theta = nn.Sequential(
            nn.Linear(embedding_dim, embedding_dim),
            nn.Linear(embedding_dim, embedding_dim),
            nn.ReLU(),
        )
        self.phi = nn.Linear(5 * embedding_dim if use_query else 3 * embedding_dim, 1)
        self.use_query = use_query

    def forward(self, query: Tensor, passages: Tensor) -> Tensor:
        """Score all pairs.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,)
        passages : Tensor of shape (n_passages, embedding_dim)

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Unbounded; symmetric.
        """
        projected: Tensor = self.theta(passages)
        weights = self.phi.weight[0].reshape(-1, projected.shape[-1])
        own = projected @ (weights[0] + weights[1]) / 2
        if self.use_query:
            proximity = (projected - self.theta(query)).abs()
            own = own + proximity @ (weights[2] + weights[3]) / 2
        between = weights[-1]
        near = self._l1(projected, between.clamp(min=0)) - self._l1(
            projected, (-between).clamp(min=0)
        )
        scores: Tensor = own[:, None] + own[None, :] + near + self.phi.bias
        return scores

    def _l1(self, projected: Tensor, weights: Tensor) -> Tensor:
        # Dimensions of weight 0 (about half) add nothing to the distances but cost time.
        used = weights > 0
        scaled = projected[:, used] * weights[used]
        distances: Tensor = torch.cdist(scaled, scaled, p=1)
        return distances
