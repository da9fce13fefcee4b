"""Labelled sets as files for people: exports of what is kept, and templates to fill in."""

import gzip
import io
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from subclust.core.exceptions import InputError, LabelledSetError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.sets.files import (
    read_normal,
    told_plainly,
    write_csv,
    write_normal,
    write_workbook,
    written_whole,
)
from subclust.labelled.sets.record import LabelledSet, LeftOutRow

TEMPLATES = ("csv", "tsv", "xlsx", "jsonl", "jsonl.gz")
"""Formats there are templates for."""

_HEADER = ("query", "text", "label", "id", "title", "description", "path")
_EXAMPLES = {
    ("causes of the American Revolution", "Why thirteen colonies broke with Britain."): (
        ("Stamp Act", "The Stamp Act taxed newspapers and deeds.", "Taxes", "Taxes / Stamp Act"),
        (
            "Tea Act",
            "The Tea Act let one company undersell all others.",
            "Taxes",
            "Taxes / Tea Act",
        ),
        ("Parliament", "The colonies had no seat in Parliament.", "Representation", ""),
        ("Petitions", "The king did not answer the petitions of 1774.", "Representation", ""),
    ),
    ("health effects of coffee", ""): (
        ("Sleep", "Coffee in the evening delays sleep by an hour.", "Sleep", ""),
        ("Naps", "A cup before a short nap makes one more alert.", "Sleep", ""),
        ("Blood pressure", "Caffeine raises blood pressure for some hours.", "Heart", ""),
        ("Heart rate", "In most people the pulse hardly changes.", "Heart", ""),
    ),
}


EXPORT_ENDINGS = (".csv", ".tsv", ".xlsx", ".jsonl", ".jsonl.gz")
_EXPORT_COLUMNS = ("query", "description", "id", "title", "text", "label", "path")
_LEFT_OUT_COLUMNS = ("row", "passage", "query", "reasons", "advice")


def template(format: str) -> bytes:
    """Return a file to fill in, with eight rows that show what is meant and pass the check.

    Parameters
    ----------
    format : str
        One of `TEMPLATES`.

    Raises
    ------
    InputError
        If there is no such format.
    """
    if format not in TEMPLATES:
        raise InputError(
            "There is no template in the format {format!r}; take one of {names}.",
            format=format,
            names=", ".join(TEMPLATES),
        )
    with tempfile.TemporaryDirectory(prefix="subclust-") as folder:
        path = Path(folder) / f"template.{format}"
        match format:
            case "csv":
                write_csv(_rows(), path)
            case "tsv":
                write_csv(_rows(), path, "\t")
            case "xlsx":
                write_workbook(_rows(), path, widths=(32, 60, 20, 8, 20, 40, 28))
            case _:
                write_normal(_instances(), path)
        data = path.read_bytes()
    return gzip.GzipFile(fileobj=io.BytesIO(data)).read() if format == "jsonl" else data


def _rows() -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [_HEADER]
    for instance in _instances():
        for passage in instance.passages:
            path = passage.path if passage.path != passage.label else ""
            rows.append(
                (
                    instance.query.text,
                    passage.text,
                    passage.label or "",
                    passage.id,
                    passage.title,
                    instance.query.description or "",
                    path or "",
                )
            )
    return rows


def _instances() -> list[ClusteringInstance]:
    instances, number = [], 0
    for (query, description), examples in _EXAMPLES.items():
        passages = []
        for title, text, label, path in examples:
            number += 1
            passages.append(Passage(str(number), text, title, label=label, path=path or label))
        instances.append(ClusteringInstance(Query(query, description or None), tuple(passages)))
    return instances


def export_set(kept: LabelledSet, path: Path) -> Path:
    """Write a set to a file, whole or not at all.

    Parameters
    ----------
    path : Path
        Its ending says the format: ``.csv``, ``.tsv``, ``.xlsx``, ``.jsonl`` or ``.jsonl.gz``. A
        file that is there is replaced.

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
        write_csv([_LEFT_OUT_COLUMNS, *map(_left_out_cells, rows)], partial)
    return path


def _set_rows(kept: LabelledSet) -> Iterator[tuple[str, ...]]:
    """Return a set as a table, a passage a row, below its header."""
    yield _EXPORT_COLUMNS
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
            write_workbook(_set_rows(kept), path, widths=(24, 24, 12, 24, 60, 24, 32))
        case _:
            write_csv(_set_rows(kept), path, "\t" if ending == ".tsv" else ",")


def _left_out_cells(row: LeftOutRow) -> Sequence[str]:
    return (
        str(row.row),
        str(row.passage or ""),
        row.query or "",
        "; ".join(row.reasons),
        "; ".join(row.advice),
    )
