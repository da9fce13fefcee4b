"""Receiving an upload: to disk, piece by piece, and only if it is the text its name says."""

import gzip
import hashlib
import re
import shutil
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.quotas import check_upload
from subclust.core.storage.ageing import long_old, old_folders
from subclust.core.storage.disk import Readable
from subclust.labelled.reading.opening import LINE_ENDINGS, TABLE_ENDINGS
from subclust.labelled.reading.problems import printable
from subclust.text.sources.contents import (
    GZIP,
    HEAD,
    WORKBOOK,
    content_of,
    has_controls,
    in_wide_characters,
)
from subclust.text.sources.unpacking import LONGEST_RECORD, opened
from subclust.text.sources.workbook_safety import MOST_UNPACKED, workbook_fault

_ADVICE = Message("save it as .csv, .tsv, .xlsx or .jsonl and try again")
_MOST_CONTROLS = 0.05


MOST_BYTES = 200 << 20
"""Of an upload."""

_CHUNK = 1 << 20
_ENDINGS = (*TABLE_ENDINGS, *LINE_ENDINGS)
_LONGEST_NAME = 200
_A_DAY = 24 * 3600.0


def _refuse_by_head(head: bytes, told: str) -> None:
    """Refuse a file by its first bytes."""
    ending = _ending(told)
    content = content_of(head)
    if content == WORKBOOK and ending == ".xlsx" or content == GZIP and ending == ".gz":
        return
    if content is not None:
        raise FileFormatError(
            "{file} is not what its name says, but {content}; {advice}.",
            file=told,
            content=content,
            advice=_ADVICE,
        )
    if ending == ".xlsx":
        raise FileFormatError(
            "{file} is not an Excel workbook; give it the right extension, or save it again.",
            file=told,
        )
    if ending == ".gz":
        raise FileFormatError(
            "{file} is not compressed; remove .gz from its name and try again.", file=told
        )
    _refuse_other_text(head, ending, told)


class _Sniffer:
    """Looks at all pieces of a text for what no text has."""

    def __init__(self, head: bytes, told: str, *, packed: bool = False) -> None:
        self.told = told
        self.text = packed or _ending(told) not in (".xlsx", ".gz")
        self.wide = in_wide_characters(head)
        self.seen = 0
        self.blank = True
        self.n_line = 0
        if self.text and not self.wide:
            n = len(head) - len(head.translate(None, bytes(range(1, 9)) + bytes(range(14, 26))))
            if n > _MOST_CONTROLS * len(head):
                raise FileFormatError(
                    "{file} is not text: it is full of bytes that no text has; {advice}.",
                    file=told,
                    advice=_ADVICE,
                )

    def look(self, chunk: bytes) -> None:
        """Look at the next piece."""
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        self.n_line = self.n_line + len(chunk) if end < 0 else len(chunk) - end - 1
        if self.text and self.n_line > LONGEST_RECORD:
            raise FileFormatError(
                "{file} has a line of more than {size} MB, which no labelled set has; write each "
                "question, or each row, on a line of its own.",
                file=self.told,
                size=LONGEST_RECORD >> 20,
            )
        if self.blank and chunk.strip(b" \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe\x00"):
            self.blank = False
        if self.text and not self.wide and (at := chunk.find(0)) >= 0:
            raise FileFormatError(
                "{file} is not text: byte {seen:,} is a zero; {advice}.",
                file=self.told,
                seen=self.seen + at + 1,
                advice=_ADVICE,
            )
        self.seen += len(chunk)

    def end(self) -> None:
        """Refuse a file of nothing but blanks."""
        if self.blank:
            raise FileFormatError(
                "{file} is empty; fill in a header and at least two questions with their passages.",
                file=self.told,
            )


def _refuse_packed(path: Path, told: str) -> None:
    """Refuse a workbook that must not be opened, and a gzip file that must not be unpacked."""
    ending = _ending(told)
    if ending == ".xlsx" and (fault := workbook_fault(path)):
        raise FileFormatError("{file} {fault}.", file=told, fault=fault)
    if ending != ".gz":
        return
    try:
        _refuse_unpacked(path, told)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(
            "{file} cannot be read, since its compression is damaged or cut off; compress it "
            "again, or give it uncompressed.",
            file=told,
        ) from error


def _refuse_unpacked(path: Path, told: str) -> None:
    n_bytes = 0
    sniffer: _Sniffer | None = None
    with opened(path) as stream:
        while chunk := stream.read(_CHUNK):
            if sniffer is None:
                content = content_of(chunk[:HEAD])
                if content is not None:
                    raise FileFormatError(
                        "{file} holds no text, but {content}; compress a .jsonl file "
                        "and try again.",
                        file=told,
                        content=content,
                    )
                _refuse_other_text(chunk[:HEAD], ".gz", told)
                sniffer = _Sniffer(chunk[:HEAD], told, packed=True)
            sniffer.look(chunk)
            n_bytes += len(chunk)
            if n_bytes > MOST_UNPACKED:
                raise FileFormatError(
                    "{file} unpacks to more than the {most} MB that are read; split it into "
                    "several files.",
                    file=told,
                    most=MOST_UNPACKED >> 20,
                )
    if sniffer is None:
        raise FileFormatError(
            "{file} is empty; fill in at least two questions with their passages.", file=told
        )
    sniffer.end()


def _refuse_other_text(head: bytes, ending: str, told: str) -> None:
    """Refuse JSON in a table, and a table in JSON Lines."""
    if in_wide_characters(head) or has_controls(head):
        return
    lines = [line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()]
    lines = [line for line in lines if line][:5]
    if not lines:
        return
    if ending in (".csv", ".tsv"):
        if re.match(rb"\{\s*(?:\"|$)|\[\s*(?:\{|$)", lines[0]):
            raise FileFormatError(
                "{file} holds JSON, not a table; give it the ending .jsonl if each line is a "
                "question, else save it so.",
                file=told,
            )
    elif not any(line.startswith((b"{", b"[")) for line in lines):
        raise FileFormatError(
            "{file} holds no JSON; give it the ending .csv or .tsv if it is a table.", file=told
        )


def _ending(told: str) -> str:
    lower = told.lower()
    return ".gz" if lower.endswith(".gz") else lower[lower.rindex(".") :] if "." in lower else ""


@dataclass(frozen=True)
class Upload:
    """A file that was received whole and looks like text.

    Parameters
    ----------
    path : Path
        In a folder of its own.
    filename : str
        As it was given.
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
    filename : str
        As the person's computer calls it, without folders.
    n_bytes : int, optional
        Its size, where it is known beforehand.

    Raises
    ------
    FileFormatError
        If it is too large or no text that a labelled set can be; one sentence says what to do.
    OSError
        If the disk does not take it.
    """
    told = _checked_filename(filename)
    if n_bytes is not None and n_bytes > MOST_BYTES:
        raise _too_large(told, n_bytes)
    check_upload(n_bytes or 0)
    folder.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="upload-", dir=folder))
    try:
        path = place / _on_disk(filename)
        size, digest = _write(path, stream, told)
        _refuse_packed(path, told)
        return Upload(path, filename, size, digest)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _checked_filename(filename: str) -> str:
    """Return a file's name as it can be printed."""
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
            "The extension of {file} is not that of a labelled set; give a .csv, .tsv, .xlsx, "
            ".jsonl or .jsonl.gz file.",
            file=filename,
        )
    return filename


def sweep(folder: Path) -> None:
    """Remove what killed or forgotten uploads have left in their folder for some days."""
    if not folder.is_dir():
        return
    for name in long_old(folder, old_folders(folder, _A_DAY)):
        shutil.rmtree(folder / name, ignore_errors=True)


def _write(path: Path, stream: Readable, told: str) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    sniffer: _Sniffer | None = None
    with path.open("xb") as target:
        while chunk := _read(stream, told):
            size += len(chunk)
            check_upload(size)
            if size > MOST_BYTES:
                raise _too_large(told)
            if sniffer is None:
                # The first piece may be too small to tell what the file is.
                while len(chunk) < HEAD and (more := _read(stream, told)):
                    chunk += more
                    size += len(more)
                _refuse_by_head(chunk[:HEAD], told)
                sniffer = _Sniffer(chunk[:HEAD], told)
            sniffer.look(chunk)
            digest.update(chunk)
            target.write(chunk)
    if sniffer is None:
        raise FileFormatError(
            "{file} is empty; fill in a header and at least two questions with their passages.",
            file=told,
        )
    sniffer.end()
    return size, digest.hexdigest()


def _read(stream: Readable, told: str) -> bytes:
    try:
        return stream.read(_CHUNK)
    except (OSError, ValueError, EOFError) as error:
        raise FileFormatError(
            "{file} did not arrive completely ({error}); try again.", file=told, error=error
        ) from error


def _too_large(told: str, n_bytes: int | None = None) -> FileFormatError:
    size = f"has {n_bytes / (1 << 20):,.0f} MB" if n_bytes else "is larger"
    return FileFormatError(
        "{file} {size}, and at most {most_bytes} MB are accepted; compress it as .jsonl.gz, or "
        "split it into several sets.",
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
