"""A checkpoint as one zip file, to hand on."""

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from subclust.checkpoints.archive_members import (
    FILES,
    SUMS_FILE,
    check_tensor_file,
    checked_members,
    size_in_words,
    unpack,
)
from subclust.checkpoints.card import model_card
from subclust.checkpoints.checkpoint import Checkpoint, checked
from subclust.checkpoints.saved import SavedCheckpoints
from subclust.checkpoints.store import CheckpointStore
from subclust.core.exceptions import CheckpointError
from subclust.core.messages import N_, Message
from subclust.core.storage.damaged import ZIP_DAMAGES, zip_damage
from subclust.core.storage.disk import Readable, flush_names

_LARGEST = 2 * 1024**3
"""Bytes that an archive, and what is in it, may have."""

_TOLD_BY_TEXT = ("summary", "intended_use", "limits", "citation", "licence", "created", "parent")
_TOLD_BY_TABLE = ("training", "scores", "judgement", "judgement_elsewhere")
_TOLD_BY_ROWS = ("training_data", "stages", "history")


LARGEST_UPLOAD = 200 * 1024**2
"""Bytes; a checkpoint with all layers of the usual encoder has less than half of them."""

_PIECE = 1024**2

_UNREADABLE = N_("{part} in {file} cannot be read; export the model again.")


def export_checkpoint(store: CheckpointStore, method: str, name: str, path: Path) -> Path:
    """Write a checkpoint's files and their sums to a zip file, below ``<method>/<name>/``.

    One that rests on another's layers takes them along. The same checkpoint gives the same bytes.

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
            whole.save(replace(checkpoint, config=own), made_now=False)
            return export_checkpoint(whole, method, name, path)
    folder = store.place(method, name)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            sums = ""
            for file in FILES:
                content = (folder / file).read_bytes()
                sums += f"{hashlib.sha256(content).hexdigest()}  {file}\n"
                archive.writestr(_member(f"{method}/{name}/{file}"), content)
            archive.writestr(_member(f"{method}/{name}/{SUMS_FILE}"), sums)
        partial.replace(path)
        flush_names(path.parent)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise CheckpointError(
            "{path} cannot be written: {error}.", path=path, error=error.strerror or error
        ) from error
    return path


def _member(name: str) -> zipfile.ZipInfo:
    """Describe a member that is the same whenever it is written."""
    # Members without a time are dated 1980, so that equal checkpoints give equal files.
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o100644 << 16
    return member


def import_checkpoint(
    store: CheckpointStore,
    path: Path,
    methods: Set[str],
    *,
    name: str | None = None,
    shown_name: str | None = None,
    largest: int = _LARGEST,
) -> Checkpoint:
    """Take a checkpoint from a zip file that `export_checkpoint` wrote.

    Nothing but the known files is ever unpacked, each within its size; their sums are compared
    where they are listed (older archives list none); weights are read as safetensors only; and the
    README is written anew from the card. What the archive says of its judgement was measured
    elsewhere and is kept as ``judgement_elsewhere``.

    Parameters
    ----------
    methods : set of str
        Names of the methods there are.
    name : str, optional
        Of the checkpoint here, by default the one it had.
    shown_name : str, optional
        Of the file, in sentences, where it is another than that of `path`.
    largest : int
        Bytes that the archive, and what is in it, may have.

    Raises
    ------
    CheckpointError
        If the file is no such archive, holds anything else, is too large, or a checkpoint of that
        name is there; then nothing is stored.
    """
    shown = shown_name or path.name
    try:
        if path.stat().st_size > largest:
            raise CheckpointError(
                "{file} is larger than {size}, so it is rejected.",
                file=shown,
                size=size_in_words(largest),
            )
        with (
            zipfile.ZipFile(path) as archive,
            tempfile.TemporaryDirectory(prefix="subclust-") as work,
        ):
            members = checked_members(archive, shown, largest)
            if members.method not in methods:
                raise CheckpointError(
                    "{file} is for the method {method!r}, unknown here.",
                    file=shown,
                    method=members.method,
                )
            folder = Path(work) / members.method / members.name
            folder.mkdir(parents=True)
            for file in members.files:
                unpack(archive, members.files[file], folder / file)
            _check_sums(folder, shown)
            _check_objects(folder, shown)
            check_tensor_file(folder / "weights.safetensors")
            saved = SavedCheckpoints(Path(work))
            if "layers_of" in saved.config(members.method, members.name):
                raise CheckpointError(
                    "{file} is based on a model that is not in it; export it again.", file=shown
                )
            checkpoint = saved.load(members.method, members.name)
    except FileNotFoundError as error:
        raise CheckpointError("There is no file {file}; check its name.", file=path) from error
    except OSError as error:
        raise CheckpointError(
            "{file} cannot be read ({error}).", file=shown, error=error.strerror or error
        ) from error
    except ZIP_DAMAGES as error:
        raise CheckpointError(
            "{file} is not an exported checkpoint ({why}); export it again.",
            file=shown,
            why=zip_damage(path),
        ) from error
    checkpoint = _taken_in(_whole(checkpoint, shown), store.time())
    if name:
        checkpoint = replace(checkpoint, name=checked(name))
    store.save(checkpoint, made_now=False)
    return checkpoint


def _check_sums(folder: Path, shown: str) -> None:
    path = folder / SUMS_FILE
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    listed = {file: digest for digest, _, file in (line.partition("  ") for line in lines)}
    path.unlink()
    if len(lines) != len(FILES) or set(listed) != set(FILES):
        raise CheckpointError(
            "{file} does not list a checksum for each of its files; export it again.", file=shown
        )
    for file in FILES:
        if hashlib.sha256((folder / file).read_bytes()).hexdigest() != listed[file].lower():
            raise CheckpointError(
                "{file} in {shown} is not the file that was exported: its checksum differs; "
                "export it again.",
                file=file,
                shown=shown,
            )


def _check_objects(folder: Path, shown: str) -> None:
    for part in ("config.json", "card.json"):
        try:
            is_object = isinstance(json.loads((folder / part).read_text(encoding="utf-8")), dict)
        except (ValueError, RecursionError):
            is_object = False
        if not is_object:
            raise CheckpointError(_UNREADABLE, part=part, file=shown)


def _whole(checkpoint: Checkpoint, shown: str) -> Checkpoint:
    """Refuse what is well-formed but cannot be a checkpoint."""
    card, config = checkpoint.card, checkpoint.config
    kinds: list[tuple[str, object, type]] = [
        *((key, card.get(key, ""), str) for key in _TOLD_BY_TEXT),
        *((key, card.get(key, {}), dict) for key in _TOLD_BY_TABLE),
        *((key, card.get(key, []), list) for key in _TOLD_BY_ROWS),
        *((Message("a row"), row, dict) for key in _TOLD_BY_ROWS for row in _rows(card.get(key))),
        ("model", config.get("model", {}), dict),
    ]
    for key, value, kind in kinds:
        if value is not None and not isinstance(value, kind):
            raise CheckpointError(
                "The card in {file} cannot be read: {key} is of the wrong kind; export it again.",
                file=shown,
                key=key,
            )
    for name, tensor in checkpoint.tensors.items():
        if np.issubdtype(tensor.dtype, np.floating) and not np.isfinite(tensor).all():
            raise CheckpointError(
                "The weights in {file} are damaged: {name} contains something that is not a "
                "number; export it again.",
                file=shown,
                name=name,
            )
    try:
        # Rendered once here: a card that cannot be shown or written must not be stored first.
        texts = (
            model_card(checkpoint.method, checkpoint.name, config, card),
            json.dumps([card, config], ensure_ascii=False),
        )
        for text in texts:
            text.encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise CheckpointError(_UNREADABLE, part="card.json", file=shown) from error
    return checkpoint


def _rows(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _taken_in(checkpoint: Checkpoint, when: str) -> Checkpoint:
    card: dict[str, Any] = {**checkpoint.card, "imported": when}
    if "judgement" in card:
        card["judgement_elsewhere"] = card.pop("judgement")
    return replace(checkpoint, card=card)


def import_upload(
    store: CheckpointStore,
    stream: Readable,
    filename: str,
    methods: Set[str],
    *,
    name: str | None = None,
    largest: int = LARGEST_UPLOAD,
) -> Checkpoint:
    """Take a checkpoint from a stream, of which one piece at a time is in memory.

    Parameters
    ----------
    stream : Readable
        Of the zip file.
    filename : str
        As the person's computer calls it, for sentences.
    methods : set of str
        Names of the methods there are.
    name : str, optional
        Of the checkpoint here, by default the one it had.
    largest : int
        Bytes that the file, and what is in it, may have.

    Raises
    ------
    CheckpointError
        If it is too large, the disk does not take it, or `import_checkpoint` refuses it; then
        nothing is stored.
    """
    with tempfile.TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "upload.zip"
        try:
            with path.open("wb") as kept:
                left = largest
                while piece := stream.read(_PIECE):
                    left -= len(piece)
                    if left < 0:
                        raise CheckpointError(
                            "{file} is larger than {limit}, which is unusual for a model; have "
                            "whoever looks after this machine add it with 'python -m subclust "
                            "models import'.",
                            file=filename,
                            limit=size_in_words(largest),
                        )
                    kept.write(piece)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise CheckpointError(
                "{filename} cannot be received ({reason}); make room on the disk, and try again.",
                filename=filename,
                reason=reason,
            ) from error
        return import_checkpoint(
            store, path, methods, name=name, shown_name=filename, largest=largest
        )
