"""The baselines "word-emb" and "word-emb (context)": no transformer, the mean of word pieces."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.core.exceptions import EncoderError
from subclust.core.records.progress import Progress
from subclust.methods.cactus.attention import MeanContext
from subclust.methods.cactus.tokens import Tokens, tokenize
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder


class WordEmbeddings(nn.Module):
    """A trained vector of each word piece; an entity is the mean of its own (section 4.2).

    Parameters
    ----------
    encoder : Encoder
        A `SentenceEncoder`, or the cache of one, whose word embeddings are the start.
    context : {"words", "words-context"}
        Whether a small network sees the subset's mean beside each entity, as in NIA (context).

    Attributes
    ----------
    embedding_dim : int

    Raises
    ------
    EncoderError
        If the encoder has no word embeddings.
    """

    n_lower = 0
    body = None

    def __init__(self, encoder: Encoder, context: str) -> None:
        super().__init__()
        inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
        if not isinstance(inner, SentenceEncoder):
            raise EncoderError(
                "The encoder {inner} has no word embeddings to start from; choose a sentence "
                "encoder.",
                inner=inner.name,
            )
        sentence: Any = inner.fresh_model()
        weights = sentence[0].auto_model.get_input_embeddings().weight.detach()
        self.vectors = nn.Embedding(*weights.shape)
        with torch.no_grad():
            self.vectors.weight.copy_(weights)
        self.tokenizer = sentence.tokenizer
        self.max_length = inner.max_seq_length
        self.embedding_dim = int(weights.shape[1])
        self.head = MeanContext(self.embedding_dim) if context == "words-context" else None

    def tokenize(self, texts_of_subsets: Sequence[Sequence[str]]) -> Tokens:
        """Cut the entities of subsets into word pieces with the encoder's own tokenizer."""
        return tokenize(self.tokenizer, texts_of_subsets, self.max_length)

    def forward(self, tokens: Tokens, progress: Progress | None = None) -> Tensor:
        """Average the vectors of each entity's word pieces.

        Parameters
        ----------
        progress : callable, optional
            Not called: there are no layers.

        Returns
        -------
        Tensor of shape (n_entities, embedding_dim)
        """
        weights = tokens.mask[..., None].to(self.vectors.weight.dtype)
        means: Tensor = (self.vectors(tokens.ids) * weights).sum(dim=1) / weights.sum(dim=1)
        if self.head is not None:
            means = self.head(means, tokens.subset)
        return means

    def trainable_state(self) -> dict[str, npt.NDArray[Any]]:
        """Return all weights, in half precision, by their names."""
        return {
            name: parameter.detach().cpu().to(torch.float16).numpy()
            for name, parameter in self.named_parameters()
        }

    def load_trainable_state(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take weights that `trainable_state` gave.

        Raises
        ------
        EncoderError
            If they do not fit.
        """
        weights = {k: torch.from_numpy(np.asarray(v, dtype=np.float32)) for k, v in state.items()}
        try:
            self.load_state_dict(weights)
        except RuntimeError as error:
            raise EncoderError(
                "The trained word embeddings do not fit the encoder; use the one that the "
                "checkpoint was trained over."
            ) from error
