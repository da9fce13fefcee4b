"""Several files into one library, one after the other, as one import."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders import Encoder
from subclust.text.ingest.counting import guess_records
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library.imports import ImportLog
from subclust.text.sources.opening import open_source


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
    find_near_duplicates : bool
    progress : callable, optional
        Returns, for a file, what is called as ``progress(n_done, n_total)``.

    Yields
    ------
    FileImport

    Raises
    ------
    SubclustError
        If a file is of no known format or not there, or the library cannot be written.
    """
    has_begun = False
    with ImportLog(folder, name, files, collection) as log:
        for path in files:
            source = open_source(path, format, collection)
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
