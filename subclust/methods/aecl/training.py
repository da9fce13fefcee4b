"""Training of the AECL room's methods, from the texts of a collection to a checkpoint."""

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from subclust.checkpoints import Checkpoint
from subclust.methods.aecl.card import about
from subclust.methods.aecl.clusterer import build
from subclust.methods.aecl.learner import AeclLearner
from subclust.methods.aecl.objective import AeclObjective
from subclust.methods.aecl.pseudo_labels import forget_labels
from subclust.training.augmentation.word_changes import (
    NO_WORDNET,
    WITH_SYNONYMS,
    WITHOUT_SYNONYMS,
    EasyAugmenter,
    find_wordnet,
    read_synonyms,
)
from subclust.training.augmentation.wordings import Make, augmented
from subclust.training.collection_learner import CollectionLearner
from subclust.training.collection_training import CollectionMethod, train_collection
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun

_log = logging.getLogger(__name__)

METHODS: dict[str, tuple[type[Any], type[CollectionLearner], int]] = {
    "aecl": (AeclObjective, AeclLearner, 1),
}
"""The objective and the learner of each method, and how many other wordings of a text it sees."""


def train(run: TrainingRun) -> Checkpoint:
    """Learn to group the texts of a collection, without their labels.

    `run.method` is a key of `METHODS`, which names the objective.
    """
    of_objective, learner, n_wordings = METHODS[run.method]
    objective = checked(of_objective, run.recipe.objective, "The recipe's [objective]")
    if not run.resume:
        forget_labels(run.folder)
    brought = CollectionMethod(
        build=partial(build, run.method),
        views=partial(
            _easy_views,
            share=getattr(objective, "augmented_share", 1.0),
            seed=run.recipe.training.seed,
            n_wordings=n_wordings,
        ),
        learner=learner,
        about=about(run.method),
        told={"wordings": WITH_SYNONYMS if find_wordnet() else WITHOUT_SYNONYMS}
        if n_wordings
        else {},
    )
    return train_collection(run, objective, brought)


def _easy_views(
    texts: Sequence[str], folder: Path | None, *, share: float, seed: int, n_wordings: int = 1
) -> list[list[str]]:
    """Return EDA wordings of each text, made once; each wording has a seed of its own."""
    if not n_wordings:
        return []
    wordnet = find_wordnet()
    if wordnet is None:
        _log.warning(NO_WORDNET)
    synonyms = read_synonyms(wordnet) if wordnet else {}
    made = []
    for number in range(n_wordings):
        augmenter = EasyAugmenter(share, seed + 1000 * number, synonyms)
        make = _each(augmenter)
        made.append(augmented(texts, augmenter.name, make, folder))
    return made


def _each(augmenter: EasyAugmenter) -> Make:
    return lambda texts: [augmenter.augment(text) for text in texts]
