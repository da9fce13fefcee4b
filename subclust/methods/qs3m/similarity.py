"""attn-QS3M as a pair similarity."""

from collections.abc import Sequence

from torch import Tensor

from subclust.core.records import FloatArray
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.methods.qs3m.sentence_attention import SentenceAttentiveSiamese, padded
from subclust.text.encoders import Encoder
from subclust.text.encoders.splitting import encode_sentences


class SentenceSimilarity(NetworkSimilarity):
    """Pair scores by a network that reads the sentences of the passages; higher is closer.

    Parameters
    ----------
    model : SentenceAttentiveSiamese
    encoder : Encoder
        That of the query's embedding. Each sentence is encoded, so one that remembers is wanted.
    """

    def __init__(self, model: SentenceAttentiveSiamese, encoder: Encoder) -> None:
        super().__init__(model)
        self.encoder = encoder

    def _read(self, passages: Sequence[str], embeddings: FloatArray | None) -> tuple[Tensor, ...]:
        return padded(encode_sentences(passages, self.encoder))
