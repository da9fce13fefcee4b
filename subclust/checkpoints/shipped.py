"""Which checkpoints came with the project, by their weights: ``shipped.json`` lists them."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

SHIPPED_FILE = "shipped.json"
"""Beside the shipped checkpoints: for each ``METHOD/NAME`` the sha256 of the weights that this
version ships under that name, and of those that earlier versions did."""


def came_with_project(shipped: Path, place: Path) -> bool:
    """Return whether a checkpoint's weights are those that this or an earlier version ships.

    Parameters
    ----------
    shipped : Path
        Folder of the shipped checkpoints, with `SHIPPED_FILE`; without it nothing is shipped.
    place : Path
        Folder of a checkpoint, ``.../METHOD/NAME``, wherever it lies.
    """
    known = shipped_weights(shipped).get(f"{place.parent.name}/{place.name}", ())
    return bool(known) and _weights_digest(place) in known


def shipped_weights(shipped: Path) -> dict[str, tuple[str, ...]]:
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
