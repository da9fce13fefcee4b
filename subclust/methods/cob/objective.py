"""The objective part of this room's recipes."""

from dataclasses import dataclass
from typing import Literal

from subclust.core.exceptions import TrainingError
from subclust.training.query_objective import QueryObjective


@dataclass(frozen=True)
class ClusteringObjective(QueryObjective):
    """COB: the groups found against the true ones, and a regulariser (sections 3.3 and 3.4).

    Parameters
    ----------
    context, granularity, tuned_layers, tuned_embeddings, cached_states, lora_rank, lora_alpha,
    head_rate, validation_queries
        As for `QueryObjective`.
    loss : {"rand", "adjusted-rand", "purity"}
        What the groups are judged by; the paper's is the Rand index.
    interpolation : float
        Lambda, above 0. The default is the paper's for 20 Newsgroups (table 3).
    regularisation : float
        r, at least 0; the same.
    clusterer : {"average-link", "k-means"}
        That groups in training; the paper's is average link.
    noise : float
        Standard deviation of what is added to each distance before it is clustered, at least 0.
        Not in the paper, which has none: see `ClusteringLearner`.
    samples : int
        How often each set is clustered with other noise, at least 1.
    """

    loss: Literal["rand", "adjusted-rand", "purity"] = "rand"
    interpolation: float = 90.0
    regularisation: float = 1.0
    clusterer: Literal["average-link", "k-means"] = "average-link"
    noise: float = 0.0
    samples: int = 1

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        super().__post_init__()
        if self.interpolation <= 0:
            raise TrainingError(
                "interpolation must be above 0, but is {interpolation}.",
                interpolation=self.interpolation,
            )
        for name, least in (("regularisation", 0), ("noise", 0), ("samples", 1)):
            if getattr(self, name) < least:
                raise TrainingError(
                    "{name} must be at least {least}, but is {value}.",
                    name=name,
                    least=least,
                    value=getattr(self, name),
                )


@dataclass(frozen=True)
class TripletObjective(QueryObjective):
    """SBERT Triplet: the baseline that the paper trains on the same sets (section 4.2).

    Parameters
    ----------
    context, granularity, tuned_layers, tuned_embeddings, cached_states, lora_rank, lora_alpha,
    head_rate, validation_queries
        As for `QueryObjective`.
    triplets : {"all", "sampled", "whole-set"}
        All triplets of the sets, each an example of its own, as in the paper; so many of each set
        (`triplets_per_query`), drawn anew each epoch; or all triplets of a set at once, from one
        encoding of its passages, which the paper does not do and which costs what COB costs.
    triplets_per_query : int
        At least 1.
    margin : float
        Epsilon, above 0, on the scale of the distances of vectors of length 1.
    """

    triplets: Literal["all", "sampled", "whole-set"] = "all"
    triplets_per_query: int = 64
    margin: float = 0.5

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        super().__post_init__()
        if self.triplets_per_query < 1:
            raise TrainingError(
                "triplets_per_query must be at least 1, but is {triplets_per_query}.",
                triplets_per_query=self.triplets_per_query,
            )
        if self.margin <= 0:
            raise TrainingError("margin must be above 0, but is {margin}.", margin=self.margin)
