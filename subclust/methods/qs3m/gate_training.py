"""Training of the relevance gate over a network that is trained already."""

import time
from collections.abc import Sequence

import torch

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.clustering.gated import GatedSubtopics
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.methods.qs3m.about import about
from subclust.methods.qs3m.clusterer import build
from subclust.methods.qs3m.gate_learner import GateLearner
from subclust.methods.qs3m.learner import PairLearner
from subclust.methods.qs3m.objective import Objective
from subclust.text.encoders import Encoder, StackedEncoder, untuned, with_embedding
from subclust.training.arguments import Recipe
from subclust.training.judging import embed_all, judge
from subclust.training.mixing import mix_all
from subclust.training.network_training import RunPlace, card_of, check_not_stopped, first_config
from subclust.training.query_learner import prepare, with_embeddings
from subclust.training.trainer import Trainer
from subclust.training.workers import current

MOST_LOST = 0.005
"""In the adjusted Rand index, on hit sets that are all about their query."""

CLOSED = 1000.0
"""At which no hit set is judged to be mixed."""

CAUTIONS = (-4.0, -2.0, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, CLOSED)
"""By which the logit of the judgement of a hit set may be lowered, the boldest first."""

LEAST_OTHER = 0.01
"""Share of "other passages" that is allowed where the gate is judged, so that it is at work."""


def train_gate(
    method: str,
    name: str,
    recipe: Recipe,
    objective: Objective,
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    encoder: Encoder,
    place: RunPlace,
    *,
    base: Checkpoint | None,
) -> Checkpoint:
    """Train the gate alone, on the base encoder's vectors; everything else stays as it is.

    Parameters
    ----------
    method, name, recipe, objective, training, validation, encoder, place, base
        As for `train_network`.

    Raises
    ------
    TrainingError
        If there is no base, or its network has no gate.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    if base is None:
        raise TrainingError(
            'part = "gate" trains the gate of a network that is trained already; name it with '
            "--base."
        )
    config = first_config(method, recipe, objective, encoder, base)
    torch.manual_seed(recipe.training.seed)
    head = build(method, config)
    if not isinstance(head, CentredSiamese) or head.gate is None:
        raise TrainingError(
            "The network of {method} has no gate to train; set model.gate = true for "
            "centred-qs3m, or train pairs.",
            method=method,
        )
    load_weights(head, base, partly=True)
    tuned = encoder.encoders[0] if isinstance(encoder, StackedEncoder) else encoder
    plain = untuned(tuned)
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
        device=place.device,
    )
    trainer = Trainer(
        learner, recipe.training, place.folder, device=place.device, progress=place.progress
    )
    result = trainer.train(resume=place.resume)
    check_not_stopped(result)
    head.to("cpu")
    both = StackedEncoder([tuned, plain])
    mixed = mix_all(validation, max_passages=recipe.training.max_passages)
    cautions = choose_caution(head, validation, mixed, both)
    sets = with_embeddings(prepare(validation, objective), embed_all(validation, both))
    learnt, scores = judge(PairLearner(head, [], sets, objective, recipe.training), sets)
    scores |= {**cautions, **result.metrics}
    seconds = time.monotonic() - started
    card = card_of(about(method), recipe, objective, result, scores, seconds, base)
    whole = {**config, **learnt, "with_base": True, "context": base.config["context"]}
    return Checkpoint(method, name, whole, network_tensors(head, base.encoder_layers), card)


def choose_caution(
    head: CentredSiamese,
    whole: Sequence[ClusteringInstance],
    mixed: Sequence[ClusteringInstance],
    encoder: Encoder,
) -> dict[str, float]:
    """Make the gate as cautious as whole hit sets need it, and no more.

    A hit set that is all about its query loses where the gate sees others in it. The judgement of
    hit sets is lowered until, on the validation queries, that costs at most `MOST_LOST` in the
    adjusted Rand index.

    Parameters
    ----------
    head : CentredSiamese
        The bias of its gate is changed.
    whole, mixed : sequence of ClusteringInstance
        The validation queries as they are, and mixed with passages of others.
    encoder : Encoder
        Tuned and base vectors side by side.

    Returns
    -------
    dict of str to float
        ``caution``, and the index on both kinds of hit sets with the gate and without.
    """
    assert head.gate is not None
    bias = head.gate.mixed.get_parameter("2.bias")
    trained = bias.detach().clone()

    def gated_ari(caution: float, part: Sequence[ClusteringInstance]) -> float:
        with torch.no_grad():
            bias.copy_(trained - caution)
        return mean_gated_ari(head, part, encoder)

    without = gated_ari(CLOSED, whole)
    found, caution = without, CLOSED
    for value in CAUTIONS:
        found, caution = gated_ari(value, whole), value
        if found >= without - MOST_LOST:
            break
    return {
        "caution": caution,
        "validation_ari_with_gate": found,
        "validation_mixed_ari_without_gate": gated_ari(CLOSED, mixed),
        "validation_mixed_ari": gated_ari(caution, mixed),
    }


def mean_gated_ari(
    head: CentredSiamese, instances: Sequence[ClusteringInstance], encoder: Encoder
) -> float:
    """Average the adjusted Rand index of a gated network over queries.

    As ``bench --max-other`` measures it: with the true number of groups, and with "other passages"
    as one group more.
    """
    embeddings = [encoder.encode([p.text for p in instance.passages]) for instance in instances]
    measured = ClusteringEvaluator(metrics=("ari",)).evaluate(
        GatedSubtopics(NetworkSimilarity(head), max_other=LEAST_OTHER),
        instances,
        queries=[
            with_embedding(instance.query, encoder, vectors)
            for instance, vectors in zip(instances, embeddings, strict=True)
        ],
        embeddings=embeddings,
        automatic=False,
    )
    return measured.true_k.metrics["ari"].mean
