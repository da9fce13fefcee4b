"""What the set encoders need of a transformer: its layers, open where attention happens."""

from abc import ABC, abstractmethod

from torch import Tensor, nn


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
