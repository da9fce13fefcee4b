"""What makes a run repeatable and resumable: seeds, random states, and its whole state on disk."""

import json
import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message
from subclust.core.storage.damaged import typed
from subclust.core.storage.disk import check_reached, flush_files, refusals_told, write_whole
from subclust.jobs import PROGRESS_FILE
from subclust.training.split import not_resumable

STATE_FOLDER = "state"
STATE_VERSION = 1
"""Of the facts that are saved; those without a number are of version 0."""


def seed_all(seed: int) -> None:
    """Seed the generators of torch (all devices), numpy and Python."""
    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)
    random.seed(seed)


def random_states(device: str) -> dict[str, Tensor]:
    """Return the states of all generators that a loss may draw from, as tensors."""
    _, words, gauss = random.getstate()
    legacy = np.random.get_state(legacy=False)
    assert isinstance(legacy, dict)
    states = {
        "torch": torch.get_rng_state(),
        "python": torch.tensor(words, dtype=torch.int64),
        "python.gauss": _maybe(gauss),
        "numpy": torch.tensor(
            [*legacy["state"]["key"].tolist(), legacy["state"]["pos"]], dtype=torch.int64
        ),
        "numpy.gauss": _maybe(legacy["gauss"] if legacy["has_gauss"] else None),
    }
    if device == "cuda":
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def restore_random_states(states: Mapping[str, Tensor], device: str) -> None:
    """Put back what `random_states` gave, or the part of it that is there."""
    if "torch" in states:
        torch.set_rng_state(states["torch"])
    if "python" in states:
        gauss = states["python.gauss"].tolist()
        random.setstate((3, tuple(states["python"].tolist()), gauss[0] if gauss else None))
    if "numpy" in states:
        *key, position = states["numpy"].tolist()
        gauss = states["numpy.gauss"].tolist()
        np.random.set_state(
            {
                "bit_generator": "MT19937",
                "state": {"key": np.asarray(key, dtype=np.uint32), "pos": position},
                "has_gauss": len(gauss),
                "gauss": gauss[0] if gauss else 0.0,
            }
        )
    if "cuda" in states and device == "cuda":
        torch.cuda.set_rng_state(states["cuda"])


def _maybe(value: float | None) -> Tensor:
    return torch.tensor([] if value is None else [value], dtype=torch.float64)


@dataclass(frozen=True)
class RunFacts:
    """Where a run is, beside its tensors.

    Parameters
    ----------
    arguments, objective : JSON values
        What `described` returned of them; the `repr` in states of `version` 0.
    workers : int
        That trained together.
    version : int
        Of the form of all this.
    """

    arguments: Any
    step: int
    best_step: int
    best_metrics: dict[str, float]
    since_best: int
    history: list[dict[str, Any]]
    loss: float | None
    seconds: float
    training_seconds: float | None = None
    objective: Any = None
    workers: int = 1
    version: int = 0

    def is_of(self, saved: Any, value: object) -> bool:
        """Return whether arguments or an objective are those that were saved.

        A field that came later, and has its default now, does not make them others.
        """
        if self.version == 0:  # states before there was an objective say nothing of it
            return saved is None or saved == repr(value)
        now = described(value)
        if is_dataclass(value) and isinstance(saved, dict):
            saved = {**_defaults(value), **saved}
        return bool(saved == now)


def described(value: object) -> Any:
    """Return what decides a run as JSON holds it: of a dataclass the fields that its repr shows."""
    if is_dataclass(value):
        value = {one.name: getattr(value, one.name) for one in fields(value) if one.repr}
    return json.loads(json.dumps(value, default=repr))


def _defaults(value: Any) -> dict[str, Any]:
    found = {
        one.name: one.default for one in fields(value) if one.repr and one.default is not MISSING
    }
    made: dict[str, Any] = described(found)
    return made


def write_state(folder: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Replace the saved state of a run.

    At any moment the folder holds a whole state: the new one is written beside the old one, which
    is then renamed away, and `_read_state` takes the renamed one if the process dies in between.

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
    flush_files(work)
    target, old = folder / STATE_FOLDER, folder / f"{STATE_FOLDER}-old"
    # Without a target, `old` may be the only whole state: a run was killed between the renames.
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)
        target.rename(old)
    work.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def remove_state(folder: Path) -> None:
    """Forget the saved state of a run, if there is one."""
    for name in (f"{STATE_FOLDER}-old", STATE_FOLDER):
        if (folder / name).exists():
            # Renamed first: a run that is resumed would take a half-deleted state for a damaged
            # one.
            gone = Path(tempfile.mkdtemp(prefix=f".{STATE_FOLDER}-", suffix=".partial", dir=folder))
            (folder / name).rename(gone / name)
            shutil.rmtree(gone, ignore_errors=True)


def _read_state(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
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
            check_reached(error, state)
            raise _damaged(state) from error
    return None


def read_run(folder: Path) -> tuple[dict[str, Tensor], RunFacts] | None:
    """Read the saved state of a run with its facts checked, or None where there is none.

    Raises
    ------
    TrainingError
        If it is damaged, or of a later version of the program.
    """
    saved = _read_state(folder)
    if saved is None:
        return None
    tensors, told = saved
    try:
        facts = typed(RunFacts, told)
    except ValueError as error:
        raise _damaged(folder / STATE_FOLDER) from error
    if facts.version > STATE_VERSION:
        raise not_resumable(
            Message(
                "the saved state in {state} is of a later version of Subclust",
                state=folder / STATE_FOLDER,
            )
        )
    return tensors, facts


def _damaged(state: Path) -> TrainingError:
    return not_resumable(Message("the saved state in {state} is damaged", state=state))


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
    with refusals_told(Message("The progress of the run cannot be saved"), folder):
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
