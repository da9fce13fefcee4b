"""Deleting what nobody works on any more, to the bin, and putting it back."""

from pathlib import Path

from subclust.checkpoints import CheckpointStore
from subclust.core.bin import Bin, BinEntry, taken
from subclust.core.settings import Settings
from subclust.core.storage.changes import check_may_change
from subclust.deleting import passages
from subclust.deleting.in_use import check_unused, models_needed
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter
from subclust.text.library.names import find_library, name_of


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
    return passages.move_to_bin(settings.library_dir, name, which, bin_of(settings))


def take_back_import(settings: Settings, name: str, id_: str) -> int:
    """Take an import into a library back, and return how many passages it alone had brought.

    Raises
    ------
    InputError
        If there is no such import.
    LibraryError
        If an import is at work on the library, or it cannot be opened.
    BinError
        If they cannot be moved to the bin.
    """
    return passages.take_back_import(settings.library_dir, name, id_, bin_of(settings))


def put_back(settings: Settings, id_: str) -> BinEntry:
    """Put back what was deleted, and return what it is.

    Parameters
    ----------
    settings : Settings
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
    if entry.kind == "library":
        if find_library(settings.library_dir, entry.title) is not None:
            raise taken(entry)
        PassageLibrary.put_back(settings.library_dir, entry, bin_of(settings))
        return entry
    if entry.kind == passages.KIND:
        passages.put_back_from(settings.library_dir, entry, bin_of(settings))
        return entry
    if entry.kind == "model":
        check_unused(settings, "model", entry.name)
    bin_of(settings).put_back(entry, _root(settings, entry.kind))
    return entry


def _root(settings: Settings, kind: str) -> Path:
    return {
        "model": settings.models_dir,
        "set": settings.sets_dir,
        "session": settings.sessions_dir,
        "corrections": settings.corrections_dir,
    }[kind]
