"""AECL's side of the training loop: three stages over one collection (Algorithm 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from subclust.core.records import IntArray
from subclust.methods.aecl.losses import (
    assignment_entropy,
    cluster_loss,
    cluster_terms,
    confident_labels,
    guided_terms,
    instance_terms,
    mean_assignment_entropy,
    pseudo_label_loss,
    similarity_guided_loss,
)
from subclust.methods.aecl.models import AeclNetwork, View
from subclust.methods.aecl.objective import (
    AeclObjective,
    first_epochs,
    second_epochs,
    second_stage_loss,
    stage_of,
    third_stage_loss,
)
from subclust.methods.aecl.pseudo_labels import kmeans_pseudo_labels, read_labels, write_labels
from subclust.training.collection_learner import CollectionLearner, even_batches

_WATCHED = 2000


@dataclass(frozen=True)
class Batch:
    """Some texts, in one of the three stages; in the second with pseudo-labels."""

    rows: IntArray
    stage: Literal[1, 2, 3]
    labels: IntArray | None = None


class AeclLearner(CollectionLearner):
    """Trains AECL's networks, and the encoder's last layers, stage by stage.

    Parameters
    ----------
    network, views, objective, arguments, encoder, vectors, folder, device
        As for `CollectionLearner`, with an `AeclNetwork`, two views and an `AeclObjective`.
    """

    network: AeclNetwork
    objective: AeclObjective
    primary_metric = "confident"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.first = first_epochs(self.objective, len(self))
        self.second = second_epochs(self.objective, len(self), self.network.n_clusters)

    def epoch_batches(self, epoch: int, generator: np.random.Generator) -> Sequence[Batch]:
        """Draw one epoch: every text once, in the stage of that epoch."""
        stage = stage_of(epoch, self.first, self.second)
        labels = self._pseudo_labels() if stage == 2 else None
        drawn = even_batches(len(self), self.arguments.batch_passages, generator)
        return [Batch(rows, stage, None if labels is None else labels[rows]) for rows in drawn]

    def _pseudo_labels(self) -> IntArray:
        """Group the texts by k-means once, when the second stage begins."""
        # Read where a resumed run has them: the encoder may have learned since they were made.
        labels = read_labels(self.folder, len(self))
        if labels is None:
            labels = kmeans_pseudo_labels(
                self.all_vectors(),
                self.network.n_clusters,
                self.arguments.seed,
                n_neighbors=self.objective.n_neighbors,
                n_steps=self.objective.n_steps,
            )
            write_labels(self.folder, labels)
        return labels

    def rows_of(self, batch: Batch) -> IntArray:
        """Return the positions of a batch's texts."""
        return batch.rows

    def batch_loss(self, batch: Batch, vectors: Sequence[Tensor]) -> Tensor:
        """Compute the loss of a batch in its stage."""
        view0, view1 = (self.network(part) for part in vectors)
        instance = _instance_loss(view0, view1, self.objective)
        if batch.stage == 1:
            return self.objective.instance_weight * instance
        if batch.stage == 2:
            labels = torch.as_tensor(batch.labels, device=self.device)
            return second_stage_loss(
                instance, pseudo_label_loss(labels, view1.logits), self.objective
            )
        p0, p1 = view0.p, view1.p
        labels = confident_labels(p0.detach(), self.objective.threshold)
        return third_stage_loss(
            cluster_loss(cluster_terms(p0, p1, self.objective.cluster_temperature)),
            instance,
            pseudo_label_loss(labels, view1.logits),
            assignment_entropy(p0),
            mean_assignment_entropy(p0, p1),
            self.objective,
        )

    def evaluate(self) -> Mapping[str, float]:
        """Watch some texts, without labels; nothing is chosen by it.

        Returns
        -------
        dict of str to float
            ``confident``, the share of texts that have a pseudo-label, and ``groups``, the number
            of clusters in use.
        """
        # The same texts each time, so that the figures of a run can be compared.
        generator = np.random.default_rng(self.arguments.seed)
        rows = generator.permutation(len(self))[:_WATCHED]
        confident, used = 0, set()
        for part in np.array_split(rows, -(-len(rows) // self.arguments.batch_passages)):
            p = self.network(self.vectors_of(part, [0])[0]).p
            confident += int((p.max(dim=1).values > self.objective.threshold).sum())
            used |= set(p.argmax(dim=1).tolist())
        return {"confident": confident / len(rows), "groups": float(len(used))}


def _instance_loss(view0: View, view1: View, objective: AeclObjective) -> Tensor:
    """Compute the similarity-guided contrastive loss of two views (equations 6, 7 and 9)."""
    temperature = objective.instance_temperature
    l1 = instance_terms(view0.z, view1.z, temperature)
    if not objective.guided:
        return similarity_guided_loss(l1, None)
    groups = view0.logits.argmax(dim=1)
    l2 = [
        guided_terms(view.z, view.h, view.s, groups, temperature, itself=objective.itself)
        for view in (view0, view1)
    ]
    return similarity_guided_loss(l1, (l2[0], l2[1]))
