"""A transformer cut in two between its layers, so that the lower part can be computed once."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from subclust.core.exceptions import EncoderError


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

        Returns
        -------
        Tensor of shape (n_texts, n_tokens, hidden_dim)
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

        Returns
        -------
        Tensor of shape (n_texts, embedding_dim)
        """

        def give(
            _: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]
        ) -> tuple[tuple[Any, ...], dict[str, Any]]:
            if inputs:
                return (states, *inputs[1:]), named
            return inputs, {**named, "hidden_states": states}

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
