"""What libraries are called: an id in folders and addresses, and a name that people write."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from subclust.core.access import check_may_change
from subclust.core.exceptions import InputError, LibraryError
from subclust.core.limits import may_use
from subclust.core.records.names import check_given_name, id_of_name, is_reserved, same_name
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import write_whole
from subclust.text.library.folder import (
    check_name,
    check_seen,
    is_id,
    library_names,
    name_file,
    seen_names,
)
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.search import equals, fetch_column

_AT_ONCE = 1000


def name_of(folder: Path, id_: str) -> str:
    """Return the name of a library, which is its id where nobody gave it another."""
    if isinstance(folder, StoragePath) or not is_id(id_):
        return id_
    try:
        return check_given_name(str(json.loads(name_file(folder, id_).read_bytes())["name"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return id_


def find_library(folder: Path, text: str) -> str | None:
    """Return the id of the library that has a text as its id or name; None where none has.

    Raises
    ------
    InputError
        If it is no text.
    """
    if not isinstance(text, str):
        raise InputError("A library's name must be a text, but is {name!r}.", name=text)
    ids = seen_names(folder)
    if text in ids:
        return text
    return next((id_ for id_ in ids if same_name(name_of(folder, id_), text)), None)


def library_id(folder: Path, text: str) -> str:
    """Return the id of a library that is there, and any other text as it is."""
    return find_library(folder, text) or text


def settle_name(folder: Path, text: str) -> str:
    """Return the id of a library by its id or name; a new name gets an id, and is kept.

    Raises
    ------
    InputError
        If it cannot be a name.
    """
    found = find_library(folder, text)
    if found is not None:
        return found
    if isinstance(folder, StoragePath):
        check_name(text)
        return text
    name = check_given_name(text)
    waiting = {path.name[1 : -len(".name.json")] for path in folder.glob(".*.name.json")}
    for id_ in sorted(waiting):  # of an import that is still to begin
        told = id_ == name or same_name(name_of(folder, id_), name)
        if told and may_use(id_, folder):
            return id_
    taken = {one.casefold() for one in (*library_names(folder), *waiting)}
    if is_id(name) and not is_reserved(name) and name.casefold() not in taken:
        return name
    id_ = id_of_name(name, taken)
    _write(folder, id_, name)
    return id_


def rename_library(folder: Path, id_: str, name: str) -> None:
    """Rename a library; its id, and with it links, sessions and jobs, stay.

    Raises
    ------
    InputError
        If it cannot be a name, or another library is called so.
    LibraryError
        If it cannot be written, as in object storage.
    """
    name = check_given_name(name)
    check_seen(folder, id_)
    other = find_library(folder, name)
    if other is not None and other != id_:
        raise InputError(
            "Another library is already called {name!r}; choose another name.", name=name
        )
    if isinstance(folder, StoragePath):
        raise LibraryError("A library in object storage cannot be renamed.")
    _write(folder, id_, name)


def rename_collection(
    library: PassageLibrary,
    old: str,
    new: str,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> int:
    """Rename a collection; one that has that name already takes the passages in.

    Ids stay. Killed in between, some passages have the new name, and doing it again ends it.

    Returns
    -------
    int
        Passages.

    Raises
    ------
    InputError
        If it cannot be a name, or there is no such collection.
    """
    new = check_given_name(new)
    rows = fetch_column(library.table, ["id"], equals(collection=old))
    ids = sorted(rows.column("id").to_pylist())
    if not ids:
        raise InputError(
            "The library {name!r} has no collection {collection!r}.",
            name=library.name,
            collection=old,
        )
    for start in range(0, len(ids) if new != old else 0, _AT_ONCE):
        part = library.get(ids[start : start + _AT_ONCE])
        renamed = [replace(one, collection=new) for one in part.passages]
        library.add(renamed, part.embeddings)
        progress(min(start + _AT_ONCE, len(ids)), len(ids))
    return len(ids)


def _write(folder: Path, id_: str, name: str) -> None:
    check_may_change("library", name)
    try:
        write_whole(name_file(folder, id_), json.dumps({"name": name}, ensure_ascii=False))
    except OSError as error:
        raise LibraryError(
            "The name {name!r} cannot be saved in {folder} ({error}); make room there, or "
            "check whether you may write there.",
            name=name,
            folder=folder,
            error=error,
        ) from error


def check_collection(library: PassageLibrary, name: str) -> None:
    """Raise an InputError if a library has no collection of that name."""
    there = library.collections()
    if name not in there:
        raise InputError(
            "There is no collection {name!r}; choose one of {there}.",
            name=name,
            there=", ".join(there),
        )
