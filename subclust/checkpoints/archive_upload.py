"""A checkpoint that somebody's browser sends: to disk piece by piece, and no more than fits."""

import tempfile
from collections.abc import Set
from pathlib import Path
from typing import Protocol

from subclust.checkpoints.archive import import_checkpoint
from subclust.checkpoints.archive_members import size_in_words
from subclust.checkpoints.checkpoint import Checkpoint
from subclust.checkpoints.store import CheckpointStore
from subclust.core.exceptions import CheckpointError

LARGEST_UPLOAD = 200 * 1024**2
"""Bytes; a checkpoint with all layers of the usual encoder has less than half of them."""

_PIECE = 1024**2


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""
        ...


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
    store : CheckpointStore
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

    Returns
    -------
    Checkpoint
        As it was saved.

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
                            "{file} is larger than {limit}, more than a model has as a rule; have "
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
