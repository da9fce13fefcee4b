"""What an import would change in a library, before anything is encoded or written."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError
from subclust.core.records.documents import document_of
from subclust.text.ingest.known import KnownPassages
from subclust.text.ingest.reading import Reading
from subclust.text.ingest.report import IngestReport
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

_AT_ONCE = 512


@dataclass(frozen=True)
class Survey:
    """What an import of files would do.

    Parameters
    ----------
    reports : tuple of IngestReport
        Of each file, as its import would give it were it the only one, without near-duplicates.
    gone : tuple of str
        Ids of passages that the library has in the files' collections and no file has any longer.
        Those of records that are refused are not among them, where these can be told.
    n_unidentified : int
        Refused records of which nobody can tell whether they are among these.
    """

    reports: tuple[IngestReport, ...]
    gone: tuple[str, ...]
    n_unidentified: int = 0

    @property
    def gone_records(self) -> tuple[str, ...]:
        """The ids of the records that those passages are of."""
        return tuple(dict.fromkeys(map(document_of, self.gone)))

    def removable(self) -> tuple[str, ...]:
        """Return the ids of passages that can be removed, since the files have them no longer.

        Raises
        ------
        InputError
            If a file is cut off, or nobody can tell which records are refused: what it has is not
            known then.
        """
        if self.gone and self.n_unidentified:
            raise InputError(
                "{count} records of the export were rejected, and may be among those that seem "
                "to be missing from it; correct them, or import without --remove-gone.",
                count=self.n_unidentified,
            )
        return self.gone

    def to_dict(self) -> dict[str, Any]:
        """Return the counts of all files as JSON values."""
        names = ("n_read", "n_imported", "n_changed", "n_unchanged", "n_merged", "n_refused")
        counts = {name: sum(getattr(one, name) for one in self.reports) for name in names}
        n_new = counts["n_imported"] - counts["n_changed"]
        return {
            **counts,
            "n_new": n_new,
            "n_gone": len(self.gone_records),
            "n_unidentified": self.n_unidentified,
        }


def survey(
    files: Sequence[Path],
    folder: Path,
    name: str,
    *,
    format: str = "auto",
    collection: str | None = None,
    encoding: str | None = None,
    columns: Callable[[Path], Mapping[str, str]] | None = None,
) -> Survey:
    """Read files as an import would, and compare them with what the library holds.

    Parameters
    ----------
    files : sequence of Path
    folder : Path
        Of the libraries.
    name : str
        Id of the library, which need not be there.
    format, encoding : str
        Of all files.
    collection : str, optional
        By default the name of each file.
    columns : callable, optional
        Returns, for a table, our fields and the heads that its owner says they have.

    Raises
    ------
    SubclustError
        If a file cannot be read, or the library cannot be opened.
    """
    there = KnownPassages()
    if name in PassageLibrary.names(folder):
        there = KnownPassages.of(PassageLibrary.open(folder, name))
    unread = set(there.marks)
    reports, collections = [], set()
    refused: set[str] = set()
    n_unidentified = 0
    for path in files:
        began = time.monotonic()
        source = open_source(path, format, collection, encoding, columns(path) if columns else None)
        collections.add(source.collection)
        reading = Reading(source, there)
        for _ in reading.batches(_AT_ONCE):
            pass
        unread = {id_ for id_ in unread if id_ not in reading.seen and id_ not in reading.unchanged}
        refused |= reading.refused
        n_unidentified += reading.n_unidentified
        reports.append(reading.report(name, time.monotonic() - began))
    gone = gone_of(unread, collections, refused)
    return Survey(tuple(reports), tuple(sorted(gone)), n_unidentified)


def gone_of(
    unread: Iterable[str], collections: Collection[str], refused: AbstractSet[str]
) -> list[str]:
    """Return the ids of passages of some collections that no file has any longer.

    Parameters
    ----------
    unread : iterable of str
        Ids of passages that the library has and that were not read.
    collections : collection of str
    refused : set of str
        Ids of records that the files have and that were refused.
    """
    begins = tuple(f"{one}:" for one in collections)
    return [
        id_
        for id_ in unread
        if id_.startswith(begins)
        # A record that was set apart has the rejected record's id with a suffix.
        and refused.isdisjoint((root := document_of(id_), root.rpartition("~")[0]))
    ]
