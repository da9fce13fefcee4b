"""Which column of a table is which: what is seen, what its owner says, and what was said before."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.storage.disk import write_whole
from subclust.text.sources.base import Refusal
from subclust.text.sources.fields import BY_NAME
from subclust.text.sources.heads import MOST_ABOVE, find_head
from subclust.text.sources.opening import open_source
from subclust.text.sources.record import clean, excerpt
from subclust.text.sources.table import Table

_N_SAMPLES = 3
_MOST_REMEMBERED = 200
_FILE = "columns.json"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    name : str
        Its head; in a table without heads, its number from 1.
    field : str or None
        Ours that it is read as; None where none is known.
    samples : tuple of str
        Its first values, at most three.
    """

    name: str
    field: str | None
    samples: tuple[str, ...]


def columns_of(
    path: Path, columns: Mapping[str, str] | None = None, encoding: str | None = None
) -> list[Column]:
    """Return the columns of a table and what each is read as.

    Parameters
    ----------
    path : Path
    columns : mapping of str to str, optional
        Our field and the head that has it, where the owner says so.
    encoding : str, optional

    Returns
    -------
    list of Column
        In the order of the first sheet that has a head, else of the first that has rows; empty
        where the file is no table.

    Raises
    ------
    FileFormatError
        If the file cannot be read.
    """
    source = open_source(path, columns=columns, encoding=encoding)
    if not isinstance(source, Table):
        return []
    seen: list[Column] = []
    for _, rows in source.sheets():
        cells = [
            [] if isinstance(row[1], Refusal) else list(row[1]) for row in islice(rows, MOST_ABOVE)
        ]
        found = find_head(cells, columns)
        if found is None:
            filled = [row for row in cells if any(map(clean, row))]
            seen = seen or _described(
                [clean(one) for one in next(iter(filled), [])], (), filled[1:]
            )
            continue
        number, head = found
        return _described(head.names, head.meanings, cells[number + 1 :])
    return seen


def _described(
    names: Sequence[str], meanings: Sequence[str], rows: Sequence[Sequence[Any]]
) -> list[Column]:
    described = []
    for at, name in enumerate(names):
        values = (excerpt(row[at]) for row in rows if len(row) > at)
        field = meanings[at] if at < len(meanings) and meanings[at] in BY_NAME else None
        described.append(
            Column(name or str(at + 1), field, tuple(islice(filter(None, values), _N_SAMPLES)))
        )
    return described


def remembered_in(data_dir: Path) -> Path:
    """Return the file in which columns are remembered; it need not be there."""
    return data_dir / _FILE


def columns_for(
    data_dir: Path, path: Path, given: Mapping[str, str], encoding: str | None = None
) -> dict[str, str]:
    """Return what is known of a file's columns: what its owner says, else what was said before.

    Parameters
    ----------
    data_dir : Path
        Where it is remembered.
    path : Path
    given : mapping of str to str
        Our field and the head that has it.
    encoding : str, optional
    """
    if given or not remembered_in(data_dir).is_file():
        return dict(given)
    try:
        names = [column.name for column in columns_of(path, encoding=encoding)]
    except FileFormatError:  # which the import tells
        return {}
    return _read(data_dir).get(_key(names), {}) if names else {}


def remember_columns(
    data_dir: Path, path: Path, given: Mapping[str, str], encoding: str | None = None
) -> None:
    """Remember what a file's columns are for the next file with the same head.

    Parameters
    ----------
    data_dir : Path
    path : Path
    given : mapping of str to str
        Our field and the head that has it; empty to forget. Where a head is not in the file,
        nothing is remembered.
    encoding : str, optional
    """
    names = [column.name for column in columns_of(path, encoding=encoding)]
    folded = {name.strip().casefold() for name in names}
    if not names or not all(theirs.strip().casefold() in folded for theirs in given.values()):
        return
    kept = _read(data_dir)
    kept.pop(_key(names), None)
    if given:
        kept[_key(names)] = dict(given)
    data_dir.mkdir(parents=True, exist_ok=True)
    write_whole(
        remembered_in(data_dir), json.dumps(dict([*kept.items()][-_MOST_REMEMBERED:]), indent=1)
    )


def _key(names: Sequence[str]) -> str:
    return "\t".join(name.strip().casefold() for name in names)


def _read(data_dir: Path) -> dict[str, dict[str, str]]:
    try:
        kept = json.loads(remembered_in(data_dir).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # it is only a convenience
        return {}
    return {
        str(key): {str(ours): str(theirs) for ours, theirs in one.items()}
        for key, one in (kept.items() if isinstance(kept, dict) else ())
        if isinstance(one, dict)
    }
