"""Hidden states below the layers that learn, kept on disk for the set encoders."""

import re
from collections.abc import Sequence

import torch
from torch import Tensor

from subclust.core.exceptions import EncoderError
from subclust.methods.cactus.set_encoder import SetEncoder
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder
from subclust.text.encoders.lower_states import LowerStates
from subclust.text.encoders.tuning import STATES_FOLDER


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

        Parameters
        ----------
        texts : sequence of str
        device : str

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
