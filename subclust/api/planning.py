"""What is to be trained, checked before anything is read."""

from dataclasses import dataclass

from subclust.checkpoints import CheckpointStore, checked
from subclust.core.exceptions import InputError, TrainingError
from subclust.core.records import MethodCard
from subclust.methods import find_method
from subclust.training.folds import FEWEST_FOLDS
from subclust.training.recipe import Recipe


@dataclass(frozen=True)
class TrainingJob:
    """One method, trained by one recipe to one checkpoint.

    Parameters
    ----------
    card : MethodCard
        Of a method that is trained.
    name : str
        Of the checkpoint.
    base : str or None
        Checkpoint to start from, of the method or as ``method/name``.
    """

    card: MethodCard
    name: str
    recipe: Recipe
    base: str | None = None

    @property
    def id(self) -> str:
        """Name of its folder among the jobs."""
        return f"{self.card.name}-{self.name}"


def trained_method(name: str, store: CheckpointStore, *, held_out: bool = False) -> MethodCard:
    """Look up a method that can be trained.

    Parameters
    ----------
    held_out : bool
        Whether runs of it are to be compared on held-out queries.

    Raises
    ------
    TrainingError
        If it needs no training, or has nothing held out to be compared on.
    """
    card = find_method(name, store)
    if card.trainer is None:
        raise TrainingError("The method {card} needs no training.", card=card.name)
    if held_out and card.whole_collection:
        raise TrainingError(
            "{card} learns a whole collection and holds nothing out to compare runs on; use "
            "'train', and measure it with 'bench'.",
            card=card.name,
        )
    return card


def plan_training(
    method: str,
    name: str,
    recipe: Recipe,
    store: CheckpointStore,
    *,
    base: str | None = None,
    validation: str | None = None,
    folds: int | None = None,
    judge: bool = False,
) -> TrainingJob:
    """Plan a training.

    Parameters
    ----------
    method, name : str
        Of the method, and of the checkpoint.
    base : str, optional
        Checkpoint to start from.
    judge : bool
        As for `run_training`.

    Raises
    ------
    SubclustError
        If the method needs no training, or one of these does not go with another.
    """
    card = trained_method(method, store)
    if card.whole_collection and (judge or folds is not None):
        raise InputError(
            "{card} learns a whole collection and holds nothing out to be judged by; leave "
            "--judge and --folds out, and measure it with 'bench'.",
            card=card.name,
        )
    if folds is not None and folds < FEWEST_FOLDS:
        raise InputError(
            "--folds needs at least {fewest_folds} folds, but {folds} were asked for.",
            fewest_folds=FEWEST_FOLDS,
            folds=folds,
        )
    if folds is not None and validation:
        raise InputError(
            "With --folds, every query is held out once, so --validation has no use; leave one "
            "of the two out."
        )
    return TrainingJob(card, checked(name), recipe, base)


def refuse_taken(job: TrainingJob, store: CheckpointStore) -> None:
    """Refuse the name of a checkpoint that is there.

    Raises
    ------
    TrainingError
        That says how to replace it.
    """
    if job.name in store.names(job.card.name):
        raise TrainingError(
            "{card} already has a checkpoint named {job}; choose another name, or add --replace.",
            card=job.card.name,
            job=job.name,
        )
