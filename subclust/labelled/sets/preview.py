"""How an upload begins, and which of its columns may hold what."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.storage.apart import TooMuchMemoryError, TooSlowError, call_apart
from subclust.labelled.reading.decoding import read_text
from subclust.labelled.reading.labelled import COLUMNS, plainly, suggestion
from subclust.labelled.reading.opening import LINE_ENDINGS
from subclust.labelled.reading.problems import Problem, printable
from subclust.labelled.reading.tables import read_table

_ROWS = 10
_LINES_LOOKED_AT = 50
_LONGEST_CELL = 300

_SECONDS = 60.0
_MOST_MEMORY = 1 << 30
"""Bytes of memory that a preview in a process of its own may take."""


@dataclass(frozen=True)
class Preview:
    """The beginning of an upload.

    Parameters
    ----------
    header : tuple of str
        Names of its columns; of JSON Lines the fields of the first lines and their passages.
    rows : tuple of tuples of str
        The first ten, a passage each; cells are cut off at 300 characters.
    columns : mapping of str to str
        Our names to those of the file: what is alike, else a guess that a person should look at.
    problems : tuple of Problem
        What the file as a whole has wrong.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: Mapping[str, str]
    problems: tuple[Problem, ...]


def _preview_of(path: Path) -> Preview:
    """Read the first rows of a labelled set."""
    problems: list[Problem] = []
    read = _lines if path.name.lower().endswith(LINE_ENDINGS) else _table
    header, rows = read(path, problems)
    return Preview(
        header=header,
        rows=tuple(tuple(map(_cut, row)) for row in rows),
        columns=_columns(header),
        problems=tuple(problem for problem in problems if problem.row is None),
    )


def preview_apart(path: Path) -> Preview:
    """Call `_preview_of` in a process of its own, which no file makes take too much.

    Raises
    ------
    FileFormatError
        If it takes more than `_SECONDS` or `_MOST_MEMORY`.
    """
    seen: Preview = read_apart(_preview_of, path, seconds=_SECONDS, most_bytes=_MOST_MEMORY)
    return seen


def read_apart(
    function: Callable[..., Any], path: Path, *, seconds: float, most_bytes: int, **arguments: Any
) -> Any:
    """Call a function that reads a file in a process of its own.

    Raises
    ------
    FileFormatError
        If it takes more seconds or bytes of memory.
    """
    try:
        return call_apart(function, seconds=seconds, most_bytes=most_bytes, path=path, **arguments)
    except (TooSlowError, TooMuchMemoryError) as error:
        raise FileFormatError(
            "{file} takes too long or too much memory to look into; split it into several files, "
            "or save it as .csv.",
            file=path.name,
        ) from error


def _table(path: Path, problems: list[Problem]) -> tuple[tuple[str, ...], list[Sequence[str]]]:
    table = read_table(path, problems.append, set(COLUMNS))
    filled = (row.cells for row in table.rows if any(map(str.strip, row.cells)))
    header = [cell.strip() for cell in next(filled, [])]
    while header and not header[-1]:
        header.pop()
    width = len(header)
    rows: list[Sequence[str]] = [
        [*cells[:width], *[""] * (width - len(cells))] for cells in islice(filled, _ROWS)
    ]
    return tuple(map(printable, header)), rows


def _lines(path: Path, problems: list[Problem]) -> tuple[tuple[str, ...], list[Sequence[str]]]:
    lines = islice(read_text(path, problems.append).lines(), _LINES_LOOKED_AT)
    records = list(_records(lines))
    flat = [fields for record in records for fields in _flat(record)]
    header = tuple(dict.fromkeys(name for fields in flat for name in fields))
    return header, [[fields.get(name, "") for name in header] for fields in flat[:_ROWS]]


def _records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _flat(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    passages = record.get("passages")
    own = {name: _told(value) for name, value in record.items() if name != "passages"}
    for passage in passages if isinstance(passages, list) else []:
        if isinstance(passage, dict):
            yield {printable(k): v for k, v in own.items()} | {
                printable(k): _told(v) for k, v in passage.items()
            }


def _told(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return ""


def _columns(header: Sequence[str]) -> dict[str, str]:
    plain = {plainly(name): name for name in reversed(header) if name}
    found = {name: plain[name] for name in COLUMNS if name in plain}
    for name in COLUMNS:
        if name not in found:
            free = [there for there in header if there not in found.values()]
            likely = suggestion(name, free)
            if likely is not None:
                found[name] = likely
    return {name: found[name] for name in COLUMNS if name in found}


def _cut(cell: str) -> str:
    text = printable(cell) if len(cell) <= _LONGEST_CELL else printable(cell[:_LONGEST_CELL])
    return text if len(cell) <= _LONGEST_CELL else f"{text.rstrip()}…"
