"""Deleting what nobody works on any more, to the bin, and putting it back."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from subclust.checkpoints import CheckpointStore
from subclust.core.access import check_may_change
from subclust.core.bin import Bin, BinEntry
from subclust.core.exceptions import BinError, InputError
from subclust.core.limits import teams_of
from subclust.core.messages import Message
from subclust.core.records.documents import document_of
from subclust.core.records.names import LONGEST_NAME, id_of_name
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.core.storage.disk import refusals_told
from subclust.deleting.in_use import check_unused, models_needed
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore
from subclust.text.encoders import Encoder
from subclust.text.ingest.duplicates import DuplicateGroup, merging
from subclust.text.ingest.known import merged_passages
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter
from subclust.text.library.folder import library_names
from subclust.text.library.imports import brought_alone, read_imports, take_back
from subclust.text.library.names import find_library, name_of, rename_library
from subclust.text.library.schema import STORED, from_table
from subclust.text.library.search import among, scan

_PASSAGES: Final = "passages"
_FILE = "passages.arrow"


def bin_of(settings: Settings) -> Bin:
    """Return the bin of this machine."""
    return Bin(settings.bin_dir)


def delete_library(settings: Settings, name: str) -> None:
    """Delete a library with all that is in it.

    Raises
    ------
    InUseError
        If a job or a command works on it.
    LibraryError
        If there is none of that name, or it is held by a writer.
    BinError
        If it cannot be moved to the bin.
    """
    check_unused(settings, "library", name)
    folder = settings.library_dir
    PassageLibrary.remove(folder, name, bin_of(settings), title=name_of(folder, name))


def delete_set(settings: Settings, name: str, version: int | None = None) -> list[str]:
    """Delete a labelled set, or one version of it, also a damaged one; return their labels.

    Raises
    ------
    InUseError
        If a job reads it.
    LabelledSetError
        If there is no such set or version.
    BinError
        If it cannot be moved to the bin.
    """
    store = LabelledSetStore(settings.sets_dir)
    label = f"{name}@{version}"
    if any(one.name == label for one in store.damaged()):
        store.remove_damaged(label, bin_of(settings))
        return [label]
    store.load(name, version)
    check_unused(settings, "set", name, version)
    return [kept.label for kept in store.remove(name, version, bin_of(settings))]


def delete_model(settings: Settings, method: str, name: str) -> None:
    """Delete a checkpoint.

    Raises
    ------
    CheckpointError
        If there is none of that name, or it is needed.
    BinError
        If it cannot be moved to the bin.
    """
    store = CheckpointStore.of(settings)
    store.remove(method, name, models_needed(settings), bin_of(settings))


def delete_session(settings: Settings, id_: str) -> None:
    """Delete a saved session.

    Raises
    ------
    SessionNotFoundError
        If there is none of that id.
    BinError
        If it cannot be moved to the bin.
    """
    SessionStore(settings.sessions_dir).delete(id_, bin_of(settings))


def delete_corrections(settings: Settings, name: str) -> None:
    """Delete corrections that were saved.

    Raises
    ------
    CorrectionsError
        If there are none of that name.
    BinError
        If they cannot be moved to the bin.
    """
    CorrectionStore(settings.corrections_dir).delete(name, bin_of(settings))


def delete_passages(settings: Settings, name: str, which: PassageFilter) -> int:
    """Delete the passages of a library that match, and return how many there were.

    Raises
    ------
    InputError
        If the filter means every passage.
    LibraryError
        If there is no such library, or another writer does not let go.
    BinError
        If they cannot be moved to the bin.
    """
    check_may_change("passages", name)
    library = PassageLibrary.open(settings.library_dir, name)
    if which.condition is None:
        raise InputError(
            "It is not clear which passages to remove; name some of them, or remove the whole "
            "library {name}.",
            name=name,
        )
    before = library.count()
    # Copied before deleting: a crash in between leaves the passages in both places, not in none.
    with _copied_to_bin(settings, library, [which.condition]) as ids:
        library.discard(ids)
    return before - library.count()


def merge_duplicates(
    settings: Settings,
    name: str,
    groups: Sequence[DuplicateGroup],
    encoder: Encoder,
    *,
    progress: Progress | None = None,
    job: str = "",
) -> int:
    """Make each group of duplicates one record, in one write, and return how many records went.

    The passages as they were lie in the bin; putting them back undoes the merge.

    Parameters
    ----------
    name : str
        Of the library.
    groups : sequence of DuplicateGroup
        No record is in two of them.
    encoder : Encoder
        That of the library.
    progress : callable, optional
        Called as ``progress(n_done, n_groups)``; at the end all is written.
    job : str
        Id of the job that does it, if one does.

    Raises
    ------
    InUseError
        If another job or a command works on it.
    InputError
        If a record is not there any more.
    LibraryError
        If there is no such library, or another writer does not let go.
    BinError
        If the passages cannot be copied to the bin.
    """
    check_may_change("library", name)
    if not groups:
        return 0
    check_unused(settings, "library", name, job=job)
    library = PassageLibrary.open(settings.library_dir, name)
    merges = []
    for merge in merging(library, groups, encoder):
        merges.append(merge)
        if progress is not None:
            progress(len(merges), len(groups))
    ids = [id_ for merge in merges for id_ in merge.ids]
    passages = [passage for merge in merges for passage in merge.passages]
    with _copied_to_bin(settings, library, among(ids)):
        library.replace(ids, passages, np.concatenate([merge.embeddings for merge in merges]))
    return sum(len(group.ids) - 1 for group in groups)


def take_back_import(settings: Settings, name: str, id_: str) -> int:
    """Take an import into a library back, and return how many passages it alone had brought.

    A library that it made, and that holds nothing else, goes to the bin as a whole.

    Raises
    ------
    InputError
        If there is no such import.
    LibraryError
        If an import is at work on the library, or it cannot be opened.
    BinError
        If they cannot be moved to the bin.
    """
    check_may_change("library", name)
    folder = settings.library_dir
    ids = sorted(brought_alone(folder, name, id_))
    imports = read_imports(folder, name)
    library = PassageLibrary.open(folder, name)
    is_all = len(imports) == 1 and imports[0].made_library and library.count() == len(ids)
    if is_all and not imports[0].is_running:
        PassageLibrary.remove(folder, name, bin_of(settings), title=name_of(folder, name))
        return len(ids)
    with _copied_to_bin(settings, library, among(ids)):
        return take_back(folder, name, id_)


def put_back(settings: Settings, id_: str) -> BinEntry:
    """Put back what was deleted, and return what it is.

    A library whose name is taken again comes back under the next free one.

    Parameters
    ----------
    id_ : str
        Of the entry of the bin.

    Raises
    ------
    BinError
        If there is no such entry, its place is taken, or it cannot be written there.
    InUseError
        If a job that waits or runs is about to make something of that name.
    """
    check_may_change()
    entry = bin_of(settings).find(id_)
    check_may_change(entry.kind, entry.title)
    if entry.kind == "library":
        return _put_library_back(settings, entry)
    if entry.kind == _PASSAGES:
        _put_passages_back(settings, entry)
        return entry
    if entry.kind == "model":
        check_unused(settings, "model", entry.name)
    bin_of(settings).put_back(entry, _root(settings, entry.kind))
    return entry


def _put_library_back(settings: Settings, entry: BinEntry) -> BinEntry:
    folder = settings.library_dir
    name, title, number = entry.name, entry.title, 1
    while find_library(folder, title) is not None:
        number += 1
        title = f"{entry.title[: LONGEST_NAME - 4]}-{number}"
    ids = {one.casefold() for one in library_names(folder)}
    if name.casefold() in ids:
        name = id_of_name(title, ids)
    PassageLibrary.put_back(folder, entry, bin_of(settings), name)
    if name_of(folder, name) != title:
        rename_library(folder, name, title)
    return replace(entry, name=name, title=title)


def _root(settings: Settings, kind: str) -> Path:
    return {
        "model": settings.models_dir,
        "set": settings.sets_dir,
        "session": settings.sessions_dir,
        "corrections": settings.corrections_dir,
    }[kind]


@contextmanager
def _copied_to_bin(
    settings: Settings, library: PassageLibrary, conditions: Iterable[str]
) -> Iterator[list[str]]:
    """Copy passages to the bin, for a block that deletes them; they stay there if it succeeds."""
    name, to = library.name, bin_of(settings)
    teams = teams_of(settings.library_dir, name)
    with (
        refusals_told(Message("The passages cannot be deleted"), to.folder, BinError),
        library.told(),
    ):
        to.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".passages-", dir=to.folder) as work:
            ids = _copy(library, conditions, Path(work) / _FILE)
            entry = None
            if ids:
                title = f"{name_of(settings.library_dir, name)} ({len(ids):,})"
                file = Path(work) / _FILE
                entry = to.put(_PASSAGES, name, Path(work), [file], title=title, teams=teams)
    try:
        yield ids
    except BaseException:
        if entry is not None:
            to.remove(entry)
        raise


def _put_passages_back(settings: Settings, entry: BinEntry) -> None:
    """Add passages of the bin to their library again, but for those that are there."""
    where = bin_of(settings)
    library = PassageLibrary.open(settings.library_dir, entry.name)
    with pa.OSFile(str(where.place(entry, _FILE))) as source, pa.ipc.open_file(source) as reader:
        rows = reader.read_all()
    revision = (rows.schema.metadata or {}).get(b"encoder_revision", b"").decode()
    if revision != library.encoder_revision:
        raise BinError(
            "The library {library} was embedded with a different encoder from these passages; "
            "import their documents again.",
            library=entry.name,
        )
    found = from_table(rows, np.zeros(len(rows)))
    made = _merged_from(library, {document_of(one.id) for one in found.passages})
    there = library.fingerprints().keys() - made
    back = [number for number, one in enumerate(found.passages) if one.id not in there]
    passages = [found.passages[number] for number in back]
    if made:
        library.replace(sorted(made), passages, found.embeddings[back])
    else:
        library.add(passages, found.embeddings[back])
    where.remove(entry)


def _merged_from(library: PassageLibrary, documents: set[str]) -> set[str]:
    """Return the ids of the passages that were made of some documents, one of which they are."""
    return {
        id_
        for id_, also in merged_passages(library)
        if document_of(id_) in documents and not documents.isdisjoint(also)
    }


def _copy(library: PassageLibrary, conditions: Iterable[str], path: Path) -> list[str]:
    """Write rows that meet any of the conditions, a few at a time, and return their ids."""
    ids: list[str] = []
    about = {"encoder_revision": library.encoder_revision}
    fields = [library.table.schema.field(name) for name in STORED]
    schema = pa.schema(fields, metadata=about)
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_file(target, schema) as writer:
        for condition in conditions:
            for batch in scan(library.table, STORED, condition):
                writer.write_batch(batch.select(STORED))
                ids += batch.column("id").to_pylist()
    return ids
