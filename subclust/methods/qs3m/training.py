"""Training of the QS3M room's networks, from labelled queries to a checkpoint."""

from functools import partial

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError
from subclust.methods.qs3m.card import about
from subclust.methods.qs3m.clusterer import build
from subclust.methods.qs3m.gate_training import train_gate
from subclust.methods.qs3m.learner import PairLearner, with_sentences
from subclust.methods.qs3m.objective import Objective
from subclust.methods.qs3m.word_weight import choose_word_weight
from subclust.training.network_training import train_network
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun


def train(run: TrainingRun) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    ``[objective]`` holds the fields of `Objective`.
    """
    objective = checked(Objective, run.recipe.objective, "The recipe's [objective]")
    if objective.part == "gate":
        return train_gate(run, objective)
    if objective.part == "words":
        return choose_word_weight(run, objective)
    reads_sentences = run.method == "attn-qs3m"
    if reads_sentences and (objective.tuned_layers or objective.lora_rank):
        raise TrainingError(
            "{method} is trained on cached embeddings; set tuned_layers and lora_rank to 0.",
            method=run.method,
        )
    return train_network(
        run,
        objective,
        build=partial(build, run.method),
        learner=PairLearner,
        about=about(run.method),
        complete=partial(with_sentences, encoder=run.encoder) if reads_sentences else None,
    )
