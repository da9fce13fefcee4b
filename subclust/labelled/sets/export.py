"""Writing a set that is kept, or the rows left out of it, to a file of its own."""

import gzip
import shutil
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from subclust.core.exceptions import InputError, LabelledSetError
from subclust.core.messages import Message
from subclust.labelled.sets.normal import read_normal
from subclust.labelled.sets.record import LabelledSet, LeftOutRow
from subclust.labelled.sets.sheets import write_csv, write_workbook
from subclust.labelled.sets.writing import told_plainly, written_whole

EXPORT_ENDINGS = (".csv", ".tsv", ".xlsx", ".jsonl", ".jsonl.gz")
EXPORT_COLUMNS = ("query", "description", "id", "title", "text", "label", "path")
LEFT_OUT_COLUMNS = ("row", "passage", "query", "reasons", "advice")


def export_set(kept: LabelledSet, path: Path) -> Path:
    """Write a set to a file, whole or not at all.

    Parameters
    ----------
    kept : LabelledSet
    path : Path
        Its ending says the format: ``.csv``, ``.tsv``, ``.xlsx``, ``.jsonl`` or ``.jsonl.gz``. A
        file that is there is replaced.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    InputError
        If the ending is another one.
    LabelledSetError
        If the format cannot hold it, the set is damaged, or the file cannot be written.
    """
    ending = next((e for e in reversed(EXPORT_ENDINGS) if path.name.lower().endswith(e)), None)
    if ending is None:
        raise InputError(
            "{file} has no ending that a set can be written with; take one of {names}.",
            file=path.name,
            names=", ".join(EXPORT_ENDINGS),
        )
    try:
        with (
            told_plainly(Message("{file} cannot be written", file=path)),
            written_whole(path) as partial,
        ):
            _write(kept, partial, ending)
    except (EOFError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise LabelledSetError(
            "The labelled set {name} is damaged ({error}); restore {file} from a copy, or add the "
            "set again.",
            name=kept.label,
            error=error,
            file=kept.path,
        ) from error
    return path


def export_left_out(kept: LabelledSet, path: Path) -> Path:
    """Write the rows that were left out of a set, with the reasons, as CSV.

    Parameters
    ----------
    kept : LabelledSet
    path : Path
        Ending in ``.csv``. A file that is there is replaced.

    Raises
    ------
    InputError
        If the ending is another one.
    LabelledSetError
        If it cannot be written.
    """
    if path.suffix.lower() != ".csv":
        raise InputError(
            "{file} must end in .csv: the rows left out are written so.", file=path.name
        )
    rows = kept.left_out
    with (
        told_plainly(Message("{file} cannot be written", file=path)),
        written_whole(path) as partial,
    ):
        write_csv([LEFT_OUT_COLUMNS, *map(_left_out_cells, rows)], partial)
    return path


def set_rows(kept: LabelledSet) -> Iterator[tuple[str, ...]]:
    """Return a set as a table, a passage a row, below its header."""
    yield EXPORT_COLUMNS
    for instance in read_normal(kept.path):
        for passage in instance.passages:
            label, path = passage.label or "", passage.path or ""
            yield (
                instance.query.text,
                instance.query.description or "",
                passage.id,
                passage.title,
                passage.text,
                label,
                path if path != label else "",
            )


def _write(kept: LabelledSet, path: Path, ending: str) -> None:
    match ending:
        case ".jsonl.gz":
            shutil.copyfile(kept.path, path)
        case ".jsonl":
            with gzip.open(kept.path) as source, path.open("xb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        case ".xlsx":
            write_workbook(set_rows(kept), path, widths=(24, 24, 12, 24, 60, 24, 32))
        case _:
            write_csv(set_rows(kept), path, "\t" if ending == ".tsv" else ",")


def _left_out_cells(row: LeftOutRow) -> Sequence[str]:
    return (
        str(row.row),
        str(row.passage or ""),
        row.query or "",
        "; ".join(row.reasons),
        "; ".join(row.advice),
    )
