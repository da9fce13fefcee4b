"""Files that somebody uploads to import: to disk, piece by piece, until they are in a library."""

import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from subclust.core.access import check_may_change
from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.quotas import check_upload
from subclust.core.storage.ageing import long_old, old_folders
from subclust.core.storage.disk import Readable
from subclust.jobs import JobStore, is_alive, job_state
from subclust.text.sources.base import name_on_disk

MOST_BYTES = 200 << 20
"""Of an upload; a larger file is imported by the command line."""

_CHUNK = 1 << 20
_A_DAY = 24 * 3600.0


@dataclass(frozen=True)
class ReceivedFile:
    """A file that was received whole.

    Parameters
    ----------
    path : Path
        In a folder of its own; its name is the visitor's as far as file systems take it.
    filename : str
        As it was given.
    n_bytes : int
    """

    path: Path
    filename: str
    n_bytes: int


def receive_file(
    folder: Path, stream: Readable, filename: str, *, n_bytes: int | None = None
) -> ReceivedFile:
    """Write a stream to disk; at most one piece of it is in memory.

    Parameters
    ----------
    folder : Path
        Of the uploads; a new folder is made in it, and none is left if the file is refused.
    stream : Readable
    filename : str
    n_bytes : int, optional
        Its size, where it is known beforehand.

    Raises
    ------
    FileFormatError
        If it is empty or larger than `MOST_BYTES`.
    InputError
        If the disk does not take it.
    """
    check_may_change("library")
    shown = os.path.basename(filename.replace("\\", "/"))
    if n_bytes is not None and n_bytes > MOST_BYTES:
        raise _too_large(shown)
    check_upload(n_bytes or 0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix="upload-", dir=folder))
    except OSError as error:
        raise _no_room(shown, error) from error
    try:
        path, size = place / name_on_disk(shown), 0
        with path.open("xb") as target:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise _too_large(shown)
                check_upload(size)
                target.write(chunk)
        if not size:
            raise FileFormatError("{file} is empty; export it again.", file=shown)
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        raise _no_room(shown, error) from error
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return ReceivedFile(path, shown, size)


def forget_uploads(folder: Path, files: Iterable[Path]) -> None:
    """Delete files that were uploaded; those that lie elsewhere are somebody's own, and stay."""
    for path in files:
        if path.absolute().parent.parent == folder.absolute():
            shutil.rmtree(path.parent, ignore_errors=True)


def sweep_uploads(folder: Path, jobs: JobStore) -> None:
    """Delete what forgotten uploads have left, except for jobs that may still read it.

    Parameters
    ----------
    folder : Path
        Of the uploads.
    jobs : JobStore
    """
    if not folder.is_dir() or jobs.damaged():  # nobody knows what those read
        return
    wanted = {
        Path(word).parent.name
        for job in jobs.jobs()
        if job_state(job, is_alive(job)) not in ("finished", "cancelled")
        for word in job.argv
    }
    forgotten = [name for name in old_folders(folder, _A_DAY) if name not in wanted]
    for name in long_old(folder, forgotten):
        shutil.rmtree(folder / name, ignore_errors=True)


def _too_large(filename: str) -> FileFormatError:
    return FileFormatError(
        "{file} is larger than {size} MB; split it, or import it on the machine itself with "
        "'python -m subclust import'.",
        file=filename,
        size=MOST_BYTES >> 20,
    )


def _no_room(filename: str, error: OSError) -> InputError:
    return InputError(
        "{file} could not be written to disk ({error}); free some space and try again.",
        file=filename,
        error=error.strerror or error,
    )
