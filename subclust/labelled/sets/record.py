"""What is known of one version of a labelled set that is kept."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from subclust.core.exceptions import LabelledSetError
from subclust.core.storage.damaged import first_line, typed
from subclust.labelled.sets.names import SET_PREFIX

SET_FILE = "set.jsonl.gz"
RECORD_FILE = "set.json"
LEFT_OUT_FILE = "left_out.jsonl"


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
    name : str
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

    @classmethod
    def from_dict(cls, value: Mapping[str, Any], folder: Path) -> Self:
        """Take the fields that this version of the program knows.

        Raises
        ------
        ValueError
            If one is missing or of another kind.
        """
        known = {f.name for f in fields(cls)} - {"path", "is_new"}
        told = {k: v for k, v in value.items() if k in known}
        return typed(cls, {**told, "path": folder / SET_FILE})


def left_out_line(row: LeftOutRow) -> str:
    """Write a row that was left out as a line of its file."""
    return json.dumps(asdict(row)) + "\n"


def record_of(kept: LabelledSet) -> dict[str, object]:
    """Return what ``set.json`` holds: what the folder itself does not tell."""
    facts = kept.to_dict()
    for name in ("path", "reference"):
        del facts[name]
    return facts


def read_record(folder: Path) -> LabelledSet:
    """Read the record of a kept version.

    Raises
    ------
    LabelledSetError
        If it is damaged, or that of another set.
    """
    try:
        value = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
        kept = LabelledSet.from_dict(value, folder)
        if (kept.name, str(kept.version)) != (folder.parent.name, folder.name):
            raise ValueError("it is that of another set")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise LabelledSetError(
            "The record of the labelled set {parent}@{folder} is damaged ({error}); restore "
            "{folder_2} from a copy, or add the set again.",
            parent=folder.parent.name,
            folder=folder.name,
            error=first_line(error),
            folder_2=folder,
        ) from error
    return kept
