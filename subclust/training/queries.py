"""Training on whole queries: their passages, as vectors, scored pair by pair by a network."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray, IntArray
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.similarity.network import shared_words
from subclust.text.encoders.trainable import TrainableEncoder
from subclust.training.loop.learner import Learner
from subclust.training.recipe import TrainingArguments, check_least

Granularity = Literal["flat", "hierarchical"]
"""Whether passages of one top-level subtopic belong together, or of one full path."""


T = TypeVar("T")
Set = TypeVar("Set", bound=Sized)

_CONTEXTS: tuple[Literal["title", "description", "passages"], ...] = (
    "title",
    "description",
    "passages",
)


@dataclass(frozen=True)
class QueryObjective:
    """The part of a recipe's objective that all methods share.

    Parameters
    ----------
    context : {"title", "description", "passages", "mixed"}
        Representation of the query; ``"mixed"`` draws one of the three each time.
    granularity : {"flat", "hierarchical"}
        Whether passages of one top-level subtopic belong together, or of one full path.
    tuned_layers : int
        Last layers of the encoder that are trained too; 0 trains on cached embeddings.
    tuned_embeddings : bool
        Whether its word embeddings are trained as well, so that the whole encoder learns; with
        `tuned_layers` at the number of its layers.
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
    """

    context: Literal["title", "description", "passages", "mixed"] = "title"
    granularity: Granularity = "flat"
    tuned_layers: int = 0
    tuned_embeddings: bool = False
    cached_states: bool = False
    lora_rank: int = 0
    lora_alpha: float = 0.0
    head_rate: float = 1.0
    validation_queries: int = 0

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        check_least(self, tuned_layers=0, lora_rank=0, lora_alpha=0, validation_queries=0)
        if self.head_rate <= 0:
            raise TrainingError(
                "head_rate must be above 0, but is {head_rate}.", head_rate=self.head_rate
            )


@dataclass(frozen=True)
class Prepared:
    """A labelled query, ready for training.

    Parameters
    ----------
    labels : ndarray of shape (n_passages, n_passages)
        As `_pair_labels` gives them.
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

    def __len__(self) -> int:
        """Count the passages."""
        return len(self.rows)

    @property
    def texts(self) -> list[str]:
        """The drawn passages."""
        return [self.query.instance.passages[row].text for row in self.rows]


class QueryLearner(Learner):
    """Trains a network that scores all pairs of a query's passages, whole queries to a batch.

    A subclass gives `query_losses`, and may give another `draw_pairs`.

    Parameters
    ----------
    head : nn.Module
        Scores all pairs of a query; higher is closer.
    encoder : TrainableEncoder, optional
        Tuned together with the head; without it the prepared embeddings are used.
    """

    def __init__(
        self,
        head: nn.Module,
        training: Sequence[Prepared],
        validation: Sequence[Prepared],
        objective: QueryObjective,
        arguments: TrainingArguments,
        *,
        encoder: TrainableEncoder | None = None,
        device: str = "cpu",
    ) -> None:
        self.head = head
        parts: dict[str, nn.Module] = {"head": head, **self.only_in_training(objective)}
        if encoder is not None:
            parts["encoder"] = encoder
        self.model = nn.ModuleDict(parts).to(device)
        self.encoder = encoder
        self.objective: QueryObjective = objective
        self.arguments = arguments
        self.device = device
        # Without pairs of both kinds, a query teaches nothing.
        self.training = [
            query for query in training if (query.labels == 1).any() and (query.labels == 0).any()
        ]
        self.validation = sample(validation, objective.validation_queries, arguments.seed)

    @classmethod
    def only_in_training(cls, objective: QueryObjective) -> dict[str, nn.Module]:
        """Return networks that learn beside the head and are not kept, by their names."""
        return {}

    @abstractmethod
    def query_losses(
        self, batch: Sequence[Drawn], vectors: Sequence[tuple[Tensor, Tensor]]
    ) -> Sequence[Tensor]:
        """Compute the loss of each query, a scalar each; lower is better.

        Parameters
        ----------
        vectors : sequence of (Tensor, Tensor)
            Of each, the query (embedding_dim,) and the passages (n_passages, embedding_dim).
        """

    def draw_pairs(self, labels: IntArray, generator: np.random.Generator) -> IntArray:
        """Choose pairs of a query; those that are not to count get -1."""
        return labels

    def rate(self, name: str) -> float:
        """Let everything but the encoder learn at a rate of its own."""
        return 1.0 if name.startswith("encoder.") else self.objective.head_rate

    def batches(self, generator: np.random.Generator) -> Sequence[list[Drawn]]:
        """Draw one epoch: every query once, whole queries to a batch."""
        positions = generator.permutation(len(self.training))
        drawn = (self._draw(self.training[position], generator) for position in positions)
        return packed((one for one in drawn if one is not None), self.arguments.batch_passages)

    def _draw(self, query: Prepared, generator: np.random.Generator) -> Drawn | None:
        rows = np.arange(len(query.labels))
        if len(rows) > self.arguments.max_passages:
            rows = np.sort(generator.permutation(rows)[: self.arguments.max_passages])
        labels = self.draw_pairs(query.labels[np.ix_(rows, rows)], generator)
        if not ((labels == 1).any() and (labels == 0).any()):
            return None
        context = self.objective.context
        if context == "mixed":
            context = _CONTEXTS[generator.integers(3)]
        return Drawn(query, rows, context, labels)

    def loss(self, batch: Sequence[Drawn]) -> Tensor:
        """Average the losses of a batch's queries, larger ones weighing more (by root n)."""
        vectors = self.vectors(batch)
        with torch.autocast(self.device, enabled=False):
            losses = torch.stack(list(self.query_losses(batch, vectors)))
        sizes = torch.tensor([float(len(drawn.rows)) for drawn in batch], device=self.device)
        weights = sizes.sqrt()
        return (weights * losses).sum() / weights.sum()

    def scores(self, drawn: Drawn, query: Tensor, passages: Tensor) -> Tensor:
        """Score all pairs of one query, shape (n_passages, n_passages); higher is closer."""
        arguments = [query, *self.read(drawn, passages)]
        if getattr(self.head, "needs_shared_words", False):
            words = shared_words(drawn.texts)
            arguments.append(torch.as_tensor(words, device=self.device))
        scores: Tensor = self.head(*arguments)
        return scores

    def read(self, drawn: Drawn, passages: Tensor) -> tuple[Tensor, ...]:
        """Return the passages as the network takes them."""
        return (passages,)

    def vectors(self, batch: Sequence[Drawn]) -> list[tuple[Tensor, Tensor]]:
        """Return query and passages of each drawn query as vectors."""
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
            texts += drawn.texts
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
            self.ari(scores, query.instance.gold(self.objective.granularity))
            for query, scores in zip(
                self.validation, self.score_matrices(self.validation, context), strict=True
            )
        ]
        return {"ari": float(np.mean(values))}

    def score_matrices(self, queries: Sequence[Prepared], context: str) -> list[FloatArray]:
        """Score all pairs of each query."""
        return [self.score_matrix(query, context) for query in queries]

    @staticmethod
    def ari(scores: FloatArray, gold: Sequence[str]) -> float:
        """Return the adjusted Rand index of average link at the true number of groups."""
        return adjusted_rand_index(gold, cut_to(average_link(scores), len(set(gold))))

    def score_matrix(self, query: Prepared, context: str) -> FloatArray:
        """Score all pairs of a query's passages; shape (n_passages, n_passages)."""
        rows = np.arange(len(query.labels))
        drawn = Drawn(query, rows, context, query.labels)
        with torch.inference_mode():
            vector, passages = self.vectors([drawn])[0]
            scores = self.scores(drawn, vector, passages).cpu().numpy()
        # A network may score the two orders of a pair differently; average link needs one score.
        return np.asarray((scores + scores.T) / 2, dtype=np.float32)


def _context(query: object, passages: Tensor, device: str) -> Tensor:
    """Return the query's vector, or the normalised mean of its passages where it is None."""
    if query is None:
        return nn.functional.normalize(passages.mean(dim=0), dim=0)
    return torch.as_tensor(query, device=device)


def _pair_labels(
    instance: ClusteringInstance, granularity: Literal["flat", "hierarchical"]
) -> IntArray:
    """Return for each pair whether its passages belong together.

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


def prepare(instances: Sequence[ClusteringInstance], objective: QueryObjective) -> list[Prepared]:
    """Label the pairs of each query."""
    return [
        Prepared(instance, _pair_labels(instance, objective.granularity)) for instance in instances
    ]


def packed(sets: Iterable[Set], most: int) -> list[list[Set]]:
    """Put sets into batches of at most so many passages, in their order; one may exceed that."""
    batches: list[list[Set]] = []
    n_passages = most  # as if full, so that the first set begins a batch
    for one in sets:
        if n_passages + len(one) > most:
            batches.append([])
            n_passages = 0
        batches[-1].append(one)
        n_passages += len(one)
    return batches


def sample(queries: Sequence[T], n_queries: int, seed: int) -> list[T]:
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
