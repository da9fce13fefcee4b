"""All that the function which trains a method is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from subclust.checkpoints import Checkpoint
from subclust.core.records import ClusteringInstance
from subclust.text.encoders import Encoder
from subclust.training.loop.run import Progress
from subclust.training.recipe import Recipe


@dataclass(frozen=True)
class TrainingRun:
    """One training: which method, from what, and where.

    Parameters
    ----------
    name : str
        Of the checkpoint.
    recipe : Recipe
        ``[model]`` holds constructor arguments of the network without ``embedding_dim``,
        ``[objective]`` the fields of the method's objective.
    training, validation : sequence of ClusteringInstance
        Queries of the one must not occur in the other. A method for whole collections takes
        their passages alone, and nothing is held out.
    encoder : Encoder
        The base encoder, or the tuning of it that `base` was trained over.
    folder : Path
        Of the run's state.
    base : Checkpoint, optional
        Whose weights the run starts from, instead of new ones.
    resume : bool
        Whether to go on from the saved state, where there is one.
    progress : callable, optional
        Is given each line of progress.
    """

    method: str
    name: str
    recipe: Recipe
    training: Sequence[ClusteringInstance]
    validation: Sequence[ClusteringInstance]
    encoder: Encoder
    folder: Path
    base: Checkpoint | None = None
    device: str = "cpu"
    resume: bool = False
    progress: Progress | None = None
