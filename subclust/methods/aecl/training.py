"""Training of the AECL room's methods, from the texts of a collection to a checkpoint."""

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from subclust.checkpoints import Checkpoint
from subclust.encoders import Encoder
from subclust.methods.aecl.about import about
from subclust.methods.aecl.clusterer import build
from subclust.methods.aecl.learner import AeclLearner
from subclust.methods.aecl.objective import AeclObjective
from subclust.methods.aecl.pseudo_labels import forget_labels
from subclust.records import ClusteringInstance
from subclust.training.arguments import Recipe, checked
from subclust.training.augmentation.eda import EasyAugmenter
from subclust.training.augmentation.kept import augmented
from subclust.training.augmentation.wordnet import NO_WORDNET, find_wordnet, read_synonyms
from subclust.training.collection_training import CollectionMethod, train_collection
from subclust.training.network_training import RunPlace
from subclust.training.trainer import Progress

_log = logging.getLogger(__name__)


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
    """Learn to group the texts of a collection.

    Parameters
    ----------
    method : {"aecl"}
    name : str
        Of the checkpoint.
    recipe : Recipe
        ``[model]`` holds the constructor arguments of `AeclNetwork` without ``embedding_dim``;
        ``[objective]`` the fields of `AeclObjective`.
    training : sequence of ClusteringInstance
        Their passages are the collection; labels are not learnt from.
    validation : sequence of ClusteringInstance
        Not used; nothing is held out.
    encoder : Encoder
        The base encoder.
    folder : Path
        Of the run's state.
    base : Checkpoint, optional
        Whose weights the run starts from.
    device : str
    resume : bool
    progress : callable, optional

    Returns
    -------
    Checkpoint
        Not saved yet; its card holds the scores where the collection has labels.

    Raises
    ------
    TrainingError
        If the recipe or the collection does not fit, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    objective = checked(AeclObjective, recipe.objective, "The recipe's [objective]")
    if not resume:
        forget_labels(folder)
    brought = CollectionMethod(
        build=partial(build, method),
        views=partial(easy_views, share=objective.augmented_share, seed=recipe.training.seed),
        learner=AeclLearner,
        about=about(method),
    )
    place = RunPlace(folder, device, resume, progress)
    return train_collection(
        method, name, recipe, objective, training, encoder, place, brought, base=base
    )


def easy_views(
    texts: Sequence[str], folder: Path | None, *, share: float, seed: int
) -> list[list[str]]:
    """Give the EDA wording of each text, made once."""
    wordnet = find_wordnet()
    if wordnet is None:
        _log.warning(NO_WORDNET)
    augmenter = EasyAugmenter(share, seed, read_synonyms(wordnet) if wordnet else {})
    return [
        augmented(
            texts, augmenter.name, lambda some: [augmenter.augment(text) for text in some], folder
        )
    ]
