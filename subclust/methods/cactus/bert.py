"""BERT and its family: places are in the embedding, norms come after each part of a layer."""

from typing import Any

from torch import Tensor, nn

from subclust.methods.cactus.body import Body


class BertBody(Body):
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


class MPNetBody(BertBody):
    """MPNet: places in the embedding as BERT's, and a bias by distance that all layers share."""

    def position_bias(self, n_tokens: int) -> Tensor:
        """Return the bias by distance."""
        encoder: Any = self.model.encoder
        weight: Tensor = encoder.relative_attention_bias.weight
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
