"""Receiving a file that somebody uploads: to disk, piece by piece, and only if it is text."""

import hashlib
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from subclust.core.exceptions import FileFormatError
from subclust.core.storage.disk import Readable
from subclust.labelled.reading.opening import LINE_ENDINGS, TABLE_ENDINGS
from subclust.labelled.reading.problems import printable
from subclust.labelled.sets.sniff import Sniffer, refuse_by_head, refuse_packed
from subclust.text.sources.contents import HEAD

MOST_BYTES = 200 << 20
"""Of an upload."""

_CHUNK = 1 << 20
_ENDINGS = (*TABLE_ENDINGS, *LINE_ENDINGS)
_LONGEST_NAME = 200
_A_DAY = 24 * 3600.0


@dataclass(frozen=True)
class Upload:
    """A file that was received whole and looks like text.

    Parameters
    ----------
    path : Path
        In a folder of its own.
    filename : str
        As it was given.
    n_bytes : int
    sha256 : str
        Of its bytes.
    """

    path: Path
    filename: str
    n_bytes: int
    sha256: str


def receive_upload(
    folder: Path, stream: Readable, filename: str, *, n_bytes: int | None = None
) -> Upload:
    """Write a stream to disk and look at what it holds; at most a few pieces are in memory.

    Parameters
    ----------
    folder : Path
        Of the uploads; a new folder is made in it, and none is left if the file is refused.
    stream : Readable
    filename : str
        As the person's computer calls it, without folders.
    n_bytes : int, optional
        Its size, where it is known beforehand.

    Returns
    -------
    Upload

    Raises
    ------
    FileFormatError
        If it is too large or no text that a labelled set can be; one sentence says what to do.
    OSError
        If the disk does not take it.
    """
    told = checked_filename(filename)
    if n_bytes is not None and n_bytes > MOST_BYTES:
        raise _too_large(told, n_bytes)
    folder.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="upload-", dir=folder))
    try:
        path = place / _on_disk(filename)
        size, digest = _write(path, stream, told)
        refuse_packed(path, told)
        return Upload(path, filename, size, digest)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def checked_filename(filename: str) -> str:
    """Return a file's name as it can be printed.

    Raises
    ------
    FileFormatError
        If it leads elsewhere, cannot be seen, or has an ending that is not read.
    """
    if not filename or len(filename) > _LONGEST_NAME or not filename.isprintable():
        raise FileFormatError(
            "The file's name is empty, longer than {most} characters or has characters that "
            "cannot be seen; rename it and try again.",
            most=_LONGEST_NAME,
        )
    if re.search(r"[/\\]", filename) or filename in (".", ".."):
        raise FileFormatError(
            "{file} names a folder too; give the file's name alone.", file=printable(filename)
        )
    lower = filename.lower()
    if lower.endswith(".xlsm"):
        raise FileFormatError(
            "{file} is a workbook with macros, which are programs; save it as .xlsx or .csv.",
            file=filename,
        )
    if lower.endswith(".xls"):
        raise FileFormatError(
            "{file} is an old Excel workbook; save it as .xlsx or .csv and try again.",
            file=filename,
        )
    if not lower.endswith(_ENDINGS):
        raise FileFormatError(
            "{file} is no labelled set by its ending; give a .csv, .tsv, .xlsx, .jsonl or "
            ".jsonl.gz file.",
            file=filename,
        )
    return filename


def sweep(folder: Path, *, older_than: float = _A_DAY) -> None:
    """Remove what killed or forgotten uploads have left.

    Parameters
    ----------
    folder : Path
        Of the uploads.
    older_than : float
        Seconds since something was last written there.
    """
    if not folder.is_dir():
        return
    for place in folder.iterdir():
        try:
            old = time.time() - place.stat().st_mtime > older_than
        except OSError:  # removed meanwhile
            continue
        if old:
            shutil.rmtree(place, ignore_errors=True)


def _write(path: Path, stream: Readable, told: str) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    sniffer: Sniffer | None = None
    with path.open("xb") as target:
        while chunk := _read(stream, told):
            size += len(chunk)
            if size > MOST_BYTES:
                raise _too_large(told)
            if sniffer is None:
                # The first pieces may be small: gather enough of them to tell what it is.
                while len(chunk) < HEAD and (more := _read(stream, told)):
                    chunk += more
                    size += len(more)
                refuse_by_head(chunk[:HEAD], told)
                sniffer = Sniffer(chunk[:HEAD], told)
            sniffer.look(chunk)
            digest.update(chunk)
            target.write(chunk)
    if sniffer is None:
        raise FileFormatError(
            "{file} is empty; fill in a header and at least two queries with their passages.",
            file=told,
        )
    sniffer.end()
    return size, digest.hexdigest()


def _read(stream: Readable, told: str) -> bytes:
    try:
        return stream.read(_CHUNK)
    except (OSError, ValueError, EOFError) as error:
        raise FileFormatError(
            "{file} did not arrive whole ({error}); try again.", file=told, error=error
        ) from error


def _too_large(told: str, n_bytes: int | None = None) -> FileFormatError:
    size = f"has {n_bytes / (1 << 20):,.0f} MB" if n_bytes else "is larger"
    return FileFormatError(
        "{file} {size}, and {most_bytes} MB are taken at most; pack it as .jsonl.gz, or split it "
        "into several sets.",
        file=told,
        size=size,
        most_bytes=MOST_BYTES >> 20,
    )


def _on_disk(filename: str) -> str:
    """Return a name that every file system takes, with the ending of the file's own."""
    lower = filename.lower()
    ending = next(ending for ending in reversed(_ENDINGS) if lower.endswith(ending))
    stem = re.sub(r"[^\w .,()+-]", "_", filename[: -len(ending)], flags=re.ASCII)[:80]
    return f"{stem.strip(' .') or 'upload'}{ending}"
