"""What an import refused and mended, as a table to mend the file by."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from subclust.core.exceptions import InputError
from subclust.core.messages import N_
from subclust.exports.records import written_beside
from subclust.figures.wrapping import printable
from subclust.labelled.sets.files import write_csv, write_workbook
from subclust.text.sources.base import Refusal
from subclust.text.sources.heads import Head
from subclust.text.sources.mended_tables import TELLING, own_names

COLUMNS = TELLING
"""What is told of each record; behind it stand the record's own fields, to be mended."""

ENDINGS = (".csv", ".tsv", ".xlsx", ".json")

_WIDTHS = (24, 14, 22, 14, 50, 50, 60)


class ReportRow(NamedTuple):
    """What is told under `COLUMNS`, and the record's own fields."""

    file: str
    what: str
    place: str
    field: str
    reason: str
    advice: str
    excerpt: str
    original: Mapping[str, str] = MappingProxyType({})


def refused_row(file: str, refusal: Refusal) -> ReportRow:
    """Write a refusal as a row."""
    return ReportRow(
        file, "refused", refusal.place, refusal.field, refusal.reason, refusal.advice,
        refusal.excerpt, refusal.original,
    )  # fmt: skip


def mended_row(file: str, place: str, what: str) -> ReportRow:
    """Write what was put right in a record as a row."""
    advice = N_("Check that the repair is right.")
    return ReportRow(file, "mended", place, "", what, advice, "")


def original_columns(rows: Iterable[ReportRow]) -> list[str]:
    """List the fields that the records of some rows have, and the title that they may lack."""
    names = list(dict.fromkeys(name for row in rows for name in row.original))
    return names if not names or "title" in Head(names).meanings else ["title", *names]


def report_rows(file: str, report: Mapping[str, Any]) -> list[ReportRow]:
    """Write all that a report tells of a file as rows.

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
            "The table of rejected records can be written as {names}, but its name is {file!r}.",
            names=", ".join(ENDINGS),
            file=path.name,
        )


def write_refused(
    rows: Iterable[ReportRow], path: Path, *, columns: Sequence[str] = COLUMNS
) -> None:
    """Write rows to a file, in the format of its ending; an older one is replaced.

    Behind the columns that tell why stand the records' own fields. Who fills in what is missing
    there can import the table: readers of tables pass over the columns that tell.

    Parameters
    ----------
    rows : iterable of ReportRow
    path : Path
    columns : sequence of str
        What to call `COLUMNS`, in their order; for files in another language.

    Raises
    ------
    InputError
        If the ending says no format, or the file cannot be written.
    """
    check_ending(path)
    ending = path.suffix.lower()
    rows = list(rows)
    names = original_columns(rows)
    columns = [*columns, *own_names(names, columns)]
    # The first seven fields of a row stand under `COLUMNS`.
    cells = [[*row[:7], *(row.original.get(name, "") for name in names)] for row in rows]
    with written_beside(path) as beside:
        if ending == ".json":
            objects = [dict(zip(columns, row, strict=True)) for row in cells]
            beside.write_text(json.dumps(objects, ensure_ascii=False, indent=1), "utf-8")
        elif ending == ".xlsx":
            write_workbook([columns, *cells], beside, _WIDTHS)
        else:
            safe = ([printable(cell) for cell in row] for row in cells)
            write_csv([columns, *safe], beside, "\t" if ending == ".tsv" else ",")
