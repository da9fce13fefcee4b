"""Checkpoints on disk: ``<models_dir>/<method>/<name>/``, written whole or not at all."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from subclust.checkpoints.card import model_card
from subclust.exceptions import CheckpointError, CheckpointNotFoundError

Tensors = dict[str, npt.NDArray[Any]]

DEFAULT_METHOD = "default"
"""Stands for the method that is shipped as the default."""

HEAD_PREFIX = "head."
"""Of the names of a checkpoint's tensors that belong to the method's own network."""

ENCODER_PREFIX = "encoder."
"""Of the names of those that replace layers of the base encoder."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PROMOTED = "promoted.json"


@dataclass(frozen=True)
class Checkpoint:
    """A trained model: what it is, its weights, and where they come from.

    Parameters
    ----------
    method : str
        Name of the method it belongs to.
    name : str
    config : mapping
        Constructor arguments and learned settings of the method. With ``layers_of``
        (``METHOD/NAME``) and ``layers_digest`` the layers of the base encoder are those of another
        checkpoint, beside what is in `tensors`, and are not kept twice.
    tensors : mapping of str to ndarray
    card : mapping
        What it was trained on, how long, with which arguments, and how it scores.
    """

    method: str
    name: str
    config: Mapping[str, Any]
    tensors: Mapping[str, npt.NDArray[Any]] = field(compare=False, repr=False)
    card: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def head_weights(self) -> Tensors:
        """The tensors of the method's own network, by their names in it."""
        return self._part(HEAD_PREFIX)

    @property
    def encoder_layers(self) -> Tensors:
        """The tensors that replace layers of the base encoder, by their names in it."""
        return self._part(ENCODER_PREFIX)

    @property
    def layers_digest(self) -> str:
        """A sha256 of the layers of the base encoder, by which another checkpoint knows them."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.encoder_layers.items()):
            digest.update(f"{name} {tensor.dtype} {tensor.shape}\n".encode())
            digest.update(np.ascontiguousarray(tensor).tobytes())
        return digest.hexdigest()

    def _part(self, prefix: str) -> Tensors:
        return {
            name.removeprefix(prefix): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }


class CheckpointStore:
    """All checkpoints below one folder.

    ``promoted.json`` lists, per method, the checkpoints that were its default, newest last, and
    under ``"default"`` the methods that were the default method; so rolling back is dropping the
    last.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self, method: str) -> list[str]:
        """List the checkpoints of a method, in order of name."""
        return sorted(
            path.parent.name
            for path in (self.folder / checked(method)).glob("*/config.json")
            # A save that is going on, or was killed, has a folder whose name begins with a dot.
            if _NAME.fullmatch(path.parent.name)
        )

    def save(self, checkpoint: Checkpoint, *, replace: bool = False) -> Path:
        """Write a checkpoint to a temporary folder beside its place, then rename it there.

        Returns
        -------
        Path
            Its folder, with ``config.json``, ``weights.safetensors``, ``card.json`` and the
            generated ``README.md``.

        Raises
        ------
        CheckpointError
            If one of that name is there and `replace` is False.
        """
        target = self.folder / checked(checkpoint.method) / checked(checkpoint.name)
        if target.exists() and not replace:
            raise CheckpointError(
                f"{checkpoint.method} already has a checkpoint named {checkpoint.name}; "
                "choose another name, or remove that one first."
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(
            tempfile.mkdtemp(prefix=f".{target.name}-", suffix=".partial", dir=target.parent)
        )
        try:
            _write_json(work / "config.json", dict(checkpoint.config))
            _write_json(work / "card.json", dict(checkpoint.card))
            arrays = {k: np.ascontiguousarray(v) for k, v in checkpoint.tensors.items()}
            save_file(arrays, work / "weights.safetensors")
            (work / "weights.safetensors").chmod(0o644)
            (work / "README.md").write_text(
                model_card(checkpoint.method, checkpoint.name, checkpoint.config, checkpoint.card),
                encoding="utf-8",
            )
            work.chmod(0o755)
            _flush(work)
            if target.exists():
                old = Path(tempfile.mkdtemp(suffix=".partial", dir=target.parent)) / "old"
                target.rename(old)
                try:
                    work.rename(target)
                except BaseException:
                    old.rename(target)
                    old.parent.rmdir()
                    raise
                shutil.rmtree(old.parent)
            else:
                work.rename(target)
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(work)
        return target

    def load(self, method: str, name: str | None = None) -> Checkpoint:
        """Read a checkpoint.

        Parameters
        ----------
        method : str
        name : str, optional
            By default the promoted one, or the only one there is.

        Raises
        ------
        CheckpointNotFoundError
            If there is none of that name.
        CheckpointError
            If it is damaged.
        """
        name = name or self.promoted(method)
        folder = self.folder / checked(method) / checked(name)
        if not (folder / "config.json").is_file():
            there = ", ".join(self.names(method)) or "none"
            raise CheckpointNotFoundError(
                f"There is no checkpoint {name!r} of the method {method} (there: {there}); choose "
                f"one of these, or train one with 'python -m subclust train {method}'."
            )
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
            tensors = load_file(folder / "weights.safetensors")
            if not isinstance(config, dict) or not isinstance(card, dict):
                raise ValueError("config.json and card.json must each hold one object")
        except (OSError, ValueError, SafetensorError) as error:
            raise CheckpointError(
                f"The checkpoint {method}/{name} is damaged ({error}); "
                "restore its folder from a copy, or train it again."
            ) from error
        tensors = {**self._layers_of(f"{method}/{name}", config), **tensors}
        return Checkpoint(method, name, config, tensors, card)

    def _layers_of(self, user: str, config: Mapping[str, Any]) -> Tensors:
        """Read the layers that a checkpoint has in common with another one."""
        source = config.get("layers_of")
        if source is None:
            return {}
        try:
            found = self.load(*str(source).split("/", 1))
        except CheckpointNotFoundError as error:
            raise CheckpointError(
                f"The checkpoint {user} rests on {source}, which is not there; restore or import "
                "that one."
            ) from error
        if found.layers_digest != config.get("layers_digest"):
            raise CheckpointError(
                f"The checkpoint {user} rests on {source}, which has been trained again since; "
                "train this one again too, or restore the other."
            )
        return {f"{ENCODER_PREFIX}{name}": layer for name, layer in found.encoder_layers.items()}

    def users(self, method: str, name: str) -> list[str]:
        """Name the checkpoints, as ``METHOD/NAME``, that rest on the layers of this one."""
        found = []
        for path in sorted(self.folder.glob("*/*/config.json")):
            try:
                config = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(config, dict) and config.get("layers_of") == f"{method}/{name}":
                found.append(f"{path.parent.parent.name}/{path.parent.name}")
        return found

    def card(self, method: str, name: str) -> dict[str, Any]:
        """Read how a checkpoint was made, without its weights; empty where that is not told."""
        path = self.folder / checked(method) / checked(name) / "card.json"
        try:
            card = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return card if isinstance(card, dict) else {}

    def promoted(self, method: str) -> str:
        """Name the checkpoint that a method uses unless told otherwise.

        Raises
        ------
        CheckpointNotFoundError
            If the method has no checkpoint.
        """
        names = self.names(method)
        history = [name for name in self._history().get(method, []) if name in names]
        if history:
            return history[-1]
        if not names:
            raise CheckpointNotFoundError(
                f"The method {method} has no trained checkpoint in {self.folder}; train one with "
                f"'python -m subclust train {method} --data FILE --name NAME', "
                "or choose another method."
            )
        return names[0]

    def default_method(self) -> str:
        """Name the method that ``default`` stands for.

        Raises
        ------
        CheckpointNotFoundError
            If none has been promoted.
        """
        history = self._history().get(DEFAULT_METHOD, [])
        if not history:
            raise CheckpointNotFoundError(
                f"No default method is set in {self.folder / _PROMOTED}; name a method, "
                "or restore that file."
            )
        return history[-1]

    def promote(self, method: str, name: str | None = None, *, as_default: bool = False) -> None:
        """Make a checkpoint its method's default, and (if asked) the method the default method.

        Raises
        ------
        CheckpointNotFoundError
            If it does not exist.
        """
        history = self._history()
        if name is not None:
            self.load(method, name)
            history.setdefault(method, []).append(name)
        if as_default:
            history.setdefault(DEFAULT_METHOD, []).append(method)
        _write_json(self.folder / _PROMOTED, history)

    def roll_back(self, method: str) -> str:
        """Go back to the default before the present one, and name it.

        Checkpoints that have been removed since are passed over.

        Raises
        ------
        CheckpointError
            If there was none before.
        """
        history = self._history()
        past = history.get(method, [])
        if method != DEFAULT_METHOD:
            there = self.names(method)
            past = [name for name in past if name in there]
        earlier = [position for position, name in enumerate(past) if name != past[-1]]
        if not earlier:
            raise CheckpointError(
                f"{method} has no earlier default to go back to; promote another checkpoint."
            )
        history[method] = past[: earlier[-1] + 1]
        _write_json(self.folder / _PROMOTED, history)
        return history[method][-1]

    def remove(self, method: str, name: str) -> None:
        """Delete a checkpoint.

        Raises
        ------
        CheckpointError
            If it is its method's default, or others rest on it.
        """
        self.load(method, name)
        if users := self.users(method, name):
            raise CheckpointError(
                f"{', '.join(users)} rests on the layers of {method}/{name}; remove that one first."
            )
        if self.promoted(method) == name:
            raise CheckpointError(
                f"{method}/{name} is in use as the default; promote another one first."
            )
        shutil.rmtree(self.folder / checked(method) / checked(name))

    def _history(self) -> dict[str, list[str]]:
        try:
            history = json.loads((self.folder / _PROMOTED).read_text(encoding="utf-8"))
            if not isinstance(history, dict) or not all(
                isinstance(names, list) for names in history.values()
            ):
                raise ValueError("it must hold one object of lists")
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise CheckpointError(
                f"{self.folder / _PROMOTED} cannot be read ({error}); restore or delete it."
            ) from error
        return {str(method): [str(name) for name in names] for method, names in history.items()}


def checked(name: str) -> str:
    """Return a method or checkpoint name that is safe as a folder's name.

    Raises
    ------
    CheckpointError
        If it is not.
    """
    if not _NAME.fullmatch(name) or len(name) > 80:
        raise CheckpointError(
            f"{name!r} cannot name a checkpoint: use up to 80 letters, digits, '.', '-' and '_', "
            "beginning with a letter or digit."
        )
    return name


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("w", encoding="utf-8") as stream:
        json.dump(value, stream, indent=2, ensure_ascii=False)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def _flush(folder: Path) -> None:
    for file in folder.iterdir():
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
