"""The objective part of this room's recipes."""

from dataclasses import dataclass
from typing import Literal

from subclust.core.exceptions import TrainingError
from subclust.training.queries import QueryObjective
from subclust.training.recipe import check_least


@dataclass(frozen=True)
class SetObjective(QueryObjective):
    """CACTUS: a loss over the cosines of a subset (section 3.3), and what learns.

    Parameters
    ----------
    context, granularity, tuned_embeddings, head_rate, validation_queries
        As for `QueryObjective`; the context is that of ``cactus-query`` alone.
    tuned_layers : int
        Last layers of the encoder that learn, and in which entities see one another. 0 leaves the
        encoder as it is and trains a small network over its vectors, kept from before.
    lora_rank, lora_alpha : int, float
        Of adapters in all layers of the encoder, which then learn below a network over its vectors,
        through the set; with `tuned_layers` at 0.
    context_layers : int
        Last layers in which entities see one another; 0 for all, as in the paper.
    cached_states : bool
        Whether the hidden states below both are kept on disk.
    loss : {"augmented-triplet", "triplet", "structural", "cross-entropy"}
        Table 4; the paper's is the first.
    margin : float
        Gamma of the triplet losses, above 0.
    neutral_rate : float
        How many times as fast as the encoder's own layers the neutral similarity learns; 0 for as
        fast as the networks above them, `head_rate`. It begins at 0 (section 4.3), and no step
        moves it by more than its rate, so that a short training cannot bring it to where the
        cosines lie unless it learns faster than all else.
    structural_weight, structural_penalty : float
        C and r of the structural loss, at least 0.
    pair_scale : float
        Of the cross-entropy: what a difference of 1 in the cosine is worth in log odds, above 0.
    count_by : {"validated", "neutral"}
        Similarity at which the merging of groups ends where their number is automatic: the one
        chosen on the validation queries, or the neutral similarity that the loss has learned.
    self_supervised : bool
        Whether to learn from subsets made by dropping words of the training texts (appendix B),
        drawn again each epoch, instead of the training queries and their labels.
    subsets : int
        Made for an epoch of self-supervision; 0 for as many as there are training queries.
    noise : float
        Length, beside 1 for a passage's own vector, of what is drawn at random and added to it in
        each step of a training over kept vectors; at least 0. An encoder that was itself trained
        on the same queries tells their passages apart too well to learn from, and noise makes up
        for it.
    kept_share : float
        Share of what a training over kept vectors has learned that stays, above 0 to 1: how far
        to go from the network below, or from the encoder, towards what fits the training queries
        best. Part of the way holds better for queries of another kind (Wortsman and others, Robust
        fine-tuning of zero-shot models, 2022).
    """

    context_layers: int = 0
    loss: Literal["augmented-triplet", "triplet", "structural", "cross-entropy"] = (
        "augmented-triplet"
    )
    margin: float = 0.3
    neutral_rate: float = 0.0
    structural_weight: float = 0.15
    structural_penalty: float = 0.5
    pair_scale: float = 10.0
    count_by: Literal["validated", "neutral"] = "validated"
    self_supervised: bool = False
    subsets: int = 0
    noise: float = 0.0
    kept_share: float = 1.0

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        super().__post_init__()
        for name in ("margin", "pair_scale"):
            if getattr(self, name) <= 0:
                raise TrainingError(
                    "{name} must be above 0, but is {value}.",
                    name=name,
                    value=getattr(self, name),
                )
        check_least(
            self,
            neutral_rate=0,
            structural_weight=0,
            structural_penalty=0,
            context_layers=0,
            subsets=0,
            noise=0,
        )
        if self.self_supervised and self.cached_states:
            raise TrainingError(
                "Self-supervised training makes new texts each time, of which nothing can be kept; "
                "set cached_states to false."
            )
        if self.noise and self.tuned_layers:
            raise TrainingError(
                "noise is for training over kept vectors; set it to 0, or tuned_layers to 0."
            )
        if not 0 < self.kept_share <= 1:
            raise TrainingError(
                "kept_share must be above 0 and at most 1, but is {kept_share}.",
                kept_share=self.kept_share,
            )
        if self.kept_share < 1 and (self.tuned_layers or self.lora_rank):
            raise TrainingError(
                "kept_share is for training over kept vectors; set it to 1, or tuned_layers and "
                "lora_rank to 0."
            )
        if self.tuned_layers and self.lora_rank:
            raise TrainingError(
                "Low-rank adapters go with a network over the encoder's vectors; set tuned_layers "
                "to 0, or lora_rank to 0."
            )
