"""What a method brings to the training loop, and what comes of a run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from torch import Tensor, nn


class Learner(ABC):
    """What a method brings to the loop: a network, its batches, its loss and its validation.

    Attributes
    ----------
    model : nn.Module
        Parameters that require no gradient are neither trained nor saved.
    primary_metric : str
        Key of what `evaluate` returns; higher is better.
    objective : object
        What decides batches and loss, with a `repr` that tells it whole: a run is not resumed with
        another one. None where there is nothing to decide.
    keeps_last : bool
        Whether the last validated weights are kept instead of the best: for methods without labels,
        which have nothing to choose by.
    """

    model: nn.Module
    primary_metric: str = "ari"
    objective: object = None
    keeps_last: bool = False

    def epoch_batches(self, epoch: int, generator: np.random.Generator) -> Sequence[Any]:
        """Draw the batches of one epoch, counted from 0, for methods whose epochs differ.

        A resumed run draws the epochs before again, in order.
        """
        return self.batches(generator)

    @abstractmethod
    def batches(self, generator: np.random.Generator) -> Sequence[Any]:
        """Draw one epoch's batches; the same generator state gives the same batches."""

    @abstractmethod
    def loss(self, batch: Any) -> Tensor:
        """Compute the loss of a batch, a scalar; lower is better."""

    def rate(self, name: str) -> float:
        """Return the multiple of the learning rate at which a parameter learns."""
        return 1.0

    @abstractmethod
    def evaluate(self) -> Mapping[str, float]:
        """Score the network on held-out queries; in evaluation mode, without gradient."""


@dataclass(frozen=True)
class TrainingResult:
    """What came of a run.

    Parameters
    ----------
    metrics : mapping of str to float
        Of the best validation.
    seconds : float
        Of training and validation, over all resumed parts.
    training_seconds : float
        Of the steps alone: validation and saving are not counted.
    steps_per_epoch : int
        In the first epoch; learners that pack queries anew may make others a little longer.
    stopped : str
        ``"finished"``, ``"patience"``, or ``"stop"`` (asked to).
    history : list of mappings
        Each validation: step, epoch (passes so far, with its fraction), training_seconds so far,
        loss and metrics.
    """

    metrics: Mapping[str, float]
    best_step: int
    steps: int
    seconds: float
    training_seconds: float
    steps_per_epoch: int
    stopped: str
    history: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
