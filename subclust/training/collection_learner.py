"""Training on one whole collection without labels: batches of its texts, seen in several ways."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import ClusteringInstance, FloatArray, IntArray
from subclust.text.encoders.trainable import TrainableEncoder
from subclust.training.loop.learner import Learner
from subclust.training.recipe import TrainingArguments

_TEXTS_AT_ONCE = 512


def gold_of(instances: Sequence[ClusteringInstance]) -> IntArray | None:
    """Return the gold labels of the passages as numbers from 0, None where a passage has none."""
    gold = [label for instance in instances for label in instance.gold()]
    if not all(gold):
        return None
    return np.asarray(np.unique(np.array(gold, dtype=object), return_inverse=True)[1], np.int64)


class TunesEncoder(Protocol):
    """What is needed of an objective."""

    @property
    def head_rate(self) -> float:
        """Multiple of the learning rate at which everything but the encoder learns."""
        ...


@runtime_checkable
class ReadsTexts(Protocol):
    """What a network has that reads the texts itself, in the encoder's place."""

    def read(self, texts: Sequence[str]) -> Tensor:
        """Return what was read, shape (n_texts, embedding_dim)."""
        ...


class CollectionLearner(Learner):
    """Trains a network over the texts of one collection and other wordings of them.

    It is never given a label. Nothing is chosen by validation, for there is nothing to choose by:
    the weights after the last step are kept.

    Parameters
    ----------
    views : sequence of sequences of str
        The texts, and other wordings of each, in the same order.
    arguments : TrainingArguments
        A step takes ``batch_passages`` texts at the most; they are shared out evenly, so that no
        batch is much smaller than the others.
    encoder : TrainableEncoder, optional
        Tuned together with the network.
    vectors : sequence of ndarray of shape (n_texts, embedding_dim), optional
        Cached embeddings of each view, where no encoder is tuned.
    folder : Path
        Of the run, for what a resumed run must find again.
    """

    keeps_last = True
    primary_metric = "seen"
    learnt_views: Sequence[int] | None = None
    """Numbers of the views that the loss looks at; None for all."""

    def __init__(
        self,
        network: nn.Module,
        views: Sequence[Sequence[str]],
        objective: TunesEncoder,
        arguments: TrainingArguments,
        *,
        encoder: TrainableEncoder | None = None,
        vectors: Sequence[FloatArray] | None = None,
        folder: Path,
        device: str = "cpu",
    ) -> None:
        self.network = network
        parts: dict[str, nn.Module] = {"network": network}
        if encoder is not None:
            parts["encoder"] = encoder
        self.model = nn.ModuleDict(parts).to(device)
        self.encoder = encoder
        self.views = views
        self.vectors = vectors
        self.objective = objective
        self.arguments = arguments
        self.folder = folder
        self.device = device

    def __len__(self) -> int:
        """Count the texts."""
        return len(self.views[0])

    def rate(self, name: str) -> float:
        """Let everything but the encoder learn at a rate of its own."""
        rate: float = self.objective.head_rate  # type: ignore[attr-defined]
        return 1.0 if name.startswith("encoder.") else rate

    def batches(self, generator: np.random.Generator) -> Sequence[Any]:
        """Draw one epoch: every text once."""
        return even_batches(len(self), self.arguments.batch_passages, generator)

    def loss(self, batch: Any) -> Tensor:
        """Compute the loss of a batch, in full precision over the encoder's vectors."""
        vectors = self.vectors_of(self.rows_of(batch), self.learnt_views)
        with torch.autocast(self.device, enabled=False):
            return self.batch_loss(batch, vectors)

    def rows_of(self, batch: Any) -> IntArray:
        """Return the positions of a batch's texts."""
        rows: IntArray = batch
        return rows

    @abstractmethod
    def batch_loss(self, batch: Any, vectors: Sequence[Tensor]) -> Tensor:
        """Compute the loss of a batch.

        Parameters
        ----------
        batch : object
            As `batches` or `epoch_batches` gave it.
        vectors : sequence of Tensor of shape (n_texts, embedding_dim)
            Of each view.
        """

    def vectors_of(self, rows: IntArray, views: Sequence[int] | None = None) -> list[Tensor]:
        """Encode some texts in each view, or look their vectors up.

        Returns
        -------
        list of Tensor of shape (n_texts, embedding_dim)
            float32, each row of length 1.
        """
        numbers = range(len(self.views)) if views is None else views
        reads = self._reads()
        if reads is None:
            assert self.vectors is not None
            return [torch.as_tensor(self.vectors[n][rows], device=self.device) for n in numbers]
        texts = [self.views[n][row] for n in numbers for row in rows]
        read: Tensor = reads(texts)
        return list(torch.split(read, len(rows)))

    def _reads(self) -> Callable[[Sequence[str]], Tensor] | None:
        """Return what makes vectors of texts anew each time, None where they are kept."""
        if isinstance(self.network, ReadsTexts):
            return self.network.read
        return self.encoder

    def all_vectors(self) -> FloatArray:
        """Encode the texts as the encoder is now, shape (n_texts, embedding_dim)."""
        if self._reads() is None:
            assert self.vectors is not None
            return self.vectors[0]
        before = self.model.training
        self.model.eval()
        parts = []
        # Not inference mode: what it makes could not be used where a gradient is needed.
        with torch.no_grad():
            for start in range(0, len(self), _TEXTS_AT_ONCE):
                rows = np.arange(start, min(start + _TEXTS_AT_ONCE, len(self)))
                parts.append(self.vectors_of(rows, [0])[0].cpu().numpy())
        self.model.train(before)
        return np.concatenate(parts)

    def evaluate(self) -> Mapping[str, float]:
        """Return only that it was seen: without labels there is no score to choose by."""
        return {"seen": 1.0}


def even_batches(n_texts: int, size: int, generator: np.random.Generator) -> list[IntArray]:
    """Shuffle texts and share them out into batches of at most `size`, evenly."""
    order = generator.permutation(n_texts)
    return [np.asarray(rows) for rows in np.array_split(order, -(-n_texts // size))]
