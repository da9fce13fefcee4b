"""What the networks of the QS3M room are trained on: pairs, labels and losses (section 3.2)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from subclust.exceptions import TrainingError
from subclust.records import ClusteringInstance, IntArray


@dataclass(frozen=True)
class Objective:
    """The objective part of a recipe.

    Parameters
    ----------
    loss : {"bce", "mse"}
        Binary cross-entropy on scores that are scaled and shifted by two learned numbers, or the
        mean squared error of the score against the 0/1 label, as in the authors' code.
    pairs : {"all", "triples"}
        All pairs of a query, same and different weighing equally; or, as in the paper, three
        passages a query, two of one subtopic and one of another, drawn anew each epoch.
    context : {"title", "description", "passages", "mixed"}
        Representation of the query; ``"mixed"`` draws one of the three each time.
    granularity : {"flat", "hierarchical"}
        Whether passages of one top-level subtopic belong together, or of one full path. At the
        full path, pairs of a parent and its child are left out as ambiguous.
    tuned_layers : int
        Last layers of the encoder that are trained too; 0 trains on cached embeddings.
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
    part : {"pairs", "gate"}
        What is trained: the network by pairs, or only the relevance gate of Centred QS3M, by hit
        sets with and without passages of other queries (`training.mixing`).
    """

    loss: Literal["bce", "mse"] = "bce"
    pairs: Literal["all", "triples"] = "all"
    context: Literal["title", "description", "passages", "mixed"] = "title"
    granularity: Literal["flat", "hierarchical"] = "flat"
    tuned_layers: int = 0
    cached_states: bool = False
    lora_rank: int = 0
    lora_alpha: float = 0.0
    head_rate: float = 1.0
    validation_queries: int = 0
    part: Literal["pairs", "gate"] = "pairs"

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        for name in ("tuned_layers", "lora_rank", "lora_alpha", "validation_queries"):
            if getattr(self, name) < 0:
                raise TrainingError(f"{name} must be at least 0, but is {getattr(self, name)}.")
        if self.head_rate <= 0:
            raise TrainingError(f"head_rate must be above 0, but is {self.head_rate}.")


class Calibration(nn.Module):
    """Scale and shift that turn scores into logits; used in training only."""

    def __init__(self, scale: float = 8.0, shift: float = -1.0) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(float(np.log(scale))))
        self.shift = nn.Parameter(torch.tensor(shift))

    def forward(self, scores: Tensor) -> Tensor:
        """Give logits of the same shape."""
        return self.log_scale.exp() * scores + self.shift


def pair_labels(
    instance: ClusteringInstance, granularity: Literal["flat", "hierarchical"]
) -> IntArray:
    """Say of each pair whether its passages belong together.

    Parameters
    ----------
    instance : ClusteringInstance
    granularity : {"flat", "hierarchical"}

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        1 same, 0 different, -1 not to be used: the diagonal, and at the full path the pairs of a
        parent and its descendant.
    """
    gold = instance.gold(granularity)
    number = np.unique(gold, return_inverse=True)[1]
    labels: IntArray = (number[:, None] == number[None, :]).astype(np.int64)
    if granularity == "hierarchical":
        names = np.unique(gold)
        below = np.array([[a.startswith(f"{b} / ") for b in names] for a in names])
        ambiguous = below | below.T
        labels[ambiguous[np.ix_(number, number)]] = -1
    np.fill_diagonal(labels, -1)
    return labels


def draw_triple(labels: IntArray, generator: np.random.Generator) -> IntArray:
    """Draw three passages, two of one subtopic and one of another, and keep one pair of each kind.

    Parameters
    ----------
    labels : ndarray of shape (n_passages, n_passages)
        As `pair_labels` gives them.
    generator : numpy.random.Generator

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        `labels` with all pairs but two at -1: one same and one different, symmetric; all at -1
        where no triple can be drawn.
    """
    result = np.full_like(labels, -1)
    anchors = np.flatnonzero((labels == 1).any(axis=1) & (labels == 0).any(axis=1))
    if len(anchors):
        anchor = generator.choice(anchors)
        for value in (1, 0):
            other = generator.choice(np.flatnonzero(labels[anchor] == value))
            result[anchor, other] = result[other, anchor] = value
    return result


def pair_loss(scores: Tensor, labels: Tensor, kind: Literal["bce", "mse"]) -> Tensor:
    """Compute the loss over the usable pairs of one query, same and different weighing equally.

    Parameters
    ----------
    scores : Tensor of shape (n_passages, n_passages)
        Logits for ``"bce"``; similarities near 0 to 1 for ``"mse"``.
    labels : Tensor of shape (n_passages, n_passages)
        1 same, 0 different, -1 unused. Of both kinds at least one.
    kind : {"bce", "mse"}

    Returns
    -------
    Tensor
        Scalar, at least 0; lower is better.
    """
    target = labels.clamp(min=0).to(scores.dtype)
    if kind == "mse":
        losses = (scores - target) ** 2
    else:
        losses = nn.functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
    return (losses[labels == 1].mean() + losses[labels == 0].mean()) / 2
