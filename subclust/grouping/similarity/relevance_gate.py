"""Which hits are about the query: the gate beside the centred network."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Relevance:
    """What the gate makes of a hit set.

    Parameters
    ----------
    passages : Tensor of shape (n_passages,)
        Logits; higher for passages that are about the query.
    mixed : Tensor of shape ()
        Logit; higher where some of the hits are about something else.
    """

    passages: Tensor
    mixed: Tensor

    @property
    def gate(self) -> Tensor:
        """Return each passage's share in the query, 0 to 1; 1 for all where the hits are not mixed.

        Returns
        -------
        Tensor of shape (n_passages,)
        """
        return 1 - torch.sigmoid(self.mixed) * torch.sigmoid(-self.passages)


class RelevanceGate(nn.Module):
    r"""Tells which hits are about the query, and whether any are not.

    A passage is judged by its cosine with the query, by its cosine with the centre :math:`c` of the
    passages nearest to the query (pseudo-relevance feedback), each also against mean and maximum
    of the hits, and by a bilinear form of query and passage. The hit set as a whole is judged by
    how far the passages that seem to be about the query lie from those that do not.

    Parameters
    ----------
    embedding_dim : int
    bilinear_dim : int
        Rank of the bilinear form.
    hidden_dim : int
        Of the judgement of the hit set.
    """

    def __init__(self, embedding_dim: int, bilinear_dim: int = 64, hidden_dim: int = 16) -> None:
        super().__init__()
        self.query = nn.Linear(embedding_dim, bilinear_dim, bias=False)
        self.passage = nn.Linear(embedding_dim, bilinear_dim, bias=False)
        self.relevance = nn.Linear(7, 1)
        with torch.no_grad():
            self.relevance.weight.copy_(torch.tensor([[0.4, 0.4, 0.4, 0.1, 0.4, 0.4, 0.4]]))
            self.relevance.bias.fill_(3.0)
        self.mixed = nn.Sequential(nn.Linear(7, hidden_dim), nn.ReLU(), nn.Linear(hidden_dim, 1))

    def forward(self, query: Tensor, passages: Tensor) -> Relevance:
        """Judge the hits.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,)
        passages : Tensor of shape (n_passages, embedding_dim)
        """
        near = passages @ query
        centre = _unit(torch.softmax(10 * near, dim=0) @ passages)
        fed_back = passages @ centre
        features = [
            near,
            near - near.mean(),
            near - near.max(),
            self.passage(passages) @ self.query(query),
            fed_back,
            fed_back - fed_back.mean(),
            fed_back - fed_back.max(),
        ]
        # Cosines differ by tenths; scaled up, the layer over them learns as fast as the others.
        logits = self.relevance(10 * torch.stack(features, dim=-1))[:, 0]
        inside = torch.sigmoid(logits)
        outside = 1 - inside
        about, beside = _unit(inside @ passages), _unit(outside @ passages)
        spread = near.std(correction=0) if len(near) > 1 else near.new_zeros(())
        whole = [
            about @ beside,
            outside.mean(),
            outside.max(),
            query @ about,
            query @ beside,
            spread,
            4 * (inside * outside).mean(),
        ]
        return Relevance(logits, self.mixed(torch.stack(whole))[0])


def _unit(vector: Tensor) -> Tensor:
    return nn.functional.normalize(vector, dim=0, eps=1e-6)
