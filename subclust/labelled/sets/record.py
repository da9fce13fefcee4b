"""What is known of one version of a labelled set, its name, and how the next one comes to be."""

import json
import os
import re
import unicodedata
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError, LabelledSetError
from subclust.core.storage.damaged import first_line, typed
from subclust.core.storage.disk import check_reached, flush_files, flush_names
from subclust.labelled.sets.sharing import Sharing, read_sharing, write_sharing

SET_PREFIX = "set:"
"""With it a set of the store stands where a file may stand."""
INCOMING = "incoming"
"""Folder of the uploads, so no set can have this name."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_ENDINGS = re.compile(r"(\.jsonl\.gz|\.\w{1,5})$", re.IGNORECASE)
SET_FILE = "set.jsonl.gz"
RECORD_FILE = "set.json"
LEFT_OUT_FILE = "left_out.jsonl"

VERSION = re.compile(r"[1-9][0-9]{0,8}")
REMOVED = ".removed-"
"""With it, the name of the emptied folder of a version begins that was removed."""


def check_set_name(name: str) -> str:
    """Return a name back that is safe as a folder's name.

    Raises
    ------
    InputError
        Unless it is 1 to 64 letters, digits, ``-`` and ``_``, a letter or digit first.
    """
    if name == INCOMING or not _NAME.fullmatch(name):
        raise InputError(
            "A set's name must be 1 to 64 letters from a to z, digits, '-' or '_', begin with a "
            "letter or digit, and not be '{incoming}', but is {name!r}.",
            incoming=INCOMING,
            name=name,
        )
    return name


def suggested_name(filename: str) -> str:
    """Make a name that `check_set_name` takes of a file's: "Börse (neu).csv" gives "borse-neu"."""
    letters = unicodedata.normalize("NFKD", _ENDINGS.sub("", filename))
    plain = letters.encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:64].rstrip("-_")
    return name if name and name != INCOMING else "set"


def set_reference(text: str) -> tuple[str, int | None]:
    """Take ``NAME`` or ``NAME@VERSION`` apart, with or without ``set:`` before it.

    Returns
    -------
    name : str
    version : int or None
        None means the newest.

    Raises
    ------
    InputError
        If it is neither.
    """
    name, at, version = text.removeprefix(SET_PREFIX).partition("@")
    check_set_name(name)
    if not at:
        return name, None
    if not re.fullmatch(r"[0-9]{1,9}", version) or int(version) < 1:
        raise InputError(
            "The version of a set must be a whole number of at least 1, as in {name}@2, but is "
            "{version!r}.",
            name=name,
            version=version,
        )
    return name, int(version)


@dataclass(frozen=True)
class LeftOutRow:
    """A row of an upload that is not in the set.

    Parameters
    ----------
    row : int
        As a spreadsheet counts, the header being row 1; in JSON Lines the line.
    passage : int or None
        Of the line, from 1; None in a table, and for a whole line.
    where : str
        The place in words: ``"row 17"``, ``"line 2, passage 3"``.
    query : str or None
        Where it could be read.
    reasons, advice : tuple of str
        What is wrong with it, and what to do about each; at least one.
    """

    row: int
    passage: int | None
    where: str
    query: str | None
    reasons: tuple[str, ...]
    advice: tuple[str, ...]


@dataclass(frozen=True)
class LabelledSet:
    """One version of a labelled set.

    Parameters
    ----------
    version : int
        From 1; a number is never given twice.
    title : str
        For people.
    created : float
        Seconds since the epoch.
    sha256 : str
        Of the file at `path`.
    filename : str
        Of the upload that it was made of.
    n_queries, n_passages, n_labels : int
        Different queries; passages; different labels of each query, added up.
    n_left_out : int
        Passages of the upload that are not in it.
    path : Path
        Its queries as JSON Lines, ``set.jsonl.gz``.
    is_new : bool
        Of the set that `LabelledSetStore.keep` gives: whether it was added now. False where the
        newest version held the same already.
    owner, shared, team
        As in `Sharing`.
    """

    name: str
    version: int
    title: str
    created: float
    sha256: str
    filename: str
    n_queries: int
    n_passages: int
    n_labels: int
    n_left_out: int
    path: Path
    is_new: bool = field(default=False, compare=False)
    owner: str = ""
    shared: bool = False
    team: str = ""

    @property
    def label(self) -> str:
        """Name and version: ``NAME@2``."""
        return f"{self.name}@{self.version}"

    @property
    def reference(self) -> str:
        """What stands for it where a file may stand: ``set:NAME@2``."""
        return f"{SET_PREFIX}{self.label}"

    @cached_property
    def left_out(self) -> tuple[LeftOutRow, ...]:
        """The rows that were left out, in the order of the file.

        Raises
        ------
        LabelledSetError
            If their record is damaged.
        """
        path = self.path.with_name(LEFT_OUT_FILE)
        if not path.exists():
            return ()
        rows = []
        try:
            for line in path.read_text(encoding="utf-8").splitlines():
                rows.append(typed(LeftOutRow, json.loads(line)))
        except (OSError, ValueError, RecursionError) as error:
            check_reached(error, path)
            raise LabelledSetError(
                "The record of the rows left out of {name} is damaged ({error}); restore {file} "
                "from a copy.",
                name=self.label,
                error=first_line(error),
                file=path,
            ) from error
        return tuple(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``sets --json`` prints of it."""
        facts = asdict(self)
        del facts["is_new"]
        return facts | {"path": str(self.path), "reference": self.reference}


def _record_of(kept: LabelledSet) -> dict[str, object]:
    """Return what ``set.json`` holds: what the folder itself does not tell."""
    elsewhere = ("path", "reference", "owner", "shared", "team")
    return {k: v for k, v in kept.to_dict().items() if k not in elsewhere}


def read_record(folder: Path) -> LabelledSet:
    """Read the record of a kept version.

    Raises
    ------
    LabelledSetError
        If it is damaged, or that of another set.
    """
    try:
        value = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
        told = {"path": folder / SET_FILE, "is_new": False, **vars(read_sharing(folder.parent))}
        kept = typed(LabelledSet, {**value, **told})
        if (kept.name, str(kept.version)) != (folder.parent.name, folder.name):
            raise ValueError("it is that of another set")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        check_reached(error, folder / RECORD_FILE)
        raise LabelledSetError(
            "The record of the labelled set {parent}@{folder} is damaged ({error}); restore "
            "{folder_2} from a copy, or add the set again.",
            parent=folder.parent.name,
            folder=folder.name,
            error=first_line(error),
            folder_2=folder,
        ) from error
    return kept


def versions(folder: Path) -> list[int]:
    """List the versions that are there, in their order."""
    found = (path.parent.name for path in folder.glob(f"*/{RECORD_FILE}"))
    return sorted(int(name) for name in found if VERSION.fullmatch(name))


def place(work: Path, folder: Path, planned: LabelledSet) -> LabelledSet:
    """Assign what was written its number and its place; whoever writes the first owns all.

    Parameters
    ----------
    work : Path
        Folder with the files of the version, but for its record.
    folder : Path
        Of the set.
    """
    version = _next_version(folder)
    target = folder / str(version)
    sharing = Sharing(planned.owner) if version == 1 else read_sharing(folder)
    whose = vars(sharing)
    kept = replace(planned, version=version, path=target / SET_FILE, is_new=True, **whose)
    with (work / RECORD_FILE).open("x", encoding="utf-8") as stream:
        json.dump(_record_of(kept), stream, indent=1, ensure_ascii=True)
    # Contents before the name: after a power cut, the rename could have outlived them.
    flush_files(work)
    flush_names(work)
    folder.mkdir(exist_ok=True)
    if version == 1 and sharing.owner:
        write_sharing(folder, sharing)
    os.rename(work, target)
    flush_names(folder)
    flush_names(folder.parent)
    return kept


def _next_version(folder: Path) -> int:
    names = (path.name.removeprefix(REMOVED) for path in folder.glob("*"))
    return max((int(name) for name in names if VERSION.fullmatch(name)), default=0) + 1
