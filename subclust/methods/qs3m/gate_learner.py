"""The relevance gate's side of the training loop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from subclust.core.records import ClusteringInstance, FloatArray
from subclust.grouping.similarity.relevance_gate import Relevance, RelevanceGate
from subclust.methods.qs3m.relevance import relevance_loss
from subclust.training.arguments import TrainingArguments
from subclust.training.learner import Learner
from subclust.training.mixing import (
    ABOUT_SOMETHING_ELSE,
    draw_mixture,
    mix_all,
    mixture,
    related_queries,
)


@dataclass(frozen=True)
class HitSet:
    """Passages, the query they are judged for, and which are about it.

    Parameters
    ----------
    query : ndarray of shape (embedding_dim,)
    passages : ndarray of shape (n_passages, embedding_dim)
    about : ndarray of shape (n_passages,)
        1 or 0.
    """

    query: FloatArray
    passages: FloatArray
    about: FloatArray


class GateLearner(Learner):
    """Trains a gate on queries, half of them mixed with passages of other queries.

    Validation gives ``passage_auc`` (passages of the query against those mixed in, the mean over
    queries), ``mixed_auc`` (mixed hit sets against whole ones) and ``gate``, the mean of both; all
    0 to 1, higher is better.

    Parameters
    ----------
    gate : RelevanceGate
    training, validation : sequence of ClusteringInstance
        At least two each.
    embeddings : mapping of str to ndarray of shape (embedding_dim,)
        Of every query, description and passage, by the base encoder.
    arguments : TrainingArguments
    device : str
    """

    primary_metric = "gate"

    def __init__(
        self,
        gate: RelevanceGate,
        training: Sequence[ClusteringInstance],
        validation: Sequence[ClusteringInstance],
        embeddings: Mapping[str, FloatArray],
        arguments: TrainingArguments,
        *,
        device: str = "cpu",
    ) -> None:
        self.gate = gate.to(device)
        self.model: nn.Module = self.gate
        self.training = list(training)
        self.embeddings = embeddings
        self.arguments = arguments
        self.device = device
        self.sizes = [len(instance.passages) for instance in training]
        self.related = related_queries(training)
        mixed = mix_all(validation, max_passages=arguments.max_passages)
        self.validation = [self._hit_set(i, i.query.text) for i in (*validation, *mixed)]

    def batches(self, generator: np.random.Generator) -> list[list[HitSet]]:
        """Draw one epoch: every query once, as it is or mixed, by its title or description."""
        batches: list[list[HitSet]] = []
        n_passages = self.arguments.batch_passages
        for position in generator.permutation(len(self.training)):
            drawn = self._draw(int(position), generator)
            if n_passages + len(drawn.about) > self.arguments.batch_passages:
                batches.append([])
                n_passages = 0
            batches[-1].append(drawn)
            n_passages += len(drawn.about)
        return batches

    def _draw(self, position: int, generator: np.random.Generator) -> HitSet:
        query = self.training[position].query
        text = query.description if query.description and generator.random() < 0.5 else query.text
        drawn = draw_mixture(
            position, self.sizes, self.related, generator, self.arguments.max_passages
        )
        if generator.random() < 0.5:
            drawn = drawn[:1]
        return self._hit_set(mixture(self.training, drawn), text)

    def _hit_set(self, instance: ClusteringInstance, query: str) -> HitSet:
        return HitSet(
            self.embeddings[query],
            np.stack([self.embeddings[passage.text] for passage in instance.passages]),
            np.array([p.label != ABOUT_SOMETHING_ELSE for p in instance.passages], np.float32),
        )

    def _judge(self, hits: HitSet) -> Relevance:
        relevance: Relevance = self.gate(
            torch.as_tensor(hits.query, device=self.device),
            torch.as_tensor(hits.passages, device=self.device),
        )
        return relevance

    def loss(self, batch: Sequence[HitSet]) -> Tensor:
        """Average the losses of the hit sets."""
        losses = [
            relevance_loss(self._judge(hits), torch.as_tensor(hits.about, device=self.device))
            for hits in batch
        ]
        return torch.stack(losses).mean()

    def evaluate(self) -> Mapping[str, float]:
        """Tell passages and hit sets of the validation queries apart."""
        aucs, is_mixed, mixed = [], [], []
        for hits in self.validation:
            relevance = self._judge(hits)
            is_mixed.append(bool((hits.about == 0).any()))
            mixed.append(float(relevance.mixed.detach()))
            if is_mixed[-1]:
                aucs.append(
                    roc_auc_score(hits.about, relevance.passages.detach().float().cpu().numpy())
                )
        passage_auc, mixed_auc = float(np.mean(aucs)), float(roc_auc_score(is_mixed, mixed))
        return {
            "passage_auc": passage_auc,
            "mixed_auc": mixed_auc,
            "gate": (passage_auc + mixed_auc) / 2,
        }
