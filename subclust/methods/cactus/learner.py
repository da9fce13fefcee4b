"""CACTUS' side of the training loop: subsets in, the loss over their cosines out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray, Passage, Query
from subclust.evaluation.metrics import GROUPING_METRICS
from subclust.grouping.clustering.average_link import average_link, cut_at
from subclust.grouping.clustering.threshold_count import (
    beside_mean,
    learn_mean_share,
    learn_threshold,
)
from subclust.methods.cactus.networks import Network
from subclust.methods.cactus.objective import SetObjective
from subclust.methods.cactus.token_set import TokenSet
from subclust.methods.cactus.vector_set import VectorSet
from subclust.training.losses import (
    augmented_triplet_loss,
    pair_cross_entropy,
    structural_loss,
    triplet_loss,
)
from subclust.training.queries import Drawn, Prepared, QueryLearner, packed, prepare

_CLUSTERS = (2, 10)
SIZES = (1, 5)
_DROPPED = (0.2, 0.7)
"""Ends of what is drawn, both included: clusters of a subset, their sizes, share of words dropped
from each entity."""

MEASURED = ("nmi", "ami", "ri", "ari", "f1")
"""On the validation queries, where the number of groups is automatic (appendix F)."""

_COMBINED = ("nmi", "ami", "ri", "ari")

_VALIDATED_PASSAGES = 256

_VALIDATED_SUBSETS = 200


def self_supervised_subsets(
    entities: Sequence[str], seed: int | np.random.Generator, n_subsets: int | None = None
) -> Iterator[ClusteringInstance]:
    """Make labelled subsets of entities that nobody has labelled.

    For each cluster a seed entity is drawn, and the cluster is filled with transformations of it:
    words are dropped at random, at least one is left, and those that are left keep their order.
    Seeds of one subset differ from each other. A subset without a triplet (no cluster of two) is
    drawn again, since nothing can be learned from it.

    Parameters
    ----------
    entities : sequence of str
        The universal set; those without a word are passed over, and so are copies.
    seed : int or numpy.random.Generator
        The same one gives the same subsets.
    n_subsets : int, optional
        By default they never end.

    Yields
    ------
    ClusteringInstance
        Its query is ``""``; passages are labelled by cluster, in random order.

    Raises
    ------
    TrainingError
        If there are fewer than two entities.
    """
    usable = [entity for entity in dict.fromkeys(entities) if entity.split()]
    if len(usable) < _CLUSTERS[0]:
        raise TrainingError(
            "Self-supervised training needs at least {cluster} different texts with words, but "
            "there are {count}; give it more.",
            cluster=_CLUSTERS[0],
            count=len(usable),
        )
    generator = np.random.default_rng(seed)
    number = 0
    while n_subsets is None or number < n_subsets:
        n_clusters = min(int(generator.integers(_CLUSTERS[0], _CLUSTERS[1] + 1)), len(usable))
        sizes = generator.integers(SIZES[0], SIZES[1] + 1, size=n_clusters)
        if sizes.max() < 2:
            continue
        seeds = generator.choice(len(usable), n_clusters, replace=False)
        passages = [
            Passage(
                f"{number}-{cluster}-{copy}",
                drop_words(usable[chosen], generator),
                label=str(cluster),
                path=str(cluster),
            )
            for cluster, (chosen, size) in enumerate(zip(seeds, sizes, strict=True))
            for copy in range(size)
        ]
        order = generator.permutation(len(passages))
        yield ClusteringInstance(Query(""), tuple(passages[row] for row in order))
        number += 1


def drop_words(text: str, generator: np.random.Generator) -> str:
    """Drop a share of a text's words, drawn from U(0.2, 0.7).

    Parameters
    ----------
    text : str
        With at least one word.

    Returns
    -------
    str
        At least one word, in the order of the text, with single blanks between them.
    """
    words = text.split()
    n_kept = max(1, round(len(words) * (1 - generator.uniform(*_DROPPED))))
    kept = np.sort(generator.permutation(len(words))[:n_kept])
    return " ".join(words[row] for row in kept)


Loss = Callable[[Tensor, Tensor, Tensor, SetObjective], Tensor]

_LOSSES: dict[str, Loss] = {
    "augmented-triplet": lambda similarities, same, neutral, objective: augmented_triplet_loss(
        similarities, same, neutral, objective.margin
    ),
    "triplet": lambda similarities, same, neutral, objective: triplet_loss(
        -similarities, same, objective.margin
    ),
    "structural": lambda similarities, same, neutral, objective: structural_loss(
        similarities,
        same,
        weight=objective.structural_weight,
        penalty=objective.structural_penalty,
    ),
    "cross-entropy": lambda similarities, same, neutral, objective: pair_cross_entropy(
        similarities, same, neutral, objective.pair_scale
    ),
}
"""Of one subset: cosines, which passages belong together, the neutral similarity."""


class SetLearner(QueryLearner):
    """Trains a network to put passages of one subtopic above a neutral cosine, and others below.

    The best step is the one with the highest sum of NMI, AMI, RI and ARI on the validation queries
    (appendix E), each at the threshold that is best there, with the share of the mean similarity
    that is best there, as the trained model will have it. In self-supervised training these are
    subsets made of the validation texts in the same way.

    Parameters
    ----------
    head, training, validation, objective, arguments, device
        As for `QueryLearner`, with a `SetObjective` and a network of this room.
    """

    head: Network
    objective: SetObjective
    primary_metric = "combined"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        objective = self.objective
        if isinstance(self.head, VectorSet):
            self.head.noise = objective.noise
        if objective.self_supervised:
            # Sets that nobody has grouped are as good here as others, so none is left out.
            given: Sequence[Prepared] = arguments[1]
            self._entities = texts_of(given)
            self._n_subsets = objective.subsets or len(given)
            held_out = self_supervised_subsets(
                texts_of(self.validation),
                self.arguments.seed,
                min(len(self.validation), _VALIDATED_SUBSETS),
            )
            self.validation = prepare(list(held_out), objective)

    def rate(self, name: str) -> float:
        """Let everything but the encoder's own layers learn at a rate of its own."""
        if name == "head.neutral" and self.objective.neutral_rate:
            return self.objective.neutral_rate
        own = name.startswith(("encoder.", "head.set_encoder.body.", "head.set_encoder.vectors."))
        return 1.0 if own else self.objective.head_rate

    def batches(self, generator: np.random.Generator) -> Sequence[list[Drawn]]:
        """Draw one epoch: every query once, or new subsets of the training texts."""
        if self.objective.self_supervised:
            drawn = self_supervised_subsets(self._entities, generator, self._n_subsets)
            self.training = prepare(list(drawn), self.objective)
        return super().batches(generator)

    def vectors(self, batch: Sequence[Drawn]) -> list[tuple[Tensor, Tensor]]:
        """Encode the subsets of a batch together, or look their vectors up."""
        if not isinstance(self.head, TokenSet):
            return super().vectors(batch)
        queries = [asked(drawn.query.instance.query, drawn.context) for drawn in batch]
        embedded = self.head.embed([drawn.texts for drawn in batch], queries)
        return [(passages.new_zeros(0), passages) for passages in embedded]

    def query_losses(
        self, batch: Sequence[Drawn], vectors: Sequence[tuple[Tensor, Tensor]]
    ) -> list[Tensor]:
        """Compute the loss of each query."""
        loss = _LOSSES[self.objective.loss]
        losses = []
        for drawn, (query, passages) in zip(batch, vectors, strict=True):
            gold = np.array(drawn.query.instance.gold(self.objective.granularity), dtype=object)
            numbers = torch.as_tensor(np.unique(gold[drawn.rows], return_inverse=True)[1])
            same = (numbers[:, None] == numbers[None, :]).to(self.device)
            similarities = self.scores(drawn, query, passages)
            losses.append(loss(similarities, same, self.head.neutral, self.objective))
        return losses

    def evaluate(self) -> Mapping[str, float]:
        """Group the held-out queries: with their true number of groups, and with a threshold.

        Returns
        -------
        dict of str to float
            ``ari`` at the true number; ``auto_nmi`` and so on at the threshold and the share of the
            mean that are best on these queries; ``combined``, by which the best step is chosen; and
            ``neutral``.
        """
        context = "title" if self.objective.context == "mixed" else self.objective.context
        scores = self.score_matrices(self.validation, context)
        gold = [query.instance.gold(self.objective.granularity) for query in self.validation]
        pairs = list(zip(scores, gold, strict=True))
        share = learn_mean_share(pairs)
        beside = [(beside_mean(matrix, share), labels) for matrix, labels in pairs]
        # Without resamples, as in the paper (appendix E); what ships is an average over them.
        automatic = measured_at(beside, learn_threshold(beside, resamples=0))
        return {
            "ari": float(np.mean([self.ari(*pair) for pair in pairs])),
            **{f"auto_{name}": value for name, value in automatic.items()},
            "combined": sum(automatic[name] for name in _COMBINED),
            "neutral": self.head.neutral.item(),
        }

    def score_matrices(self, queries: Sequence[Prepared], context: str) -> list[FloatArray]:
        """Score all pairs of each query, several queries at a time."""
        drawn = [
            Drawn(query, np.arange(len(query.labels)), context, query.labels) for query in queries
        ]
        matrices: list[FloatArray] = []
        for batch in packed(drawn, _VALIDATED_PASSAGES):
            with torch.inference_mode():
                for one, (query, passages) in zip(batch, self.vectors(batch), strict=True):
                    scores = self.scores(one, query, passages.float()).cpu().numpy()
                    matrices.append(np.asarray((scores + scores.T) / 2, dtype=np.float32))
        return matrices


def texts_of(queries: Sequence[Prepared]) -> list[str]:
    """List the different passages of all queries, in their order."""
    return list(dict.fromkeys(p.text for query in queries for p in query.instance.passages))


def asked(query: Query, context: str) -> str:
    """Return the text of the query as an entity: its description where that is asked for."""
    return query.description or query.text if context == "description" else query.text


def measured_at(
    instances: Sequence[tuple[FloatArray, Sequence[str]]], threshold: float
) -> dict[str, float]:
    """Group queries at a threshold and average the measures over them.

    Parameters
    ----------
    instances : sequence of (scores, gold)
        Scores of shape (n_passages, n_passages), and the gold subtopic of each passage.
    threshold : float
        On the scale of the scores.

    Returns
    -------
    dict of str to float
        One of each of `MEASURED`; higher is better.
    """
    found = [(gold, cut_at(average_link(s), s, threshold)) for s, gold in instances]
    return {
        name: float(np.mean([GROUPING_METRICS[name](gold, labels) for gold, labels in found]))
        for name in MEASURED
    }
