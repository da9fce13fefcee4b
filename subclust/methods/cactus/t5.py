"""T5: norms come before each part of a layer, places are a bias by distance."""

from typing import Any

from torch import Tensor, nn

from subclust.methods.cactus.body import Body


class T5Body(Body):
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
