"""Training of the SCL room's methods, from the texts of a collection to a checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance
from subclust.methods.scl.card import about
from subclust.methods.scl.clusterer import build
from subclust.methods.scl.learner import FclLearner, SclLearner, SupervisedLearner
from subclust.methods.scl.lstm import LstmSpace, listed, vocabulary_of, word_vectors
from subclust.methods.scl.objective import SclObjective
from subclust.methods.scl.weak_labels import WeakLabels, drawn_labels, given_labels, read_pairs
from subclust.training.augmentation.wordings import other_wordings, wording_makers
from subclust.training.collection_learner import CollectionLearner, gold_of
from subclust.training.collection_training import CollectionMethod, train_collection
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun

_LSTM_DIM = 300
"""Of an LSTM's state (section IV-B)."""

_LEARNERS: dict[str, type[CollectionLearner]] = {
    "scl": SclLearner,
    "fcl": FclLearner,
    "few-shot-supervised": SupervisedLearner,
}


def train(run: TrainingRun) -> Checkpoint:
    """Learn a space in which the texts of a collection can be grouped.

    ``[model]`` holds the constructor arguments of `LatentSpace`, ``[objective]`` the fields of
    `SclObjective`. SCL learns from no label; FCL and its rival from
    those of ``label_share`` of the passages where all have one, else from all that there are; or
    FCL from pairs.
    """
    method, recipe, training = run.method, run.recipe, run.training
    objective = checked(SclObjective, recipe.objective, "The recipe's [objective]")
    seed = recipe.training.seed
    options: dict[str, Any] = {}
    if objective.pairs and method != "fcl":
        raise TrainingError(
            "{method} learns from no pairs; give objective.pairs to fcl, or leave it out.",
            method=method,
        )
    if method != "scl":
        options["weak_labels"] = _weak_labels(objective, training, seed)
    worded = method == "scl" or (method == "fcl" and objective.consistency)
    makers = wording_makers(
        objective.augmentation if worded else None,
        share=objective.masked_share,
        seed=seed,
        n_wordings=2 if method == "scl" else 3,
    )
    reads = objective.encoder == "lstm"
    made: Callable[[Mapping[str, Any]], nn.Module] = partial(build, method)
    if reads:
        run, made = _with_words(run, objective)
    brought = CollectionMethod(
        build=made,
        views=partial(other_wordings, makers=makers),
        learner=_LEARNERS[method],
        about=about(method),
        reads_texts=reads,
        # What tells classes apart need not lie where texts differ most: the rival starts by chance.
        begins_with_vectors=not reads and method != "few-shot-supervised",
        division=objective.division,
        told={"wordings": "; ".join(dict.fromkeys(one.label for one in makers))} if makers else {},
    )
    return train_collection(run, objective, brought, learner_options=options)


def _with_words(
    run: TrainingRun, objective: SclObjective
) -> tuple[TrainingRun, Callable[[Mapping[str, Any]], nn.Module]]:
    """Return an LSTM the words of the collection, and the vectors that they begin with."""
    words = vocabulary_of([p.text for instance in run.training for p in instance.passages])
    vectors = word_vectors(words, run.encoder, objective.word_vectors, run.recipe.training.seed)
    sizes = {
        "n_words": len(words),
        "word_dim": vectors.shape[1],
        "n_bytes": len(listed(words)),
    }
    model = {"embedding_dim": _LSTM_DIM, **run.recipe.model, **sizes}

    def made(config: Mapping[str, Any]) -> nn.Module:
        network = build(run.method, config)
        assert isinstance(network, LstmSpace)
        network.set_words(words, vectors)
        return network

    return replace(run, recipe=replace(run.recipe, model=model)), made


def _weak_labels(
    objective: SclObjective, training: Sequence[ClusteringInstance], seed: int
) -> WeakLabels:
    if objective.pairs:
        ids = [passage.id for instance in training for passage in instance.passages]
        return read_pairs(Path(objective.pairs), ids)
    gold = gold_of(training)
    labels = [passage.label for instance in training for passage in instance.passages]
    if gold is None and any(labels):
        return given_labels(labels)
    return drawn_labels(gold, objective.label_share, seed)
