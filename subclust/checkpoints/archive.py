"""A checkpoint as one zip file, to hand on."""

import json
import tempfile
import zipfile
import zlib
from collections.abc import Set
from dataclasses import replace
from pathlib import Path

from subclust.checkpoints.store import Checkpoint, CheckpointStore, checked
from subclust.exceptions import CheckpointError

FILES = ("config.json", "weights.safetensors", "card.json", "README.md")
LARGEST = 2 * 1024**3
"""Bytes that an archive may unpack to."""


def export_checkpoint(store: CheckpointStore, method: str, name: str, path: Path) -> Path:
    """Write a checkpoint's files to a zip file, below ``<method>/<name>/``.

    One that rests on another's layers takes them along.

    Raises
    ------
    CheckpointError
        If there is no such checkpoint, or the file cannot be written.
    """
    checkpoint = store.load(method, name)
    if "layers_of" in checkpoint.config:
        own = {
            k: v for k, v in checkpoint.config.items() if k not in ("layers_of", "layers_digest")
        }
        with tempfile.TemporaryDirectory(prefix="subclust-") as work:
            whole = CheckpointStore(Path(work))
            whole.save(replace(checkpoint, config=own))
            return export_checkpoint(whole, method, name, path)
    folder = store.folder / method / name
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in FILES:
                archive.write(folder / file, f"{method}/{name}/{file}")
    except OSError as error:
        raise CheckpointError(f"{path} cannot be written: {error}.") from error
    return path


def import_checkpoint(store: CheckpointStore, path: Path, methods: Set[str]) -> Checkpoint:
    """Take a checkpoint from a zip file that `export_checkpoint` wrote.

    Nothing but the four known files is ever unpacked, and weights are read as safetensors only.

    Parameters
    ----------
    store : CheckpointStore
    path : Path
    methods : set of str
        Names of the methods there are.

    Raises
    ------
    CheckpointError
        If the file is no such archive, holds anything else, is too large, or a checkpoint of that
        name is there.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            method, name = _names(archive, path)
            if method not in methods:
                raise CheckpointError(f"{path.name} is for the method {method!r}, unknown here.")
            with tempfile.TemporaryDirectory(prefix="subclust-") as work:
                folder = Path(work) / method / name
                folder.mkdir(parents=True)
                for file in FILES:
                    (folder / file).write_bytes(archive.read(f"{method}/{name}/{file}"))
                checkpoint = CheckpointStore(Path(work)).load(method, name)
    except FileNotFoundError as error:
        raise CheckpointError(f"There is no file {path}; check its name.") from error
    # RuntimeError: encrypted, or compressed in a way that is not known here.
    except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, json.JSONDecodeError) as error:
        raise CheckpointError(
            f"{path.name} is not an exported checkpoint ({error}); export it again."
        ) from error
    store.save(checkpoint)
    return checkpoint


def _names(archive: zipfile.ZipFile, path: Path) -> tuple[str, str]:
    members = archive.infolist()
    if sum(member.file_size for member in members) > LARGEST:
        raise CheckpointError(f"{path.name} would unpack to over 2 GB and is refused.")
    parts = [tuple(member.filename.split("/")) for member in members]
    owners = {part[:2] for part in parts}
    files = sorted(part[2] for part in parts if len(part) == 3)
    if len(owners) != 1 or files != sorted(FILES) or len(parts) != len(FILES):
        raise CheckpointError(
            f"{path.name} is not an exported checkpoint: it must hold exactly "
            f"{', '.join(FILES)} of one checkpoint."
        )
    method, name = next(iter(owners))
    return checked(method), checked(name)
