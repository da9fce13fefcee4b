"""What every objective over whole queries has: context, granularity, how the encoder is tuned."""

from dataclasses import dataclass
from typing import Literal

from subclust.core.exceptions import TrainingError

Granularity = Literal["flat", "hierarchical"]
"""Whether passages of one top-level subtopic belong together, or of one full path."""


@dataclass(frozen=True)
class QueryObjective:
    """The part of a recipe's objective that all methods share.

    Parameters
    ----------
    context : {"title", "description", "passages", "mixed"}
        Representation of the query; ``"mixed"`` draws one of the three each time.
    granularity : {"flat", "hierarchical"}
        Whether passages of one top-level subtopic belong together, or of one full path.
    tuned_layers : int
        Last layers of the encoder that are trained too; 0 trains on cached embeddings.
    tuned_embeddings : bool
        Whether its word embeddings are trained as well, so that the whole encoder learns; with
        `tuned_layers` at the number of its layers.
    cached_states : bool
        Whether the hidden states below the tuned layers are kept on disk, some 80 kB a passage, so
        that only the tuned layers run from the second time a passage is met.
    lora_rank : int
        Rank of adapters that are trained in all layers of the encoder, instead of `tuned_layers`;
        0 for none.
    lora_alpha : float
        Their scale is this over the rank; 0 for twice the rank.
    head_rate : float
        Multiple of the learning rate at which the head learns, above 0; new weights want a higher
        rate than tuned ones.
    validation_queries : int
        Queries scored during training, drawn from the validation set by the seed; 0 for all.
    """

    context: Literal["title", "description", "passages", "mixed"] = "title"
    granularity: Granularity = "flat"
    tuned_layers: int = 0
    tuned_embeddings: bool = False
    cached_states: bool = False
    lora_rank: int = 0
    lora_alpha: float = 0.0
    head_rate: float = 1.0
    validation_queries: int = 0

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        for name in ("tuned_layers", "lora_rank", "lora_alpha", "validation_queries"):
            if getattr(self, name) < 0:
                raise TrainingError(
                    "{name} must be at least 0, but is {value}.",
                    name=name,
                    value=getattr(self, name),
                )
        if self.head_rate <= 0:
            raise TrainingError(
                "head_rate must be above 0, but is {head_rate}.", head_rate=self.head_rate
            )
