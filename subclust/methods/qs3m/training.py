"""Training of the QS3M room's networks, from labelled queries to a checkpoint."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance
from subclust.methods.qs3m.card import about
from subclust.methods.qs3m.clusterer import build
from subclust.methods.qs3m.gate_training import train_gate
from subclust.methods.qs3m.learner import PairLearner, with_sentences
from subclust.methods.qs3m.objective import Objective
from subclust.text.encoders import Encoder
from subclust.training.loop.trainer import Progress
from subclust.training.network_training import RunPlace, train_network
from subclust.training.recipe import Recipe, checked


def train(
    method: str,
    name: str,
    recipe: Recipe,
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    encoder: Encoder,
    folder: Path,
    *,
    base: Checkpoint | None = None,
    device: str = "cpu",
    resume: bool = False,
    progress: Progress | None = None,
) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    A `subclust.methods.Trainer`; ``[objective]`` holds the fields of `Objective`.
    """
    objective = checked(Objective, recipe.objective, "The recipe's [objective]")
    place = RunPlace(folder, device, resume, progress)
    if objective.part == "gate":
        return train_gate(
            method, name, recipe, objective, training, validation, encoder, place, base=base
        )
    reads_sentences = method == "attn-qs3m"
    if reads_sentences and (objective.tuned_layers or objective.lora_rank):
        raise TrainingError(
            "{method} is trained on cached embeddings; set tuned_layers and lora_rank to 0.",
            method=method,
        )
    return train_network(
        method,
        name,
        recipe,
        objective,
        training,
        validation,
        encoder,
        place,
        build=partial(build, method),
        learner=PairLearner,
        about=about(method),
        base=base,
        complete=partial(with_sentences, encoder=encoder) if reads_sentences else None,
    )
