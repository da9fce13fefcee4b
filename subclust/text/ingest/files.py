"""Several files into one library as one import, and a guess at how many records each has."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders import Encoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library.imports import ImportLog
from subclust.text.sources import KNOWN_BY_NAME
from subclust.text.sources.base import DAMAGES
from subclust.text.sources.opening import format_of, open_source
from subclust.text.sources.unpacking import opened

MARKS: dict[str, tuple[bytes, ...]] = {
    "ris": (b"\nTY  -", b"\rTY  -"),
    "nbib": (b"\nPMID-",),
    "wos": (b"\nPT ", b"\rPT "),
    "endnote": (b"\n%0 ",),
    "endnote-xml": (b"<record>",),
    "bibtex": (b"\n@",),
    "marc": (b"\x1d",),
    "marcxml": (b"<record", b":record>"),
    "dublin-core": (b"<record>", b":record>"),
    "pubmed": (b"<PubmedArticle>",),
    "jats": (b"<article-meta",),
    "csl-json": (b'"id"',),
    "zotero": (b'"itemType"',),
    "wikidump": (b"<page>",),
}
"""Of each format without a count of its own, what comes once a record; the most frequent counts."""

_CHUNK = 1 << 20


def guess_records(path: Path, format: str = "auto") -> int | None:
    """Guess how many records a file has, for a progress bar; it is read once, in constant memory.

    Tables and JSON Lines know it themselves; of the other formats, marks are counted.

    Parameters
    ----------
    path : Path
    format : str
        A key of `SOURCES`, or ``"auto"``.

    Returns
    -------
    int or None
        At least 1; None where nothing can be counted.
    """
    name = format_of(path) if format == "auto" else format
    marks = MARKS.get(name or "")
    if marks is None:
        try:
            return open_source(path, format).estimate()
        except SubclustError:
            return None
    counts = dict.fromkeys(marks, 0)
    longest = max(map(len, marks))
    end = b"\n"  # the first record has no line before it
    try:
        with opened(path) as stream:
            while chunk := stream.read(_CHUNK):
                looked = end + chunk
                for mark in marks:
                    # What lies wholly within the end of the last piece was counted with it.
                    counts[mark] += looked.count(mark) - end.count(mark)
                end = looked[-(longest - 1) :]
    except (*DAMAGES, SubclustError):
        return None
    return max(counts.values()) or None


def check_names(files: Sequence[Path]) -> None:
    """Refuse files of which the second would replace the first, since both are known by one name.

    Raises
    ------
    InputError
        If two texts or PDFs in different folders have the same name.
    """
    called: dict[str, Path] = {}
    for path in files:
        other = called.setdefault(path.name, path)
        is_another = other.absolute() != path.absolute() and path.is_file()
        if is_another and format_of(path) in KNOWN_BY_NAME:
            raise InputError(
                "{file} and {other} have one name, by which a text or PDF is known, so that the "
                "second would replace the first; rename one of them.",
                file=other,
                other=path,
            )


@dataclass(frozen=True)
class FileImport:
    """What became of a file.

    Parameters
    ----------
    path : Path
    format : str
        Its format, for people.
    report : IngestReport
    """

    path: Path
    format: str
    report: IngestReport


def ingest_files(
    files: Sequence[Path],
    encoder: Encoder,
    folder: Path,
    name: str,
    *,
    format: str = "auto",
    collection: str | None = None,
    encoding: str | None = None,
    columns: Callable[[Path], Mapping[str, str]] | None = None,
    find_near_duplicates: bool = True,
    progress: Callable[[Path], Progress | None] | None = None,
) -> Iterator[FileImport]:
    """Import files into the library of that id, and yield what became of each.

    Parameters
    ----------
    files : sequence of Path
    encoder : Encoder
    folder : Path
        Of the libraries.
    name : str
        Id of the library, which is made when the first passage is read.
    format : str
        Of all files; ``"auto"`` looks at each.
    collection : str, optional
        By default the name of each file.
    encoding : str, optional
        Of all files; by default what the bytes of each say.
    columns : callable, optional
        Returns, for a table, our fields and the heads that its owner says they have.
    find_near_duplicates : bool
    progress : callable, optional
        Returns, for a file, what is called as ``progress(n_done, n_total)``.

    Raises
    ------
    SubclustError
        If a file is of no known format or not there, or the library cannot be written.
    """
    check_names(files)
    has_begun = False
    with ImportLog(folder, name, files, collection) as log:
        for path in files:
            source = open_source(
                path, format, collection, encoding, columns(path) if columns else None
            )
            report = ingest(
                source,
                encoder,
                folder,
                name,
                progress=progress(path) if progress is not None else None,
                n_documents=guess_records(path, format),
                find_near_duplicates=find_near_duplicates,
                log=log,
                has_begun=has_begun,
            )
            has_begun = has_begun or bool(report.n_imported or report.n_unchanged)
            yield FileImport(path, source.label, report)
