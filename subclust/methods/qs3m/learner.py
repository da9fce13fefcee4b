"""The QS3M room's side of the training loop."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import IntArray
from subclust.methods.qs3m.objective import Calibration, Objective, draw_triple, pair_loss
from subclust.methods.qs3m.sentence_attention import padded
from subclust.training.queries import Drawn, QueryLearner, QueryObjective


class PairLearner(QueryLearner):
    """Trains a network to tell pairs of one subtopic from pairs of two.

    Parameters
    ----------
    head, training, validation, objective, arguments, encoder, device
        As for `QueryLearner`, with an `Objective` of this room.
    """

    objective: Objective

    @classmethod
    def only_in_training(cls, objective: QueryObjective) -> dict[str, nn.Module]:
        """Return the scale and shift of the scores, where the loss needs them."""
        uses = cast(Objective, objective).loss == "bce"
        return {"calibration": Calibration() if uses else nn.Identity()}

    @property
    def calibration(self) -> nn.Module:
        """What turns scores into what the loss takes."""
        return self.model.get_submodule("calibration")

    def draw_pairs(self, labels: IntArray, generator: np.random.Generator) -> IntArray:
        """Take all pairs, or those of one triple."""
        return draw_triple(labels, generator) if self.objective.pairs == "triples" else labels

    def query_losses(
        self, batch: Sequence[Drawn], vectors: Sequence[tuple[Tensor, Tensor]]
    ) -> list[Tensor]:
        """Compute the loss over the pairs of each query."""
        losses = []
        for drawn, (query, passages) in zip(batch, vectors, strict=True):
            scores = self.calibration(self.scores(drawn, query, passages))
            labels = torch.as_tensor(drawn.labels, device=self.device)
            losses.append(pair_loss(scores, labels, self.objective.loss))
        return losses

    def read(self, drawn: Drawn, passages: Tensor) -> tuple[Tensor, ...]:
        """Return the sentences of the passages, where the network reads them."""
        if drawn.query.sentences is None:
            return (passages,)
        parts = padded([drawn.query.sentences[row] for row in drawn.rows])
        return tuple(part.to(self.device) for part in parts)
