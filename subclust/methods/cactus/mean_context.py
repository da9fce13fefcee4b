"""NIA (context): the subset's mean beside each embedding, and a small network over both."""

import torch
from torch import Tensor, nn


class MeanContext(nn.Module):
    """An MLP of one hidden layer over an embedding and its subset's mean (appendix E).

    Input and hidden layer have 2 d neurons, the output d; between them stands tanh.

    Parameters
    ----------
    embedding_dim : int
    """

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(2 * embedding_dim, 2 * embedding_dim)
        self.out = nn.Linear(2 * embedding_dim, embedding_dim)

    def forward(self, embeddings: Tensor, subset: Tensor) -> Tensor:
        """Let each embedding see its subset.

        Parameters
        ----------
        embeddings : Tensor of shape (n_entities, embedding_dim)
        subset : LongTensor of shape (n_entities,)

        Returns
        -------
        Tensor of shape (n_entities, embedding_dim)
        """
        _, which, sizes = torch.unique_consecutive(subset, return_inverse=True, return_counts=True)
        sums = embeddings.new_zeros(len(sizes), embeddings.shape[1])
        means = sums.index_add(0, which, embeddings) / sizes[:, None]
        both = torch.cat([embeddings, means[which]], dim=1).to(self.hidden.weight.dtype)
        seen: Tensor = self.out(torch.tanh(self.hidden(both)))
        return seen.to(embeddings.dtype)
