"""What the networks of the QS3M room are trained on: pairs, labels and losses (section 3.2)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import IntArray
from subclust.training.queries import QueryObjective


@dataclass(frozen=True)
class Objective(QueryObjective):
    """The objective part of a recipe.

    At the full path, pairs of a parent and its child are left out as ambiguous.

    Parameters
    ----------
    head_rate, validation_queries
        As for `QueryObjective`.
    loss : {"bce", "mse"}
        Binary cross-entropy on scores that are scaled and shifted by two learned numbers, or the
        mean squared error of the score against the 0/1 label, as in the authors' code.
    pairs : {"all", "triples"}
        All pairs of a query, same and different weighing equally; or, as in the paper, three
        passages a query, two of one subtopic and one of another, drawn again each epoch.
    part : {"pairs", "gate", "words"}
        What is trained: the network by pairs; or only the relevance gate of Centred QS3M, by hit
        sets with and without passages of other queries (`training.mixing`); or only the weight of
        its shared words, by the validation queries (`training`).
    """

    loss: Literal["bce", "mse"] = "bce"
    pairs: Literal["all", "triples"] = "all"
    part: Literal["pairs", "gate", "words"] = "pairs"


class Calibration(nn.Module):
    """Scale and shift that turn scores into logits; used in training only."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(float(np.log(8.0))))
        self.shift = nn.Parameter(torch.tensor(-1.0))

    def forward(self, scores: Tensor) -> Tensor:
        """Return logits of the same shape."""
        return self.log_scale.exp() * scores + self.shift


def draw_triple(labels: IntArray, generator: np.random.Generator) -> IntArray:
    """Draw three passages, two of one subtopic and one of another, and keep one pair of each kind.

    Parameters
    ----------
    labels : ndarray of shape (n_passages, n_passages)
        As `pair_labels` returns them.
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
