"""Training of the relevance gate over a network that is trained already."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from subclust.checkpoints import Checkpoint
from subclust.encoders import Encoder, StackedEncoder, untuned
from subclust.exceptions import TrainingError, TrainingStopped
from subclust.methods.qs3m.centred import CentredSiamese
from subclust.methods.qs3m.clusterer import build, load_weights
from subclust.methods.qs3m.gate_learner import GateLearner
from subclust.methods.qs3m.judging import embed_all, judge, judge_ari
from subclust.methods.qs3m.learner import PairLearner, Prepared, prepare, with_embeddings
from subclust.methods.qs3m.objective import Objective
from subclust.methods.qs3m.packing import card_of, tensors_of
from subclust.methods.qs3m.relevance import RelevanceGate
from subclust.records import ClusteringInstance
from subclust.training.arguments import Recipe
from subclust.training.mixing import mix_all
from subclust.training.trainer import Progress, Trainer
from subclust.training.workers import current

MOST_LOST = 0.005
"""In the adjusted Rand index, on hit sets that are all about their query."""

CLOSED = 1000.0
"""At which no hit set is judged to be mixed."""

CAUTIONS = (-4.0, -2.0, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, CLOSED)
"""By which the logit of the judgement of a hit set may be lowered, the boldest first."""


def train_gate(
    method: str,
    name: str,
    recipe: Recipe,
    objective: Objective,
    config: Mapping[str, Any],
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    encoder: Encoder,
    folder: Path,
    *,
    base: Checkpoint | None,
    device: str = "cpu",
    resume: bool = False,
    progress: Progress | None = None,
) -> Checkpoint:
    """Train the gate alone, on the base encoder's vectors; everything else stays as it is.

    Parameters
    ----------
    method, name, recipe, training, validation, encoder, folder, base, device, resume, progress
        As for `qs3m.training.train`.
    objective : Objective
    config : mapping
        Of the checkpoint, as far as it is known.

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
    torch.manual_seed(recipe.training.seed)
    head = build(method, config)
    if not isinstance(head, CentredSiamese) or head.gate is None:
        raise TrainingError(
            f"The network of {method} has no gate to train; set model.gate = true for "
            "centred-qs3m, or train pairs."
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
        device=device,
    )
    trainer = Trainer(learner, recipe.training, folder, device=device, progress=progress)
    result = trainer.train(resume=resume)
    if result.stopped == "stop":
        raise TrainingStopped(
            f"The run was stopped after step {result.steps} and saved; go on with --resume."
        )
    vectors = embed_all(validation, StackedEncoder([tuned, plain]))
    mixed = mix_all(validation, max_passages=recipe.training.max_passages)
    sets = [with_embeddings(prepare(part, objective), vectors) for part in (validation, mixed)]
    judged = PairLearner(head, [], sets[0], objective, recipe.training, device=device)
    cautions = choose_caution(head.gate, judged, sets)
    learnt, scores = judge(judged, sets[0])
    scores |= {**cautions, **result.metrics}
    seconds = time.monotonic() - started
    card = card_of(method, recipe, objective, result, scores, seconds, base)
    whole = {**config, **learnt, "with_base": True, "context": base.config["context"]}
    return Checkpoint(method, name, whole, tensors_of(head, base), card)


def choose_caution(
    gate: RelevanceGate, judged: PairLearner, sets: Sequence[Sequence[Prepared]]
) -> dict[str, float]:
    """Make the gate as cautious as whole hit sets need it, and no more.

    A hit set that is all about its query loses where the gate sees others in it. The judgement of
    hit sets is lowered until, on the validation queries, that costs at most `MOST_LOST` in the
    adjusted Rand index.

    Parameters
    ----------
    gate : RelevanceGate
        Its bias is changed.
    judged : PairLearner
        Of the network that the gate belongs to.
    sets : sequence of two sequences of Prepared
        The validation queries as they are, and mixed with passages of others.

    Returns
    -------
    dict of str to float
        ``caution``, and the index on mixed hit sets with the gate and without.
    """
    bias = gate.mixed.get_parameter("2.bias")
    trained = bias.detach().clone()

    def mean_ari(caution: float, part: Sequence[Prepared]) -> float:
        with torch.no_grad():
            bias.copy_(trained - caution)
        return judge_ari(judged, part)

    judged.model.eval()
    least = mean_ari(CLOSED, sets[0]) - MOST_LOST
    caution = next((value for value in CAUTIONS if mean_ari(value, sets[0]) >= least), CAUTIONS[-1])
    return {
        "validation_mixed_ari_without_gate": mean_ari(CLOSED, sets[1]),
        "validation_mixed_ari": mean_ari(caution, sets[1]),
        "caution": caution,
    }
