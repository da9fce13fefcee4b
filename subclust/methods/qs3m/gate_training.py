"""Training of the relevance gate over a trained network; not in the paper."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.clustering.agglomerative import GatedSubtopics
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.grouping.similarity.relevance_gate import Relevance, RelevanceGate
from subclust.methods.qs3m.card import about
from subclust.methods.qs3m.clusterer import build
from subclust.methods.qs3m.learner import PairLearner
from subclust.methods.qs3m.objective import Objective
from subclust.text.encoders import Encoder, StackedEncoder, untuned, with_embedding
from subclust.training.loop.learner import Learner
from subclust.training.loop.workers import current
from subclust.training.mixing import (
    ABOUT_SOMETHING_ELSE,
    draw_mixture,
    mix_all,
    mixture,
    related_queries,
)
from subclust.training.network_training import (
    card_of,
    embed_all,
    first_config,
    judge,
    trained,
)
from subclust.training.queries import packed, prepare, with_embeddings
from subclust.training.recipe import TrainingArguments
from subclust.training.training_run import TrainingRun

_MOST_LOST = 0.005
"""In the adjusted Rand index, on hit sets that are all about their query."""

_CLOSED = 1000.0
"""At which no hit set is judged to be mixed."""

_CAUTIONS = (-4.0, -2.0, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, _CLOSED)
"""By which the logit of the judgement of a hit set may be lowered, the boldest first."""

_LEAST_OTHER = 0.01
"""Share of "other passages" that is allowed where the gate is judged, so that it is at work."""


def relevance_loss(relevance: Relevance, about: Tensor) -> Tensor:
    """Compute the loss of a gate's judgement of one hit set.

    Parameters
    ----------
    about : Tensor of shape (n_passages,)
        1 for passages of the query, 0 for others.

    Returns
    -------
    Tensor
        Scalar, at least 0, lower is better: whether the hits are mixed, and, where they are, which
        passages are about the query, both kinds weighing equally.
    """
    bce = nn.functional.binary_cross_entropy_with_logits
    is_mixed = (about == 0).any()
    loss = bce(relevance.mixed, is_mixed.to(about.dtype))
    if is_mixed:
        losses = bce(relevance.passages, about, reduction="none")
        loss = loss + (losses[about == 1].mean() + losses[about == 0].mean()) / 2
    return loss


@dataclass(frozen=True)
class _HitSet:
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

    def __len__(self) -> int:
        return len(self.about)


class GateLearner(Learner):
    """Trains a gate on queries, half of them mixed with passages of other queries.

    Validation gives ``passage_auc`` (passages of the query against those mixed in, the mean over
    queries), ``mixed_auc`` (mixed hit sets against whole ones) and ``gate``, the mean of both; all
    0 to 1, higher is better.

    Parameters
    ----------
    training, validation : sequence of ClusteringInstance
        At least two each.
    embeddings : mapping of str to ndarray of shape (embedding_dim,)
        Of every query, description and passage, by the base encoder.
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

    def batches(self, generator: np.random.Generator) -> list[list[_HitSet]]:
        """Draw one epoch: every query once, as it is or mixed, by its title or description."""
        positions = generator.permutation(len(self.training))
        drawn = (self._draw(int(position), generator) for position in positions)
        return packed(drawn, self.arguments.batch_passages)

    def _draw(self, position: int, generator: np.random.Generator) -> _HitSet:
        query = self.training[position].query
        text = query.description if query.description and generator.random() < 0.5 else query.text
        drawn = draw_mixture(
            position, self.sizes, self.related, generator, self.arguments.max_passages
        )
        if generator.random() < 0.5:
            drawn = drawn[:1]
        return self._hit_set(mixture(self.training, drawn), text)

    def _hit_set(self, instance: ClusteringInstance, query: str) -> _HitSet:
        return _HitSet(
            self.embeddings[query],
            np.stack([self.embeddings[passage.text] for passage in instance.passages]),
            np.array([p.label != ABOUT_SOMETHING_ELSE for p in instance.passages], np.float32),
        )

    def _judge(self, hits: _HitSet) -> Relevance:
        relevance: Relevance = self.gate(
            torch.as_tensor(hits.query, device=self.device),
            torch.as_tensor(hits.passages, device=self.device),
        )
        return relevance

    def loss(self, batch: Sequence[_HitSet]) -> Tensor:
        """Average the losses of the hit sets."""
        losses = [
            relevance_loss(self._judge(hits), torch.as_tensor(hits.about, device=self.device))
            for hits in batch
        ]
        return torch.stack(losses).mean()

    def evaluate(self) -> Mapping[str, float]:
        """Measure how well passages and hit sets of the validation queries are told apart."""
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


def train_gate(run: TrainingRun, objective: Objective) -> Checkpoint:
    """Train the gate alone, on the base encoder's vectors; everything else stays as it is.

    Raises
    ------
    TrainingError
        If there is no base, or its network has no gate.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    method, recipe, base = run.method, run.recipe, run.base
    if base is None:
        raise TrainingError(
            'part = "gate" trains the gate of a network that is trained already; name it with '
            "--base."
        )
    config = first_config(run, objective)
    torch.manual_seed(recipe.training.seed)
    head = build(method, config)
    if not isinstance(head, CentredSiamese) or head.gate is None:
        raise TrainingError(
            "The network of {method} has no gate to train; set model.gate = true for "
            "centred-qs3m, or train pairs.",
            method=method,
        )
    load_weights(head, base, partly=True)
    tuned = run.encoder.encoders[0] if isinstance(run.encoder, StackedEncoder) else run.encoder
    # Layers tuned to tell subtopics apart forget what the passages of one subject share.
    plain = untuned(tuned)
    training, validation = run.training, run.validation
    if recipe.training.epochs == 0:
        training = training[:1]
    with current().main_first():  # the others find the embeddings in the cache
        embeddings = embed_all([*training, *validation], plain)
    learner = GateLearner(
        head.gate,
        training,
        validation,
        embeddings,
        recipe.training,
        device=run.device,
    )
    result = trained(learner, run)
    head.to("cpu")
    both = StackedEncoder([tuned, plain])
    mixed = mix_all(validation, max_passages=recipe.training.max_passages)
    cautions = _choose_caution(head, validation, mixed, both)
    sets = with_embeddings(prepare(validation, objective), embed_all(validation, both))
    learnt, scores = judge(PairLearner(head, [], sets, objective, recipe.training), sets)
    scores |= {**cautions, **result.metrics}
    seconds = time.monotonic() - started
    card = card_of(run, about(method), objective, result, scores, seconds)
    whole = {**config, **learnt, "with_base": True, "context": base.config["context"]}
    return Checkpoint(method, run.name, whole, network_tensors(head, base.encoder_layers), card)


def _choose_caution(
    head: CentredSiamese,
    whole: Sequence[ClusteringInstance],
    mixed: Sequence[ClusteringInstance],
    encoder: Encoder,
) -> dict[str, float]:
    """Make the gate as cautious as whole hit sets need it, and no more.

    A hit set that is all about its query loses where the gate sees others in it. The judgement of
    hit sets is lowered until, on the validation queries, that costs at most `_MOST_LOST` in the
    adjusted Rand index.
    """
    assert head.gate is not None
    # The shift of the last layer, which lowers the judgement of every hit set alike.
    bias = head.gate.mixed.get_parameter("2.bias")
    trained = bias.detach().clone()

    def _gated_ari(caution: float, part: Sequence[ClusteringInstance]) -> float:
        with torch.no_grad():
            bias.copy_(trained - caution)
        return _mean_gated_ari(head, part, encoder)

    without = _gated_ari(_CLOSED, whole)
    found, caution = without, _CLOSED
    for value in _CAUTIONS:
        found, caution = _gated_ari(value, whole), value
        if found >= without - _MOST_LOST:
            break
    return {
        "caution": caution,
        "validation_ari_with_gate": found,
        "validation_mixed_ari_without_gate": _gated_ari(_CLOSED, mixed),
        "validation_mixed_ari": _gated_ari(caution, mixed),
    }


def _mean_gated_ari(
    head: CentredSiamese, instances: Sequence[ClusteringInstance], encoder: Encoder
) -> float:
    """Average the adjusted Rand index of a gated network over queries.

    As ``bench --max-other`` measures it: with the true number of groups, and with "other passages"
    as one group more.
    """
    embeddings = [encoder.encode([p.text for p in instance.passages]) for instance in instances]
    measured = ClusteringEvaluator(metrics=("ari",)).evaluate(
        GatedSubtopics(NetworkSimilarity(head), max_other=_LEAST_OTHER),
        instances,
        queries=[
            with_embedding(instance.query, encoder, vectors)
            for instance, vectors in zip(instances, embeddings, strict=True)
        ],
        embeddings=embeddings,
        automatic=False,
    )
    return measured.true_k.metrics["ari"].mean
