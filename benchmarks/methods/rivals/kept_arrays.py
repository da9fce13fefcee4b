"""What a learner computes over the whole collection in the midst of a run, kept with the run.

A resumed run draws its earlier epochs again, with later weights: it must find what was computed
then, and not compute it anew.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import TrainingError

_PREFIX = "kept-"


def kept_array(
    folder: Path,
    name: str,
    shape: tuple[int, ...],
    make: Callable[[], npt.NDArray[Any]],
) -> npt.NDArray[Any]:
    """Read an array of a run, or make and keep it.

    Parameters
    ----------
    folder : Path
        Of the run.
    shape : tuple of int
        That it must have.

    Raises
    ------
    TrainingError
        If it is damaged, or of another collection.
    """
    path = folder / f"{_PREFIX}{name}.npy"
    if not path.is_file():
        made = make()
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f".{path.name}.{os.getpid()}.partial"
        with partial.open("wb") as stream:
            np.save(stream, made, allow_pickle=False)
        partial.replace(path)
    try:
        found: npt.NDArray[Any] = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise TrainingError(
            "{path} is damaged ({error}); start the run anew, without --resume.",
            path=path,
            error=error,
        ) from error
    if found.shape != shape:
        raise TrainingError(
            "{path} is of another collection; start the run anew, without --resume.", path=path
        )
    return found


def forget_arrays(folder: Path) -> None:
    """Remove those of an earlier run of the name."""
    for path in folder.glob(f"{_PREFIX}*.npy"):
        path.unlink(missing_ok=True)
