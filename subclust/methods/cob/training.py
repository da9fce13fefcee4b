"""Training of the COB room's methods, from labelled queries to a checkpoint."""

from functools import partial

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError
from subclust.methods.cob.card import about
from subclust.methods.cob.clusterer import build
from subclust.methods.cob.learner import ClusteringLearner, TripletLearner
from subclust.methods.cob.objective import ClusteringObjective, TripletObjective
from subclust.training.network_training import train_network
from subclust.training.queries import QueryObjective
from subclust.training.recipe import Recipe, checked
from subclust.training.training_run import TrainingRun


def train(run: TrainingRun) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    ``[objective]`` holds the fields of `ClusteringObjective`, or of `TripletObjective` for
    ``"sbert-triplet"``.
    """
    method, recipe, where = run.method, run.recipe, "The recipe's [objective]"
    objective: QueryObjective
    if method == "sbert-triplet":
        objective = checked(TripletObjective, recipe.objective, where)
        if recipe.model.get("centred") and objective.triplets != "whole-set":
            raise TrainingError(
                "A triplet that is an example of its own does not know the mean of its set; set "
                'triplets = "whole-set", or centred to false.'
            )
    else:
        objective = checked(ClusteringObjective, recipe.objective, where)
    if run.base is None and method != "cob-query" and not _learns(objective, recipe):
        raise TrainingError(
            "{method} has nothing to learn: set tuned_layers or lora_rank in [objective], or "
            "hidden_dim in [model].",
            method=method,
        )
    return train_network(
        run,
        objective,
        build=partial(build, method),
        learner=TripletLearner if method == "sbert-triplet" else ClusteringLearner,
        about=about(method),
    )


def _learns(objective: QueryObjective, recipe: Recipe) -> bool:
    on_top = recipe.model.get("hidden_dim", 1)
    return bool(objective.tuned_layers or objective.lora_rank or on_top)
