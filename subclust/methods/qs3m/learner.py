"""The QS3M room's side of the training loop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from subclust.clustering.average_link import average_link, cut_to
from subclust.encoders import Encoder
from subclust.encoders.splitting import encode_sentences
from subclust.encoders.trainable import TrainableEncoder
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.methods.qs3m.objective import (
    Calibration,
    Objective,
    draw_triple,
    pair_labels,
    pair_loss,
)
from subclust.methods.qs3m.sentence_attention import padded
from subclust.methods.qs3m.similarity import shared_words
from subclust.records import ClusteringInstance, FloatArray, IntArray
from subclust.training.arguments import TrainingArguments
from subclust.training.learner import Learner

CONTEXTS = ("title", "description", "passages")


@dataclass(frozen=True)
class Prepared:
    """A labelled query, ready for training.

    Parameters
    ----------
    instance : ClusteringInstance
    labels : ndarray of shape (n_passages, n_passages)
        As `pair_labels` gives them.
    title, description : ndarray of shape (embedding_dim,), optional
    passages : ndarray of shape (n_passages, embedding_dim), optional
        Cached embeddings, where the encoder is not tuned.
    sentences : tuple of ndarray of shape (n_sentences, embedding_dim), optional
        Those of each passage, where the network reads sentences.
    """

    instance: ClusteringInstance
    labels: IntArray
    title: FloatArray | None = None
    description: FloatArray | None = None
    passages: FloatArray | None = None
    sentences: tuple[FloatArray, ...] | None = None


@dataclass(frozen=True)
class Drawn:
    """A query of a batch: which passages, which context, which pairs."""

    query: Prepared
    rows: IntArray
    context: str
    labels: IntArray

    @property
    def texts(self) -> list[str]:
        """The drawn passages."""
        return [self.query.instance.passages[row].text for row in self.rows]


class PairLearner(Learner):
    """Trains a network to tell pairs of one subtopic from pairs of two.

    Parameters
    ----------
    head : nn.Module
        Scores all pairs of a query.
    training, validation : sequence of Prepared
    objective : Objective
    arguments : TrainingArguments
    encoder : TrainableEncoder, optional
        Tuned together with the head; without it the prepared embeddings are used.
    device : str
    """

    def __init__(
        self,
        head: nn.Module,
        training: Sequence[Prepared],
        validation: Sequence[Prepared],
        objective: Objective,
        arguments: TrainingArguments,
        *,
        encoder: TrainableEncoder | None = None,
        device: str = "cpu",
    ) -> None:
        self.head = head
        self.calibration = Calibration() if objective.loss == "bce" else nn.Identity()
        parts: dict[str, nn.Module] = {"head": head, "calibration": self.calibration}
        if encoder is not None:
            parts["encoder"] = encoder
        self.model = nn.ModuleDict(parts).to(device)
        self.encoder = encoder
        self.objective: Objective = objective
        self.arguments = arguments
        self.device = device
        self.training = [
            query for query in training if (query.labels == 1).any() and (query.labels == 0).any()
        ]
        self.validation = sample(validation, objective.validation_queries, arguments.seed)

    def rate(self, name: str) -> float:
        """Let head and calibration learn at their own rate."""
        return 1.0 if name.startswith("encoder.") else self.objective.head_rate

    def batches(self, generator: np.random.Generator) -> list[list[Drawn]]:
        """Draw one epoch: every query once, whole queries to a batch."""
        batches: list[list[Drawn]] = []
        n_passages = self.arguments.batch_passages
        for position in generator.permutation(len(self.training)):
            drawn = self._draw(self.training[position], generator)
            if drawn is None:
                continue
            if n_passages + len(drawn.rows) > self.arguments.batch_passages:
                batches.append([])
                n_passages = 0
            batches[-1].append(drawn)
            n_passages += len(drawn.rows)
        return batches

    def _draw(self, query: Prepared, generator: np.random.Generator) -> Drawn | None:
        rows = np.arange(len(query.labels))
        if len(rows) > self.arguments.max_passages:
            rows = np.sort(generator.permutation(rows)[: self.arguments.max_passages])
        labels = query.labels[np.ix_(rows, rows)]
        if self.objective.pairs == "triples":
            labels = draw_triple(labels, generator)
        if not ((labels == 1).any() and (labels == 0).any()):
            return None
        context = self.objective.context
        if context == "mixed":
            context = CONTEXTS[generator.integers(3)]  # type: ignore[assignment]
        return Drawn(query, rows, context, labels)

    def loss(self, batch: list[Drawn]) -> Tensor:
        """Average the pair losses of a batch's queries, larger ones weighing more (by root n)."""
        vectors = self._vectors(batch)
        total, weights = torch.zeros((), device=self.device), 0.0
        for drawn, (query, passages) in zip(batch, vectors, strict=True):
            with torch.autocast(self.device, enabled=False):
                scores = self.calibration(self._scores(drawn, query, passages))
                labels = torch.as_tensor(drawn.labels, device=self.device)
                loss = pair_loss(scores, labels, self.objective.loss)
            weight = float(np.sqrt(len(drawn.rows)))
            total, weights = total + weight * loss, weights + weight
        return total / weights

    def _scores(self, drawn: Drawn, query: Tensor, passages: Tensor) -> Tensor:
        arguments = [query, passages]
        if drawn.query.sentences is not None:
            parts = padded([drawn.query.sentences[row] for row in drawn.rows])
            arguments = [query, *(part.to(self.device) for part in parts)]
        if getattr(self.head, "needs_shared_words", False):
            words = shared_words(drawn.texts)
            arguments.append(torch.as_tensor(words, device=self.device))
        scores: Tensor = self.head(*arguments)
        return scores

    def _vectors(self, batch: Sequence[Drawn]) -> list[tuple[Tensor, Tensor]]:
        """Give query and passages of each drawn query as vectors."""
        if self.encoder is None:
            result = []
            for drawn in batch:
                assert drawn.query.passages is not None
                passages = torch.as_tensor(drawn.query.passages[drawn.rows], device=self.device)
                query = getattr(drawn.query, drawn.context) if drawn.context != "passages" else None
                result.append((_context(query, passages, self.device), passages))
            return result
        texts: list[str] = []
        for drawn in batch:
            record = drawn.query.instance
            texts.append(
                record.query.description
                if drawn.context == "description" and record.query.description
                else record.query.text
            )
            texts += [record.passages[row].text for row in drawn.rows]
        vectors, result, start = self.encoder(texts), [], 0
        for drawn in batch:
            stop = start + 1 + len(drawn.rows)
            passages = vectors[start + 1 : stop]
            query = None if drawn.context == "passages" else vectors[start]
            result.append((_context(query, passages, self.device), passages))
            start = stop
        return result

    def evaluate(self) -> Mapping[str, float]:
        """Average the adjusted Rand index at the true number of groups over held-out queries."""
        context = "title" if self.objective.context == "mixed" else self.objective.context
        values = [
            self.ari(
                self.score_matrix(query, context), query.instance.gold(self.objective.granularity)
            )
            for query in self.validation
        ]
        return {"ari": float(np.mean(values))}

    @staticmethod
    def ari(scores: FloatArray, gold: Sequence[str]) -> float:
        """Give the adjusted Rand index of average link at the true number of groups."""
        return adjusted_rand_index(gold, cut_to(average_link(scores), len(set(gold))))

    def score_matrix(self, query: Prepared, context: str) -> FloatArray:
        """Score all pairs of a query's passages; shape (n_passages, n_passages)."""
        rows = np.arange(len(query.labels))
        drawn = Drawn(query, rows, context, query.labels)
        with torch.inference_mode():
            vector, passages = self._vectors([drawn])[0]
            scores = self._scores(drawn, vector, passages).cpu().numpy()
        return np.asarray((scores + scores.T) / 2, dtype=np.float32)


def _context(query: object, passages: Tensor, device: str) -> Tensor:
    """Give the query's vector, or the normalised mean of its passages where it is None."""
    if query is None:
        return nn.functional.normalize(passages.mean(dim=0), dim=0)
    return torch.as_tensor(query, device=device)


def prepare(instances: Sequence[ClusteringInstance], objective: Objective) -> list[Prepared]:
    """Label the pairs of each query."""
    return [
        Prepared(instance, pair_labels(instance, objective.granularity)) for instance in instances
    ]


def sample(queries: Sequence[Prepared], n_queries: int, seed: int) -> list[Prepared]:
    """Draw so many queries, or all for 0, in their own order."""
    if not n_queries or n_queries >= len(queries):
        return list(queries)
    rows = np.random.default_rng(seed).permutation(len(queries))[:n_queries]
    return [queries[row] for row in np.sort(rows)]


def with_embeddings(
    queries: Sequence[Prepared], embeddings: Mapping[str, FloatArray]
) -> list[Prepared]:
    """Look the embeddings of queries and passages up by text."""
    return [
        replace(
            query,
            title=embeddings[query.instance.query.text],
            description=embeddings[query.instance.query.description or query.instance.query.text],
            passages=np.stack([embeddings[p.text] for p in query.instance.passages]),
        )
        for query in queries
    ]


def with_sentences(queries: Sequence[Prepared], encoder: Encoder) -> list[Prepared]:
    """Encode the sentences of all passages."""
    texts = [passage.text for query in queries for passage in query.instance.passages]
    vectors = iter(encode_sentences(texts, encoder))
    return [
        replace(query, sentences=tuple(next(vectors) for _ in query.instance.passages))
        for query in queries
    ]
