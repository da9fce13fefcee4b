"""A run's whole state on disk, written to a temporary folder and renamed."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message
from subclust.core.storage.damaged import first_line
from subclust.core.storage.disk import refusals_told, write_whole
from subclust.jobs import PROGRESS_FILE

STATE_FOLDER = "state"


def write_state(folder: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Replace the saved state of a run.

    At any moment the folder holds a whole state: the new one is written beside the old one, which
    is then renamed away, and `read_state` takes the renamed one if the process dies in between.

    Parameters
    ----------
    folder : Path
        Of the run.
    tensors : mapping of str to Tensor
    facts : mapping
        JSON values.
    """
    with refusals_told(Message("The state of the run cannot be saved"), folder):
        _write_state(folder, tensors, facts)


def _write_state(folder: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f".{STATE_FOLDER}-*.partial"):
        shutil.rmtree(left, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=f".{STATE_FOLDER}-", suffix=".partial", dir=folder))
    whole = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    save_file(whole, work / "tensors.safetensors")
    (work / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    for written in work.iterdir():
        with written.open("rb") as stream:
            os.fsync(stream.fileno())
    target, old = folder / STATE_FOLDER, folder / f"{STATE_FOLDER}-old"
    # Without a target the old one is all there is, until the new one is in its place.
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)
        target.rename(old)
    work.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def remove_state(folder: Path) -> None:
    """Forget the saved state of a run, if there is one."""
    for name in (f"{STATE_FOLDER}-old", STATE_FOLDER):
        if (folder / name).exists():
            # Half a state would look like a damaged one to a run that is resumed.
            gone = Path(tempfile.mkdtemp(prefix=f".{STATE_FOLDER}-", suffix=".partial", dir=folder))
            (folder / name).rename(gone / name)
            shutil.rmtree(gone, ignore_errors=True)


def read_state(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """Read the saved state of a run, or None where there is none.

    Raises
    ------
    TrainingError
        If it is damaged.
    """
    for name in (STATE_FOLDER, f"{STATE_FOLDER}-old"):
        state = folder / name
        if not state.is_dir():
            continue
        try:
            facts = json.loads((state / "facts.json").read_text(encoding="utf-8"))
            if not isinstance(facts, dict):
                raise ValueError("its facts are none")
            return load_file(state / "tensors.safetensors"), facts
        except (OSError, ValueError, RecursionError, SafetensorError) as error:
            raise TrainingError(
                "The saved state in {state} is damaged ({error}); clone the job, or start "
                "the run anew, without --resume.",
                state=state,
                error=first_line(error),
            ) from error
    return None


def forget_progress_after(folder: Path, step: int) -> None:
    """Drop the lines of steps that will be done again, and one that was cut short."""
    path = folder / PROGRESS_FILE
    if not path.exists():
        return
    kept = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            if json.loads(line)["step"] <= step:
                kept.append(f"{line}\n")
        except (ValueError, TypeError, KeyError):
            continue
    with refusals_told(Message("The progress of the run cannot be kept"), folder):
        write_whole(path, "".join(kept), durable=False)


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Flatten an optimiser's state into named tensors."""
    state = optimizer.state_dict()["state"]
    return {
        f"optimizer.{index}.{name}": torch.as_tensor(value)
        for index, values in state.items()
        for name, value in values.items()
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Put back what `optimizer_tensors` gave."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        if key.startswith("optimizer."):
            _, index, name = key.split(".", 2)
            state.setdefault(int(index), {})[name] = tensor
    whole = optimizer.state_dict()
    whole["state"] = state
    optimizer.load_state_dict(whole)
