"""A library, or a collection of it, as a file that can be imported again."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.exports import reference_files
from subclust.exports.records import written_beside
from subclust.exports.reference import COLUMN_OF, NOT_WRITTEN, Reference, references, whole_records
from subclust.exports.tables import KNOWN_METADATA
from subclust.figures.wrapping import printable
from subclust.labelled.sets.files import write_csv, write_workbook


def write_collection(passages: Sequence[Passage], path: Path) -> None:
    """Write passages to a file, each as a record, in the format of its ending.

    CSV, Excel and JSON Lines keep every field; RIS, BibTeX, CSL JSON and MARCXML those that they
    have a place for (`left_out`). A long record that was cut into passages is written as one
    again where all of them follow one another. An older file is replaced.

    Raises
    ------
    InputError
        If no format has this ending, or the file cannot be written.
    """
    check_ending(path)
    write = next(one for ending, one in WRITERS.items() if path.name.lower().endswith(ending))
    with written_beside(path) as beside:
        write(list(whole_records(passages)), beside)


def check_ending(path: Path) -> None:
    """Refuse a file name that says no format.

    Raises
    ------
    InputError
        Unless it ends in one of `WRITERS`.
    """
    if not path.name.lower().endswith(tuple(WRITERS)):
        raise InputError(
            "A library can be written as {names}, but the name is {file!r}.",
            names=", ".join(WRITERS),
            file=path.name,
        )


def _own_id(passage: Passage) -> str:
    """Return a passage's id without its collection, which the next import puts before it again."""
    return passage.id.removeprefix(f"{passage.collection}:")


def _fields(passage: Passage) -> dict[str, str]:
    own = {
        "id": _own_id(passage),
        "title": passage.title,
        "text": passage.text,
        "label": passage.label or "",
        "path": passage.path or "",
    }
    other = {k: v for k, v in passage.metadata.items() if k not in own and k not in NOT_WRITTEN}
    return {name: printable(value) for name, value in {**own, **other}.items() if value}


def _table(passages: Sequence[Passage]) -> list[list[str]]:
    rows = [_fields(passage) for passage in passages]
    for row in rows:
        words = row.get("keywords", "")
        if "," in words and ";" not in words:
            row["keywords"] = f"{words};"  # one with a comma, not two
    present = {name for row in rows for name in row}
    first = [n for n in ("id", "title", "text", "label", "path", *KNOWN_METADATA) if n in present]
    names = [*(first or ["text"]), *sorted(present - {*first})]
    return [names, *([row.get(name, "") for name in names] for row in rows)]


def _write_csv(passages: Sequence[Passage], path: Path) -> None:
    write_csv(([printable(cell) for cell in row] for row in _table(passages)), path)


def _write_workbook(passages: Sequence[Passage], path: Path) -> None:
    write_workbook(_table(passages), path)


def _write_lines(passages: Sequence[Passage], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for passage in passages:
            stream.write(json.dumps(_fields(passage), ensure_ascii=False) + "\n")


def _references(
    write: Callable[[Iterable[Reference], BinaryIO], None], ending: str
) -> Callable[[Sequence[Passage], Path], None]:
    def written(passages: Sequence[Passage], path: Path) -> None:
        with path.open("wb") as stream:
            write(references(passages, COLUMN_OF[ending]), stream)

    return written


WRITERS: dict[str, Callable[[Sequence[Passage], Path], Any]] = {
    ".csv": _write_csv,
    ".xlsx": _write_workbook,
    ".jsonl": _write_lines,
    ".ris": _references(reference_files.write_ris, ".ris"),
    ".bib": _references(reference_files.write_bibtex, ".bib"),
    ".json": _references(reference_files.write_csl, ".json"),
    ".xml": _references(reference_files.write_marcxml, ".xml"),
}
"""A function for each ending: CSL JSON in ``.json``, MARCXML in ``.xml``."""
