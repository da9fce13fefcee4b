"""What an import refused and mended, as a table to mend the file by."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError
from subclust.exports.records import written_beside
from subclust.figures.wrapping import printable
from subclust.labelled.sets.files import write_csv, write_workbook
from subclust.text.sources.base import Refusal

COLUMNS = ("file", "what happened", "place", "field", "reason", "what to do", "excerpt")
ENDINGS = (".csv", ".tsv", ".xlsx", ".json")

_WIDTHS = (24, 14, 22, 14, 50, 50, 60)


def refused_row(file: str, refusal: Refusal) -> tuple[str, ...]:
    """Write a refusal as a row under `COLUMNS`."""
    return (
        file, "refused", refusal.place, refusal.field, refusal.reason, refusal.advice,
        refusal.excerpt,
    )  # fmt: skip


def mended_row(file: str, place: str, what: str) -> tuple[str, ...]:
    """Write what was put right in a record as a row under `COLUMNS`."""
    return (file, "mended", place, "", what, "Look whether it was put right as you would.", "")


def report_rows(file: str, report: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Write all that a report tells of a file as rows under `COLUMNS`.

    Parameters
    ----------
    file : str
        Its name.
    report : mapping
        As `IngestReport.to_dict` gives it.
    """
    refused = (refused_row(file, Refusal(**one)) for one in report["refusals"])
    mended = (mended_row(file, one["place"], one["what"]) for one in report["mended"])
    return [*refused, *mended]


def check_ending(path: Path) -> None:
    """Refuse a file name that says no format, before an import is begun for it.

    Raises
    ------
    InputError
        Unless it ends in one of `ENDINGS`.
    """
    if path.suffix.lower() not in ENDINGS:
        raise InputError(
            "The table of what was refused can be written as {names}, but its name is {file!r}.",
            names=", ".join(ENDINGS),
            file=path.name,
        )


def write_refused(
    rows: Iterable[Sequence[str]], path: Path, *, columns: Sequence[str] = COLUMNS
) -> None:
    """Write rows of `COLUMNS` to a file, in the format of its ending; an older one is replaced.

    Parameters
    ----------
    rows : iterable of sequences of str
    path : Path
    columns : sequence of str
        What to call them, in their order; for files in another language.

    Raises
    ------
    InputError
        If the ending says no format, or the file cannot be written.
    """
    check_ending(path)
    ending = path.suffix.lower()
    with written_beside(path) as beside:
        if ending == ".json":
            objects = [dict(zip(columns, row, strict=True)) for row in rows]
            beside.write_text(json.dumps(objects, ensure_ascii=False, indent=1), "utf-8")
        elif ending == ".xlsx":
            write_workbook([columns, *rows], beside, _WIDTHS)
        else:
            safe = ([printable(cell) for cell in row] for row in rows)
            write_csv([columns, *safe], beside, "\t" if ending == ".tsv" else ",")
