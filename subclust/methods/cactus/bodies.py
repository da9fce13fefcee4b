"""The layers of BERT, MPNet and T5 one by one, so that attention can be replaced."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from subclust.core.exceptions import EncoderError


class Body(nn.Module, ABC):
    """A pretrained transformer encoder whose attention is done outside it.

    A layer is ``leave(n, states, attend(queries(n, entered), *keys_values(n, entered)))`` with
    ``entered = enter(n, states)``.

    Parameters
    ----------
    model : nn.Module
        A model of transformers; taken over and not copied.

    Attributes
    ----------
    layers : ModuleList
    hidden_dim : int
    n_heads : int
    scale : float
        Of the inner products of queries and keys.
    """

    layers: nn.ModuleList
    hidden_dim: int
    n_heads: int
    scale: float

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    @abstractmethod
    def embed(self, ids: Tensor) -> Tensor:
        """Return the states of word pieces before the first layer, places counted from each row.

        Parameters
        ----------
        ids : LongTensor of shape (n_rows, n_tokens)
            Padded with the tokenizer's own piece.

        Returns
        -------
        Tensor of shape (n_rows, n_tokens, hidden_dim)
        """

    def position_bias(self, n_tokens: int) -> Tensor | None:
        """Return what is added before the softmax, shape (n_heads, n_tokens, n_tokens), or None."""
        return None

    def enter(self, number: int, states: Tensor) -> Tensor:
        """Return what the attention of a layer reads of its states, of the same shape."""
        return states

    @abstractmethod
    def queries(self, number: int, entered: Tensor) -> Tensor:
        """Project to queries, shape (..., n_heads * head_dim)."""

    @abstractmethod
    def keys_values(self, number: int, entered: Tensor) -> tuple[Tensor, Tensor]:
        """Project to keys and values, each of shape (..., n_heads * head_dim)."""

    @abstractmethod
    def leave(self, number: int, states: Tensor, attended: Tensor) -> Tensor:
        """Go through the rest of a layer, from what was attended to the next layer's states."""

    def finish(self, states: Tensor) -> Tensor:
        """Return the last hidden states from those after the last layer."""
        return states

    def last_parameters(self) -> list[nn.Parameter]:
        """Return the weights of `finish`, which learn with the last layer."""
        return []


class _BertBody(Body):
    """BERT, MiniLM, RoBERTa and XLM-RoBERTa.

    Places are added to the word pieces before the first layer, so no term of equation 3 is left
    for the attention; they are counted from the beginning of each entity.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        config: Any = model.config
        encoder: Any = model.encoder
        self.layers = encoder.layer
        self.hidden_dim = config.hidden_size
        self.n_heads = config.num_attention_heads
        self.scale = (config.hidden_size / config.num_attention_heads) ** -0.5

    def embed(self, ids: Tensor) -> Tensor:
        """Return the states of word pieces before the first layer."""
        embeddings: Any = self.model.embeddings
        states: Tensor = embeddings(input_ids=ids)
        return states

    def queries(self, number: int, entered: Tensor) -> Tensor:
        """Project to queries."""
        layer: Any = self.layers[number]
        projected: Tensor = layer.attention.self.query(entered)
        return projected

    def keys_values(self, number: int, entered: Tensor) -> tuple[Tensor, Tensor]:
        """Project to keys and values."""
        layer: Any = self.layers[number]
        return layer.attention.self.key(entered), layer.attention.self.value(entered)

    def leave(self, number: int, states: Tensor, attended: Tensor) -> Tensor:
        """Go through the rest of a layer."""
        layer: Any = self.layers[number]
        between = layer.attention.output(attended, states)
        after: Tensor = layer.feed_forward_chunk(between)
        return after


class _MPNetBody(_BertBody):
    """MPNet: places in the embedding as BERT's, and a bias by distance that all layers share."""

    def position_bias(self, n_tokens: int) -> Tensor:
        """Return the bias by distance."""
        encoder: Any = self.model.encoder
        weight: Tensor = encoder.relative_attention_bias.weight
        # It reads only the shape and the device of its argument.
        bias: Tensor = encoder.compute_position_bias(weight.new_empty(1, n_tokens))
        return bias[0]

    def queries(self, number: int, entered: Tensor) -> Tensor:
        """Project to queries."""
        layer: Any = self.layers[number]
        projected: Tensor = layer.attention.attn.q(entered)
        return projected

    def keys_values(self, number: int, entered: Tensor) -> tuple[Tensor, Tensor]:
        """Project to keys and values."""
        layer: Any = self.layers[number]
        return layer.attention.attn.k(entered), layer.attention.attn.v(entered)

    def leave(self, number: int, states: Tensor, attended: Tensor) -> Tensor:
        """Go through the rest of a layer."""
        layer: Any = self.layers[number]
        between = layer.attention.LayerNorm(layer.attention.attn.o(attended) + states)
        after: Tensor = layer.output(layer.intermediate(between), between)
        return after


class _T5Body(Body):
    r"""The encoder of T5 or Flan-T5, as in the paper.

    :math:`\phi` of equation 3 is the relative position bias, which the first layer keeps for all of
    them, and inner products are not scaled.
    """

    scale = 1.0

    def __init__(self, model: nn.Module) -> None:
        stack: Any = model.encoder
        super().__init__(stack)  # without the decoder, where there is one
        config: Any = stack.config
        self.hidden_dim = config.d_model
        self.n_heads = config.num_heads
        self.layers = stack.block

    def embed(self, ids: Tensor) -> Tensor:
        """Return the states of word pieces before the first layer; places are not in them."""
        stack: Any = self.model
        states: Tensor = stack.embed_tokens(ids)
        return states

    def position_bias(self, n_tokens: int) -> Tensor:
        """Return the bias by distance, of the first layer."""
        bias: Tensor = self._attention(0).compute_bias(n_tokens, n_tokens)
        return bias[0]

    def enter(self, number: int, states: Tensor) -> Tensor:
        """Normalise the states."""
        layer: Any = self.layers[number]
        entered: Tensor = layer.layer[0].layer_norm(states)
        return entered

    def queries(self, number: int, entered: Tensor) -> Tensor:
        """Project to queries."""
        projected: Tensor = self._attention(number).q(entered)
        return projected

    def keys_values(self, number: int, entered: Tensor) -> tuple[Tensor, Tensor]:
        """Project to keys and values."""
        attention = self._attention(number)
        return attention.k(entered), attention.v(entered)

    def leave(self, number: int, states: Tensor, attended: Tensor) -> Tensor:
        """Go through the rest of a layer."""
        layer: Any = self.layers[number]
        after: Tensor = layer.layer[-1](states + self._attention(number).o(attended))
        return after

    def finish(self, states: Tensor) -> Tensor:
        """Normalise the states after the last layer."""
        stack: Any = self.model
        finished: Tensor = stack.final_layer_norm(states)
        return finished

    def last_parameters(self) -> list[nn.Parameter]:
        """Return the weights of the last norm."""
        stack: Any = self.model
        return list(stack.final_layer_norm.parameters())

    def _attention(self, number: int) -> Any:
        layer: Any = self.layers[number]
        return layer.layer[0].SelfAttention


FAMILIES: dict[str, Callable[[nn.Module], Body]] = {
    "bert": _BertBody,
    "roberta": _BertBody,
    "xlm-roberta": _BertBody,
    "mpnet": _MPNetBody,
    "t5": _T5Body,
}
"""By the ``model_type`` that a model's configuration names."""


def find_body(model: nn.Module, name: str) -> Body:
    """Open a model of transformers at its attention.

    Parameters
    ----------
    name : str
        Of the encoder, for the error.

    Raises
    ------
    EncoderError
        If its family is not among `FAMILIES`.
    """
    config: Any = getattr(model, "config", None)
    family = getattr(config, "model_type", type(model).__name__)
    if family not in FAMILIES:
        raise EncoderError(
            "The encoder {name} is of the family {family}, whose attention cannot be opened to "
            "other entities; choose one of the families {names}.",
            name=name,
            family=family,
            names=", ".join(FAMILIES),
        )
    return FAMILIES[family](model)
