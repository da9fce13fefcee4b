"""attn-QS3M (Kashyapi and Dietz, JCDL 2022, section 3.1.3): passages read sentence by sentence."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import FloatArray
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.methods.qs3m.models import QuerySpecificSiamese
from subclust.text.encoders import Encoder
from subclust.text.encoders.splitting import encode_sentences


class SentenceAttention(nn.Module):
    r"""Additive attention over the sentences of a passage, with the query asking.

    .. math::
        e_{ij} = v \cdot \tanh(W_q \vec q + W_s \vec s_{ij}),\qquad
        \alpha_i = \mathrm{softmax}(e_i),\qquad \vec p_i = \sum_j \alpha_{ij} \vec s_{ij}

    The form of Bahdanau et al., arXiv 1409.0473, appendix A.1.2, without shifts. The paper counts
    24K weights and does not say how wide :math:`W_q` and :math:`W_s` are. With an embedding of 768
    a width of 16 has 2 · 768 · 16 = 24,576 in them and 16 in :math:`v`; 15 would have 23,055 and
    17 26,129.

    Parameters
    ----------
    attention_dim : int
        Width of the two projections.
    """

    def __init__(self, embedding_dim: int, attention_dim: int = 16) -> None:
        super().__init__()
        self.of_query = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.of_sentence = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.v = nn.Linear(attention_dim, 1, bias=False)

    def forward(self, query: Tensor, sentences: Tensor, mask: Tensor) -> Tensor:
        """Put the sentences of each passage together.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,)
        sentences : Tensor of shape (n_passages, max_sentences, embedding_dim)
        mask : bool Tensor of shape (n_passages, max_sentences)
            True where there is a sentence; at least once a passage.

        Returns
        -------
        Tensor of shape (n_passages, embedding_dim)
            Weighted means of the sentences, not normalised.
        """
        weights = self.weights(query, sentences, mask)
        pooled: Tensor = torch.einsum("ps,psd->pd", weights, sentences)
        return pooled

    def weights(self, query: Tensor, sentences: Tensor, mask: Tensor) -> Tensor:
        """Return the share of each sentence in its passage.

        Returns
        -------
        Tensor of shape (n_passages, max_sentences)
            Each row sums to 1; 0 where there is no sentence.
        """
        energies = self.v(torch.tanh(self.of_query(query) + self.of_sentence(sentences)))[..., 0]
        return torch.softmax(energies.masked_fill(~mask, -torch.inf), dim=-1)


class SentenceAttentiveSiamese(nn.Module):
    r"""attn-QS3M: QS3M over what the attention makes of each passage's sentences.

    The paper replaces the passage vector of QS3M by a sentence-attentive one and keeps the rest;
    so :math:`\Theta` and :math:`\Phi` here are those of `QuerySpecificSiamese`.

    Parameters
    ----------
    attention_dim : int
        Of `SentenceAttention`.
    """

    def __init__(self, embedding_dim: int, attention_dim: int = 16) -> None:
        super().__init__()
        self.attention = SentenceAttention(embedding_dim, attention_dim)
        self.siamese = QuerySpecificSiamese(embedding_dim)

    def forward(self, query: Tensor, sentences: Tensor, mask: Tensor) -> Tensor:
        """Score all pairs of passages.

        Parameters
        ----------
        query, sentences, mask : Tensor
            As for `SentenceAttention.forward`.

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Unbounded; symmetric.
        """
        scores: Tensor = self.siamese(query, self.attention(query, sentences, mask))
        return scores


def padded(passages: Sequence[FloatArray]) -> tuple[Tensor, Tensor]:
    """Put the sentences of passages into one array.

    Parameters
    ----------
    passages : sequence of ndarray of shape (n_sentences, embedding_dim)
        At least one, each of at least one sentence.

    Returns
    -------
    sentences : Tensor of shape (n_passages, max_sentences, embedding_dim)
        float32; zeros after a passage's last sentence.
    mask : bool Tensor of shape (n_passages, max_sentences)
        True where there is a sentence.
    """
    lengths = np.array([len(sentences) for sentences in passages])
    mask = np.arange(lengths.max())[None, :] < lengths[:, None]
    result = np.zeros((*mask.shape, passages[0].shape[1]), dtype=np.float32)
    result[mask] = np.concatenate(list(passages))
    return torch.from_numpy(result), torch.from_numpy(mask)


class SentenceSimilarity(NetworkSimilarity):
    """Pair scores by a network that reads the sentences of the passages; higher is closer.

    Parameters
    ----------
    encoder : Encoder
        That of the query's embedding. Each sentence is encoded, so one that remembers is wanted.
    """

    def __init__(self, model: SentenceAttentiveSiamese, encoder: Encoder) -> None:
        super().__init__(model)
        self.encoder = encoder

    def _read(self, passages: Sequence[str], embeddings: FloatArray | None) -> tuple[Tensor, ...]:
        return padded(encode_sentences(passages, self.encoder))
