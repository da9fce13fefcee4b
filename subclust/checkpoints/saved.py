"""The folders of checkpoints, ``<method>/<name>/``: written whole or not at all.

What ships with the project lies apart from what a place makes, and is only read.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace as changed
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from subclust.checkpoints.card import model_card
from subclust.checkpoints.checkpoint import (
    ENCODER_PREFIX,
    Checkpoint,
    Tensors,
    checked,
    parent_of,
    proper_name,
)
from subclust.checkpoints.rounding import packed, unpacked
from subclust.core.access import check_may_change
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError
from subclust.core.messages import Message
from subclust.core.records.names import counting_key
from subclust.core.storage.disk import (
    check_reached,
    flush_files,
    flush_names,
    new_folder,
    write_whole,
)

SHIPPED_FILE = "shipped.json"
"""Beside the shipped checkpoints: for each ``METHOD/NAME`` the sha256 of the weights that this
version ships under that name, and of those that earlier versions did."""


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write one object beside its place and rename it there, on the disk when this returns."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _came_with_project(shipped: Path, place: Path) -> bool:
    """Return whether a checkpoint's weights are those that this or an earlier version ships."""
    known = _shipped_weights(shipped).get(f"{place.parent.name}/{place.name}", ())
    return bool(known) and _weights_digest(place) in known


def _shipped_weights(shipped: Path) -> dict[str, tuple[str, ...]]:
    """Read the sha256 of all weights ever shipped, by ``METHOD/NAME``; empty without a list."""
    path = shipped / SHIPPED_FILE
    try:
        stat = path.stat()
        return _read(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError, AttributeError):
        return {}


def _weights_digest(place: Path) -> str | None:
    path = place / "weights.safetensors"
    try:
        stat = path.stat()
        return _sha256(path, stat.st_mtime_ns, stat.st_size)
    except OSError:
        return None


# Keyed on time and size, so that a file that was written again is read again.


@lru_cache(maxsize=8)
def _read(path: Path, mtime: int, size: int) -> dict[str, tuple[str, ...]]:
    found = json.loads(path.read_text(encoding="utf-8"))
    return {str(name): tuple(map(str, digests)) for name, digests in found.items()}


@lru_cache(maxsize=256)
def _sha256(path: Path, mtime: int, size: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _utc_now() -> datetime:
    """Read the clock."""
    return datetime.now(UTC)


class SavedCheckpoints:
    """What is saved, whichever of it is in use.

    A name that nothing is saved under raises a `CheckpointNotFoundError`; what is damaged or cannot
    be written, a `CheckpointError`.

    Parameters
    ----------
    folder : Path
        Of what this place has made or imported; whatever is saved is saved there.
    shipped : Path, optional
        Folder of what came with the project. What lies there under a name that `folder` has too is
        hidden by it, unless `folder` only has a copy of what some version shipped.
    clock : callable, optional
        Gives the time, in UTC.
    """

    def __init__(
        self,
        folder: Path,
        shipped: Path | None = None,
        *,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        self.folder = folder
        apart = shipped is not None and shipped.resolve() != folder.resolve()
        self.shipped = shipped if shipped is not None and apart else folder
        self.clock = clock

    @property
    def _folders(self) -> tuple[Path, ...]:
        return (self.folder,) if self.shipped == self.folder else (self.folder, self.shipped)

    def names(self, method: str) -> list[str]:
        """List the checkpoints of a method, in order of name."""
        found = {
            path.parent.name
            for folder in self._folders
            for path in (folder / checked(method)).glob("*/config.json")
        }
        # A save that is going on, or was killed, has a folder whose name begins with a dot.
        return sorted(filter(proper_name, found), key=counting_key)

    def methods(self) -> list[str]:
        """List the methods that have checkpoints, in order of name."""
        found = {
            path.parent.parent.name
            for folder in self._folders
            for path in folder.glob("*/*/config.json")
        }
        return sorted(method for method in found if proper_name(method) and self.names(method))

    def is_shipped(self, method: str, name: str) -> bool:
        """Return whether a checkpoint came with the project, and was not made or imported here."""
        return _came_with_project(self.shipped, self._place(method, name))

    def hides_shipped(self, method: str, name: str) -> bool:
        """Return whether a checkpoint of this place takes the place of a shipped one."""
        shipped = self.shipped / method / name
        return self._place(method, name) != shipped and (shipped / "config.json").is_file()

    def save(self, checkpoint: Checkpoint, *, replace: bool = False, made_now: bool = True) -> Path:
        """Write a checkpoint to a temporary folder beside its place, then rename it there.

        Parameters
        ----------
        replace : bool
            Whether it may take the place of one of the same name.
        made_now : bool
            Whether its card gets ``created`` (time in UTC) and ``parent``, where they are missing.

        Returns
        -------
        Path
            Its folder, with ``config.json``, ``weights.safetensors``, ``card.json`` and the
            generated ``README.md``.
        """
        check_may_change("model", f"{checkpoint.method}/{checkpoint.name}")
        target = self.folder / checked(checkpoint.method) / checked(checkpoint.name)
        taken = CheckpointError(
            "{method} already has a checkpoint named {checkpoint}; choose another name, or remove "
            "that one first.",
            method=checkpoint.method,
            checkpoint=checkpoint.name,
        )
        if checkpoint.name in self.names(checkpoint.method) and not replace:
            raise taken
        if made_now:
            checkpoint = changed(checkpoint, card=self._dated(checkpoint))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            work = new_folder(target.parent, f".{target.name}-")
        except OSError as error:
            raise CheckpointError(
                "Nothing can be saved in {parent}: {error}.", parent=target.parent, error=error
            ) from error
        try:
            write_json(work / "config.json", dict(checkpoint.config))
            write_json(work / "card.json", dict(checkpoint.card))
            arrays = {k: np.ascontiguousarray(v) for k, v in packed(checkpoint.tensors).items()}
            save_file(arrays, work / "weights.safetensors")
            # safetensors lets only the owner in.
            shutil.copymode(work / "config.json", work / "weights.safetensors")
            (work / "README.md").write_text(readme_of(checkpoint), encoding="utf-8")
            # The content must reach the disk before the name does: a power failure could
            # otherwise leave empty files under it.
            flush_files(work)
            if target.exists() and replace:
                # Renaming cannot replace a folder that is not empty, so the old one is moved aside,
                # and back if the second renaming fails.
                old = new_folder(target.parent, f".{target.name}-") / "old"
                target.rename(old)
                try:
                    work.rename(target)
                except BaseException:
                    old.rename(target)
                    old.parent.rmdir()
                    raise
                shutil.rmtree(old.parent)
            elif target.exists():
                raise taken  # somebody else was quicker
            else:
                work.rename(target)
            flush_names(target.parent)
        except OSError as error:
            raise CheckpointError(
                "The checkpoint {checkpoint} cannot be saved in {parent}: {error}.",
                checkpoint=checkpoint.name,
                parent=target.parent,
                error=error.strerror or error,
            ) from error
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(work)
        return target

    def load(self, method: str, name: str) -> Checkpoint:
        """Read a checkpoint."""
        folder = self.place(method, name)
        part = "config.json"
        try:
            config = _object(folder / part)
            card = _object(folder / (part := "card.json"))
            tensors = unpacked(load_file(folder / (part := "weights.safetensors")))
        except (OSError, ValueError, RecursionError, SafetensorError) as error:
            check_reached(error, folder)
            raise CheckpointError(
                "The checkpoint {method}/{name} is damaged: {part} cannot be read; restore its "
                "folder from a copy, or train it again.",
                method=method,
                name=name,
                part=part,
            ) from error
        tensors = {**self._layers_of(f"{method}/{name}", config), **tensors}
        shipped = self.is_shipped(method, name)
        return Checkpoint(method, name, config, tensors, card, shipped=shipped)

    def place(self, method: str, name: str) -> Path:
        """Name the folder of a checkpoint."""
        folder = self._place(method, name)
        if not (folder / "config.json").is_file():
            there = ", ".join(self.names(method)) or Message("none")
            raise CheckpointNotFoundError(
                "There is no checkpoint {name!r} of the method {method} (available: {there}); "
                "choose one of these, or train one with 'python -m subclust train {same}'.",
                name=name,
                method=method,
                there=there,
                same=method,
            )
        return folder

    def _place(self, method: str, name: str) -> Path:
        """Return the folder that a checkpoint is read from, whether or not it exists."""
        own = self.folder / checked(method) / checked(name)
        shipped = self.shipped / method / name
        if own == shipped or not (shipped / "config.json").is_file():
            return own
        if not (own / "config.json").is_file() or _came_with_project(self.shipped, own):
            return shipped
        return own

    def _layers_of(self, user: str, config: Mapping[str, Any]) -> Tensors:
        """Read the layers that a checkpoint has in common with another one."""
        source = config.get("layers_of")
        if source is None:
            return {}
        try:
            found = self.load(*str(source).split("/", 1))
        except CheckpointNotFoundError as error:
            raise CheckpointError(
                "The checkpoint {user} is based on {source}, which is not there; restore or "
                "import that one.",
                user=user,
                source=source,
            ) from error
        if found.layers_digest != config.get("layers_digest"):
            raise CheckpointError(
                "The checkpoint {user} is based on {source}, which has been trained again "
                "since; train this one again too, or restore the other.",
                user=user,
                source=source,
            )
        return {f"{ENCODER_PREFIX}{name}": layer for name, layer in found.encoder_layers.items()}

    def users(self, method: str, name: str) -> list[str]:
        """Name the checkpoints, as ``METHOD/NAME``, that rest on the layers of this one."""
        return [
            f"{other}/{user}"
            for other in self.methods()
            for user in self.names(other)
            if self.config(other, user).get("layers_of") == f"{method}/{name}"
        ]

    def card(self, method: str, name: str) -> dict[str, Any]:
        """Read how a checkpoint was made, without its weights; empty where that is not told."""
        return _read_object(self._place(method, name) / "card.json")

    def config(self, method: str, name: str) -> dict[str, Any]:
        """Read a checkpoint's configuration, without its weights; empty where it is damaged."""
        return _read_object(self._place(method, name) / "config.json")

    def parent(self, method: str, name: str) -> str | None:
        """Name the checkpoint, as ``METHOD/NAME``, that the training of this one started from."""
        told = self.card(method, name).get("parent")
        return str(told) if told else parent_of(method, self.config(method, name))

    def time(self) -> str:
        """Return the time in UTC, by ISO 8601."""
        return self.clock().isoformat(timespec="seconds")

    def _dated(self, checkpoint: Checkpoint) -> dict[str, Any]:
        card = {"created": self.time(), **checkpoint.card}
        parent = checkpoint.parent
        return {"parent": parent, **card} if parent else card


def readme_of(checkpoint: Checkpoint) -> str:
    """Write the generated model card of a checkpoint."""
    return model_card(checkpoint.method, checkpoint.name, checkpoint.config, checkpoint.card)


def _read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object; one that cannot be read is empty."""
    try:
        return _object(path)
    except (OSError, ValueError, RecursionError):
        return {}


def _object(path: Path) -> dict[str, Any]:
    """Read a JSON object; raise a ValueError for anything else."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} holds no object")
    return found
