"""The rivals' sides of the training loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.methods.rivals.kept_arrays import kept_array
from benchmarks.methods.rivals.models import RstcNetwork, ScclNetwork, SelfTrainNetwork
from benchmarks.methods.rivals.objectives import (
    RstcObjective,
    ScclObjective,
    SelfTrainObjective,
)
from benchmarks.methods.rivals.soft_assignments import (
    assignment_divergence,
    kmeans_centres,
    student_assignments,
    target_distribution,
)
from benchmarks.methods.rivals.transport import adaptive_transport
from subclust.core.records import FloatArray, IntArray
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.training.collection_learner import CollectionLearner, even_batches

_TEXTS_AT_ONCE = 4096


@dataclass(frozen=True)
class Batch:
    """Some texts, with what was computed over all of them where the loss asks for it."""

    rows: IntArray
    labels: IntArray | None = None
    targets: FloatArray | None = None


class _RivalLearner(CollectionLearner):
    """What the three share."""

    def rows_of(self, batch: Batch) -> IntArray:
        """Return the positions of a batch's texts."""
        return batch.rows

    def drawn(self, generator: np.random.Generator) -> list[IntArray]:
        """Share the texts out."""
        return even_batches(len(self), self.arguments.batch_passages, generator)

    def over_all(self, compute: Callable[[Tensor], Tensor]) -> FloatArray:
        """Compute something of all texts' vectors as the networks are now."""
        before = self.model.training
        vectors = self.all_vectors()
        self.model.eval()
        with torch.no_grad():
            parts = [
                compute(torch.as_tensor(vectors[at : at + _TEXTS_AT_ONCE], device=self.device))
                for at in range(0, len(vectors), _TEXTS_AT_ONCE)
            ]
        self.model.train(before)
        return np.asarray(torch.cat(parts).cpu().numpy())


class _CentredLearner(_RivalLearner):
    """Of a network with cluster centres, which begin at those of k-means."""

    network: SelfTrainNetwork | ScclNetwork

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._first: Tensor | None = None

    def find_centres(self) -> None:
        """Find where the centres begin, once a run."""
        centres = self.network.centres
        found = kept_array(
            self.folder,
            "centres",
            tuple(centres.shape),
            lambda: kmeans_centres(
                self.over_all(self.network.points), len(centres), self.arguments.seed
            ),
        )
        self._first = torch.as_tensor(found, dtype=centres.dtype, device=self.device)

    def begin(self) -> None:
        """Put the centres where they begin, unless they have begun: then they are not all 0."""
        if self._first is not None and not self.network.centres.any():
            with torch.no_grad():
                self.network.centres.copy_(self._first)


class SelfTrainLearner(_CentredLearner):
    """An autoencoder, whose latent space is then trained on its own sharpened assignments.

    Targets are made of all texts' assignments when an epoch begins, and stay until it ends: targets
    that follow each step sharpen themselves until all texts are in one place.
    """

    network: SelfTrainNetwork
    objective: SelfTrainObjective

    def epoch_batches(self, epoch: int, generator: np.random.Generator) -> Sequence[Batch]:
        """Draw one epoch: every text once."""
        rows = self.drawn(generator)
        if epoch < self.objective.pretraining:
            return [Batch(some) for some in rows]
        self.find_centres()
        targets = kept_array(
            self.folder,
            f"targets-{epoch}",
            (len(self), self.network.n_clusters),
            self._targets,
        )
        return [Batch(some, targets=targets[some]) for some in rows]

    def _targets(self) -> FloatArray:
        self.begin()
        q = torch.as_tensor(self.over_all(self.network.assign), dtype=torch.float32)
        return target_distribution(q).numpy()

    def batch_loss(self, batch: Batch, vectors: Sequence[Tensor]) -> Tensor:
        """Compute the reconstruction, or the divergence from the targets."""
        if batch.targets is None:
            wanted = vectors[0] * self.network.scale
            return nn.functional.mse_loss(self.network.decode(self.network.encode(wanted)), wanted)
        self.begin()
        q = self.network.assign(vectors[0])
        return assignment_divergence(torch.as_tensor(batch.targets, device=self.device), q)


class ScclLearner(_CentredLearner):
    """Contrast of two wordings, and at the same time the divergence of the text's assignments."""

    network: ScclNetwork
    objective: ScclObjective

    def epoch_batches(self, epoch: int, generator: np.random.Generator) -> Sequence[Batch]:
        """Draw one epoch: every text once."""
        self.find_centres()
        return [Batch(rows) for rows in self.drawn(generator)]

    def batch_loss(self, batch: Batch, vectors: Sequence[Tensor]) -> Tensor:
        """Compute both losses."""
        self.begin()
        q = student_assignments(
            self.network.points(vectors[0]), self.network.centres, self.objective.freedom
        )
        return sccl_loss(
            assignment_divergence(target_distribution(q.detach()), q),
            instance_contrast(
                self.network.contrast(vectors[1]),
                self.network.contrast(vectors[2]),
                self.objective.temperature,
            ),
            self.objective.instance_weight,
        )


class RstcLearner(_RivalLearner):
    """Contrast of two wordings, and their classes by pseudo-labels.

    Pseudo-labels are those of k-means in the first epochs that have any, made once, then of optimal
    transport, made anew when an epoch begins.
    """

    network: RstcNetwork
    objective: RstcObjective

    def epoch_batches(self, epoch: int, generator: np.random.Generator) -> Sequence[Batch]:
        """Draw one epoch: every text once."""
        rows = self.drawn(generator)
        first = self.objective.first_stage
        if epoch < first:
            return [Batch(some) for some in rows]
        if epoch < first + self.objective.kmeans_epochs:
            labels = kept_array(self.folder, f"labels-{first}", (len(self),), self._by_kmeans)
        else:
            labels = kept_array(self.folder, f"labels-{epoch}", (len(self),), self._by_transport)
        return [Batch(some, labels=labels[some]) for some in rows]

    def _by_kmeans(self) -> IntArray:
        vectors = self.all_vectors().astype(np.float64)
        return kmeans_labels(vectors, self.network.n_clusters, self.arguments.seed)

    def _by_transport(self) -> IntArray:
        plan, _ = adaptive_transport(
            self.over_all(self.network.assign),
            smoothing=self.objective.smoothing,
            penalty=self.objective.penalty,
        )
        return np.asarray(plan.argmax(axis=1), dtype=np.int64)

    def batch_loss(self, batch: Batch, vectors: Sequence[Tensor]) -> Tensor:
        """Compute the instance-level loss, and the class-level one where there are labels."""
        instance = instance_contrast(
            self.network.contrast(vectors[1]),
            self.network.contrast(vectors[2]),
            self.objective.temperature,
        )
        if batch.labels is None:
            return self.objective.instance_weight * instance
        labels = torch.as_tensor(batch.labels, device=self.device)
        logits = self.network.logits(vectors[1]), self.network.logits(vectors[2])
        return rstc_loss(class_loss(labels, logits), instance, self.objective.instance_weight)


def sccl_loss(cluster: Tensor, instance: Tensor, weight: float) -> Tensor:
    r"""Join SCCL's losses: :math:`L = L_{Cluster} + \eta L_{Instance}` (section 3.3)."""
    return cluster + weight * instance


def class_loss(labels: Tensor, logits: tuple[Tensor, Tensor]) -> Tensor:
    r"""Ask both wordings to be where the texts' pseudo-labels are: RSTC's class-level loss.

    .. math:: L_C = \frac{1}{N} \langle Q, -\log P^{(1)} \rangle
        + \frac{1}{N} \langle Q, -\log P^{(2)} \rangle

    Parameters
    ----------
    labels : Tensor of shape (n_texts,)
    logits : tuple of two Tensors of shape (n_texts, n_clusters)
    """
    one, other = (nn.functional.cross_entropy(some, labels) for some in logits)
    return one + other


def rstc_loss(by_class: Tensor, instance: Tensor, weight: float) -> Tensor:
    r"""Join RSTC's losses: :math:`L = L_C + \lambda_I L_I` (section 3.4)."""
    return by_class + weight * instance


def instance_contrast(z1: Tensor, z2: Tensor, temperature: float) -> Tensor:
    r"""Average the losses of all wordings, each with the other wording of its text.

    .. math:: \ell_i = -\log \frac{\exp(\mathrm{sim}(z_i, z_{i'}) / \tau)}
        {\sum_{j \ne i} \exp(\mathrm{sim}(z_i, z_j) / \tau)}

    where i runs over the 2N wordings, i' is the other one of the same text, and sim is the cosine.
    Other than AECL's equation 6, the denominator holds the pair itself.

    Parameters
    ----------
    z1, z2 : Tensor of shape (n_texts, latent_dim)
    temperature : float
        Tau, above 0.

    Returns
    -------
    Tensor
        A scalar, at least 0; lower is better.
    """
    n_texts = len(z1)
    unit = nn.functional.normalize(torch.cat([z1, z2]), dim=1)
    itself = torch.eye(2 * n_texts, dtype=torch.bool, device=unit.device)
    scores = (unit @ unit.T / temperature).masked_fill(itself, -torch.inf)
    partners = torch.arange(2 * n_texts, device=unit.device).roll(n_texts)
    return nn.functional.cross_entropy(scores, partners)
