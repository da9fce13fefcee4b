"""The sides of SCL, FCL and their supervised rival in the training loop."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import IntArray
from subclust.methods.scl.models import LatentSpace
from subclust.methods.scl.objective import (
    SclObjective,
    consistency_loss,
    contrastive_loss,
    fcl_uda_loss,
    likeness_logits,
    pair_losses,
    weak_losses,
)
from subclust.methods.scl.weak_labels import WeakLabels
from subclust.training.collection_learner import CollectionLearner, even_batches


class SclLearner(CollectionLearner):
    """Puts two other wordings of a text together, and all other texts apart (section III-B).

    The text itself is not looked at, unless its wordings are to be like what it is like (UDA). A
    batch of ``batch_passages`` wordings is of half as many texts.
    """

    network: LatentSpace
    objective: SclObjective

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.learnt_views = (1, 2, 0) if self.objective.consistency else (1, 2)

    def batches(self, generator: np.random.Generator) -> Sequence[IntArray]:
        """Draw one epoch: every text once."""
        return even_batches(len(self), max(2, self.arguments.batch_passages // 2), generator)

    def batch_loss(self, batch: IntArray, vectors: Sequence[Tensor]) -> Tensor:
        """Compute equation 1 over the two wordings of each text, and with UDA add equation 3."""
        wordings = [self.network(part) for part in vectors[:2]]
        latent = torch.stack(wordings, dim=1).flatten(0, 1)
        contrastive = contrastive_loss(pair_losses(latent, self.objective.temperature))
        if not self.objective.consistency:
            return contrastive
        text = self.network(vectors[2])
        return fcl_uda_loss(contrastive, _uda_loss(text, wordings, self.objective.temperature))


class _WeakLearner(CollectionLearner):
    network: LatentSpace
    objective: SclObjective

    def __init__(self, *arguments: Any, weak_labels: WeakLabels, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.weak_labels = weak_labels
        self.known = np.flatnonzero(weak_labels.groups >= 0)


class FclLearner(_WeakLearner):
    """Puts texts that are known to belong together near each other (section III-A).

    A batch has two texts of each of up to ``batch_passages / 2`` groups; as many batches are drawn
    as it takes to see about as many texts as are known.

    Parameters
    ----------
    **options
        As for `CollectionLearner`.
    """

    def batches(self, generator: np.random.Generator) -> Sequence[IntArray]:
        """Draw one epoch."""
        groups = self.weak_labels.rows_of_groups()
        # Each pair of a batch is of another cluster (section III-A), so there are no more of them.
        n_pairs = min(max(2, self.arguments.batch_passages // 2), len(groups))
        drawn = []
        for _ in range(-(-len(self.known) // (2 * n_pairs))):
            chosen = generator.permutation(len(groups))[:n_pairs]
            rows = [generator.permutation(groups[group])[:2] for group in chosen]
            batch = np.concatenate(rows)
            drawn.append(np.append(batch, self._set_against(batch, generator)))
        return drawn

    def _set_against(self, batch: IntArray, generator: np.random.Generator) -> IntArray:
        """Draw single texts that are apart from those of the batch, where the batch has none."""
        if self.weak_labels.different(batch).any():
            return np.empty(0, dtype=np.int64)
        rows = self.known[self.weak_labels.different(batch, self.known).any(axis=0)]
        return np.asarray(generator.permutation(rows)[: len(batch)])

    def batch_loss(self, batch: IntArray, vectors: Sequence[Tensor]) -> Tensor:
        """Compute equation 1 over what is known, and with UDA equation 4."""
        latent = self.network(vectors[0])
        same = torch.as_tensor(self.weak_labels.same(batch), device=self.device)
        different = torch.as_tensor(self.weak_labels.different(batch), device=self.device)
        losses = weak_losses(latent, same, different, self.objective.temperature)
        # Of a text that nothing is known to differ from, nothing can be learned.
        counted = same & different.any(dim=1, keepdim=True)
        # 0 times something that is computed: a bare 0 would have no gradient to go back along.
        contrastive = contrastive_loss(losses[counted]) if counted.any() else 0 * latent.sum()
        if not self.objective.consistency:
            return contrastive
        wordings = [self.network(part) for part in vectors[1:]]
        return fcl_uda_loss(contrastive, _uda_loss(latent, wordings, self.objective.temperature))


class SupervisedLearner(_WeakLearner):
    """Learns a classifier by cross-entropy from the texts whose labels are read (section IV-D).

    A batch has as many texts as one of FCL's, drawn whatever their classes are.
    """

    def batches(self, generator: np.random.Generator) -> Sequence[IntArray]:
        """Draw one epoch: every known text once."""
        size = self.arguments.batch_passages
        if self.objective.two_per_class:
            size = min(size, 2 * len(self.weak_labels.rows_of_groups()))
        drawn = even_batches(len(self.known), size, generator)
        return [self.known[rows] for rows in drawn]

    def batch_loss(self, batch: IntArray, vectors: Sequence[Tensor]) -> Tensor:
        """Compute the cross-entropy of the known labels."""
        labels = torch.as_tensor(self.weak_labels.groups[batch], device=self.device)
        logits = self.network.classify(self.network(vectors[0]))
        return nn.functional.cross_entropy(logits, labels)


def _uda_loss(texts: Tensor, wordings: Sequence[Tensor], temperature: float) -> Tensor:
    """Compute equation 3 of a batch's texts and of other wordings of each."""
    own, *others = (likeness_logits(part, texts, temperature) for part in (texts, *wordings))
    return consistency_loss(own, others)
