"""The last layers of a sentence encoder, made trainable over the frozen lower ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.core.exceptions import EncoderError
from subclust.text.encoders.lower_states import LowerStates
from subclust.text.encoders.sentence import SentenceEncoder
from subclust.text.encoders.trainable import TrainableEncoder


def transformer_layers(model: nn.Module) -> nn.ModuleList:
    """Find the layers of a transformer: its longest list of modules, empty where it has none."""
    return max(
        (module for module in model.modules() if isinstance(module, nn.ModuleList)),
        key=len,
        default=nn.ModuleList(),
    )


class LayerSplit:
    """A sentence-transformers model, cut below one of its layers.

    Both parts run the model's own code, which makes masks and positions and pools at the end. For
    the lower part it is left where the first upper layer would begin; for the upper part the lower
    layers are taken out of its list, and the first upper layer is given the kept hidden states.
    That this comes to the same is tried on two texts when the cut is made.

    Parameters
    ----------
    model : nn.Module
        Takes ``input_ids`` and ``attention_mask``; gives ``sentence_embedding``.
    n_lower : int
        Layers below the cut, at least 0 and fewer than there are.
    name : str
        Of the encoder, for the error.
    probe : mapping of str to Tensor
        ``input_ids`` and ``attention_mask`` of two texts of different lengths.

    Attributes
    ----------
    hidden_dim : int
        Of the states at the cut.

    Raises
    ------
    EncoderError
        If the two parts do not give what the whole gives: the architecture cannot be cut so.
    """

    def __init__(
        self, model: nn.Module, n_lower: int, name: str, probe: Mapping[str, Tensor]
    ) -> None:
        self.model = model
        self.layers = transformer_layers(model)
        self.n_lower = n_lower
        self._path = next(path for path, m in model.named_modules() if m is self.layers)
        try:
            with torch.no_grad():
                whole = model(dict(probe))["sentence_embedding"].float()
                states = self.lower(probe)
                self.hidden_dim = int(states.shape[-1])
                parts = self.upper(states, probe["attention_mask"]).float()
            same = torch.allclose(whole, parts, atol=1e-4 + 1e-2 * float(whole.abs().max()))
        except Exception as error:  # an architecture may fail in any way
            raise _cannot(name) from error
        if not same:
            raise _cannot(name)

    def lower(self, features: Mapping[str, Tensor]) -> Tensor:
        """Compute the states that enter the first upper layer.

        Parameters
        ----------
        features : mapping of str to Tensor of shape (n_texts, n_tokens)
            ``input_ids`` and ``attention_mask``.
        """

        def leave(_: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> None:
            raise _Reached(inputs[0] if inputs else named["hidden_states"])

        with _before(self.layers[self.n_lower], leave):
            try:
                self.model(dict(features))
            except _Reached as reached:
                return reached.states
        raise RuntimeError("the model never came to the layer at the cut")

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        """Compute the embeddings from the states at the cut.

        Parameters
        ----------
        states : Tensor of shape (n_texts, n_tokens, hidden_dim)
        mask : Tensor of shape (n_texts, n_tokens)
            1 for a token, 0 for padding.
        """

        def give(
            _: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]
        ) -> tuple[tuple[Any, ...], dict[str, Any]]:
            if inputs:
                return (states, *inputs[1:]), named
            return inputs, {**named, "hidden_states": states}

        # Any ids will do: the hook puts `states` in the place of what becomes of them.
        features = {"input_ids": torch.zeros_like(mask), "attention_mask": mask}
        with self._without_lower(), _before(self.layers[self.n_lower], give):
            vectors: Tensor = self.model(features)["sentence_embedding"]
        return vectors

    @contextmanager
    def _without_lower(self) -> Iterator[None]:
        owner, _, attribute = self._path.rpartition(".")
        module = self.model.get_submodule(owner)
        setattr(module, attribute, self.layers[self.n_lower :])
        try:
            yield
        finally:
            setattr(module, attribute, self.layers)


class _Reached(Exception):
    """Carries the states out of a model that need not run to its end."""

    def __init__(self, states: Tensor) -> None:
        super().__init__()
        self.states = states


@contextmanager
def _before(layer: nn.Module, hook: Any) -> Iterator[None]:
    handle = layer.register_forward_pre_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


def _cannot(name: str) -> EncoderError:
    return EncoderError(
        "The layers of the encoder {name} cannot be cut in two, so its lower hidden states cannot "
        "be kept; set cached_states to false.",
        name=name,
    )


class TrainableTopLayers(TrainableEncoder):
    """A sentence encoder of which only the last transformer layers learn.

    The lower layers build no graph and, where the device computes it, run in bfloat16, so a step
    costs little more than encoding. What they make of a text never changes: with `states` it is
    computed once and kept, and a step runs the last layers only.

    Parameters
    ----------
    encoder : SentenceEncoder
        Its weights are read afresh; the encoder itself is not changed.
    n_layers : int
        Of the transformer's last layers, at least 1.
    embeddings : bool
        Whether the word embeddings learn too; only with all layers.
    states : Path, optional
        Folder for the hidden states of the lower layers. A text goes through these alone, so that
        its states are the same whatever batch it was first met in.

    Raises
    ------
    EncoderError
        If the encoder has fewer layers, or its layers cannot be cut in two.
    """

    def __init__(
        self,
        encoder: SentenceEncoder,
        n_layers: int,
        *,
        embeddings: bool = False,
        states: Path | None = None,
    ) -> None:
        super().__init__(encoder)
        layers = transformer_layers(self.model)
        if not 1 <= n_layers <= len(layers):
            raise EncoderError(
                "{n_layers} layers of the encoder {encoder} were to be trained, but it has "
                "{count}.",
                n_layers=n_layers,
                encoder=encoder.name,
                count=len(layers),
            )
        if embeddings and n_layers < len(layers):
            raise EncoderError(
                "The word embeddings of the encoder {encoder} learn only with all its {count} "
                "layers; set tuned_layers to {count}, or tuned_embeddings to false.",
                encoder=encoder.name,
                count=len(layers),
            )
        for part in [self.model] if embeddings else layers[-n_layers:]:
            for parameter in part.parameters():
                parameter.data = parameter.data.float()
                parameter.requires_grad_(True)
        self.states: LowerStates | None = None
        if states is not None:
            n_lower = len(layers) - n_layers
            probe = self._padded(super()._rows(["one", "two of different lengths"]))
            with self._autocast():
                self._split = LayerSplit(self.model, n_lower, encoder.name, probe)
            stem = f"{encoder.revision}-lower-{n_lower}-{encoder.precision}"
            self.states = LowerStates(
                states / re.sub(r"[^A-Za-z0-9._-]+", "-", stem),
                self._split.hidden_dim,
                torch.bfloat16 if self.low_precision else torch.float32,
            )

    def _rows(self, texts: Sequence[str]) -> Sequence[Any]:
        if self.states is None:
            return super()._rows(texts)
        found = self.states.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            ids = super()._rows(missing)
            with torch.no_grad():
                new = {
                    text: self._split.lower(self._padded([row]))[0].to(self.states.dtype)
                    for text, row in zip(missing, ids, strict=True)
                }
            self.states.add(new)
            found |= new
        return [found[text] for text in texts]

    def _embed(self, rows: Sequence[Any]) -> Tensor:
        if self.states is None:
            return super()._embed(rows)
        shape = (len(rows), max(len(row) for row in rows))
        states = torch.zeros((*shape, self._split.hidden_dim), dtype=self.states.dtype)
        mask = torch.zeros(shape, dtype=torch.int64)
        for number, row in enumerate(rows):
            states[number, : len(row)] = row
            mask[number, : len(row)] = 1
        return self._split.upper(states.to(self.device), mask.to(self.device))

    def tuned_layers(self) -> dict[str, npt.NDArray[Any]]:
        """Return the trained weights in half precision, as `SentenceEncoder` takes them."""
        return {
            name: parameter.detach().cpu().to(torch.float16).numpy()
            for name, parameter in self.model.named_parameters()
            if parameter.requires_grad
        }
