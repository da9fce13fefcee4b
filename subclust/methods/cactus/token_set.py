"""Sets over word pieces: a set encoder, with what the loss learns beside it."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.core.exceptions import EncoderError
from subclust.core.records.progress import Progress
from subclust.methods.cactus.set_encoder import SetEncoder
from subclust.methods.cactus.word_embeddings import WordEmbeddings
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder
from subclust.text.encoders.lower_states import LowerStates
from subclust.text.encoders.tuning import STATES_FOLDER

_SET = "set."


class KeptStates:
    """What the frozen layers of a set encoder make of each text, computed once.

    A text passes them alone, so that its states do not depend on the batch it was first met in.

    Parameters
    ----------
    encoder : Encoder
        The cache of a `SentenceEncoder`, beside whose files the states are kept.
    set_encoder : SetEncoder
        Over that encoder.

    Raises
    ------
    EncoderError
        If there is no layer below, or no folder to keep anything in.
    """

    def __init__(self, encoder: Encoder, set_encoder: SetEncoder) -> None:
        if not isinstance(encoder, CachedEncoder) or not isinstance(
            encoder.encoder, SentenceEncoder
        ):
            raise EncoderError(
                "The encoder {encoder} has no folder to keep hidden states in; set cached_states "
                "to false.",
                encoder=encoder.name,
            )
        if not set_encoder.n_lower:
            raise EncoderError(
                "cached_states keeps the hidden states below the layers that learn and those in "
                "which entities see one another, but there are none below; set tuned_layers and "
                "context_layers to fewer than all, or cached_states to false."
            )
        self.set_encoder = set_encoder
        precision = encoder.encoder.precision
        stem = f"{encoder.revision}-set-lower-{set_encoder.n_lower}-{precision}"
        self.states = LowerStates(
            encoder.folder / STATES_FOLDER / re.sub(r"[^A-Za-z0-9._-]+", "-", stem),
            set_encoder.body.hidden_dim,
            torch.bfloat16 if precision == "bfloat16" else torch.float32,
        )

    def of(self, texts: Sequence[str], device: str) -> tuple[Tensor, Tensor]:
        """Return the states of texts, computing what is missing.

        Returns
        -------
        states : Tensor of shape (n_texts, n_tokens, hidden_dim)
            0 in the padding.
        mask : BoolTensor of shape (n_texts, n_tokens)
        """
        found = self.states.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            new = {text: self._compute(text, device) for text in missing}
            self.states.add(new)
            found |= new
        lengths = torch.tensor([len(found[text]) for text in texts])
        longest = int(lengths.max())
        states = torch.zeros((len(texts), longest, self.states.hidden_dim), dtype=self.states.dtype)
        for number, text in enumerate(texts):
            states[number, : lengths[number]] = found[text]
        mask = torch.arange(longest)[None, :] < lengths[:, None]
        return states.to(device), mask.to(device)

    def _compute(self, text: str, device: str) -> Tensor:
        with torch.no_grad():
            states = self.set_encoder.lower_states(self.set_encoder.tokenize([[text]]).to(device))
        return states[0].to("cpu", self.states.dtype)


class TokenSet(nn.Module):
    """Passages of a set, encoded together and compared by the cosine (equation 5).

    Parameters
    ----------
    uses_query : bool
        Whether the query is one more entity of the subset, which is seen and not compared. Not in
        the paper.
    kept : KeptStates, optional
        Where the hidden states below the layers that learn are kept.

    Attributes
    ----------
    neutral : Parameter
        The neutral similarity of equation 7; a scalar.
    """

    def __init__(
        self,
        set_encoder: SetEncoder | WordEmbeddings,
        *,
        uses_query: bool = False,
        kept: KeptStates | None = None,
    ) -> None:
        super().__init__()
        self.set_encoder = set_encoder
        self.needs_query = uses_query
        self.kept = kept
        self.neutral = nn.Parameter(torch.zeros(()))

    @property
    def device(self) -> str:
        """Where the weights are."""
        return self.neutral.device.type

    def embed(
        self,
        subsets: Sequence[Sequence[str]],
        queries: Sequence[str],
        progress: Progress | None = None,
    ) -> list[Tensor]:
        """Encode the passages of some sets.

        Parameters
        ----------
        subsets : sequence of sequence of str
            Texts of the passages of each, at least one.
        queries : sequence of str
            One a subset; not read unless the query is an entity.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` after each layer.

        Returns
        -------
        list of Tensor of shape (n_passages, embedding_dim)
            float32, each row of length 1.
        """
        texts = [
            [query, *subset] if self.needs_query else list(subset)
            for query, subset in zip(queries, subsets, strict=True)
        ]
        vectors = nn.functional.normalize(self._vectors(texts, progress).float(), dim=-1, eps=1e-6)
        parts = torch.split(vectors, [len(subset) for subset in texts])
        return [part[1:] if self.needs_query else part for part in parts]

    def forward(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Score all pairs of a set.

        Parameters
        ----------
        passages : Tensor of shape (n_passages, embedding_dim)
            As `embed` returns them.

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Cosines, -1 to 1; higher is closer.
        """
        return passages @ passages.T

    def _vectors(self, texts: Sequence[Sequence[str]], progress: Progress | None) -> Tensor:
        flat = [text for subset in texts for text in subset]
        if self.kept is not None and isinstance(self.set_encoder, SetEncoder):
            states, mask = self.kept.of(flat, self.device)
            numbers = [number for number, subset in enumerate(texts) for _ in subset]
            subset = torch.tensor(numbers, device=self.device)
            return self.set_encoder.forward_from(states, mask, subset, progress)
        tokens = self.set_encoder.tokenize(texts).to(self.device)
        vectors: Tensor = self.set_encoder(tokens, progress)
        return vectors

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Return what was learned, in half precision, by name."""
        state = {f"{_SET}{k}": v for k, v in self.set_encoder.trainable_state().items()}
        return {"neutral": self.neutral.detach().cpu().to(torch.float16).numpy(), **state}

    def load(self, tensors: dict[str, npt.NDArray[Any]]) -> None:
        """Take what `tensors` gave.

        Raises
        ------
        EncoderError
            If it does not fit.
        """
        if "neutral" not in tensors or np.size(tensors["neutral"]) != 1:
            raise EncoderError("The trained weights have no neutral similarity.")
        self.set_encoder.load_trainable_state(
            {k.removeprefix(_SET): v for k, v in tensors.items() if k.startswith(_SET)}
        )
        with torch.no_grad():
            self.neutral.fill_(np.asarray(tensors["neutral"]).item())
