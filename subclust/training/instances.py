"""Labelled sets: queries whose passages have gold subtopics."""

import csv
import gzip
import hashlib
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from subclust.exceptions import FileFormatError, InputError
from subclust.records import ClusteringInstance, Passage, Query

TABLE_SUFFIXES = (".csv", ".tsv", ".xlsx")
REQUIRED_COLUMNS = ("query", "text", "label")


def read_instances(path: Path, *, labelled: bool = True) -> list[ClusteringInstance]:
    """Read a labelled set.

    Parameters
    ----------
    path : Path
        JSON Lines (``.jsonl``, ``.jsonl.gz``), one query a line:
        ``{"query", "description", "passages": [{"id", "text", "label", "path"}]}``; or a table
        (``.csv``, ``.tsv``, ``.xlsx``), one passage a row, with the columns ``query, text, label``
        and optionally ``id, title, description, path``.
    labelled : bool
        Whether every passage must have a label; those without one get None where not.

    Returns
    -------
    list of ClusteringInstance
        In the order of the file; at least one.

    Raises
    ------
    FileFormatError
        If it cannot be read; the sentence names the file, the line or row, and what to do.
    """
    if not path.is_file():
        raise FileFormatError(f"There is no file {path}; check its name.")
    name = path.name.lower()
    try:
        if name.endswith(TABLE_SUFFIXES):
            instances = _from_table(path, labelled)
        elif name.endswith((".jsonl", ".jsonl.gz")):
            instances = [_from_line(path, number, line, labelled) for number, line in _lines(path)]
        else:
            raise FileFormatError(
                f"{path.name} is no labelled set; give a .jsonl, .jsonl.gz, .csv, .tsv or .xlsx "
                "file."
            )
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path.name} is not in UTF-8 (byte {error.start}); save it as UTF-8 and try again."
        ) from error
    except (gzip.BadGzipFile, EOFError, OSError, zlib.error) as error:
        raise FileFormatError(f"{path.name} cannot be read: {error}.") from error
    if not instances:
        raise FileFormatError(f"{path.name} holds no queries; add at least one.")
    return instances


def file_digest(path: Path) -> str:
    """Compute the SHA-256 of a file, for cards and results."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def split_queries(
    instances: Sequence[ClusteringInstance], share: float, seed: int
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    """Split a labelled set by query, never within one.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    share : float
        Of the queries that go to the second part, 0 to 1; at least one does, and one stays.
    seed : int

    Returns
    -------
    tuple of two lists
        Training and held-out queries, each in the order of the set. Queries of the same text go
        to the same side.

    Raises
    ------
    InputError
        If there are fewer than two different queries.
    """
    texts = sorted({instance.query.text for instance in instances})
    if len(texts) < 2:
        raise InputError(
            "A labelled set of one query cannot be split into training and held-out queries; "
            "add queries, or give a validation file."
        )
    ordered = sorted(texts, key=lambda text: _digest(f"{seed}\n{text}"))
    n_held = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - 1)
    held = set(ordered[:n_held])
    return (
        [instance for instance in instances if instance.query.text not in held],
        [instance for instance in instances if instance.query.text in held],
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    stream: IO[str]
    with opener(path, "rt", encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield number, line


def _from_line(path: Path, number: int, line: str, labelled: bool) -> ClusteringInstance:
    where = f"{path.name}, line {number}"
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        raise FileFormatError(f"{where}: not JSON ({error}); mend or remove the line.") from error
    if not isinstance(record, dict) or not isinstance(record.get("query"), str):
        raise FileFormatError(f'{where}: the field "query" is missing or not text.')
    passages = record.get("passages")
    if not isinstance(passages, list) or not passages:
        raise FileFormatError(f'{where}: the field "passages" is missing or empty.')
    description = record.get("description")
    return ClusteringInstance(
        query=Query(record["query"], description if isinstance(description, str) else None),
        passages=tuple(
            _passage(passage, f"{where}, passage {position}", f"{number}#{position}", labelled)
            for position, passage in enumerate(passages, start=1)
        ),
    )


def _passage(fields: object, where: str, spare_id: str, labelled: bool) -> Passage:
    if not isinstance(fields, Mapping):
        raise FileFormatError(f'{where}: not an object with "text" and "label".')
    for name in ("text", "label") if labelled else ("text",):
        if not isinstance(fields.get(name), str) or not fields[name].strip():
            raise FileFormatError(f'{where}: the field "{name}" is missing or empty.')
    label = fields.get("label")
    return Passage(
        id=str(fields.get("id") or spare_id),
        text=fields["text"],
        title=str(fields.get("title") or ""),
        label=str(label) if label else None,
        path=str(fields.get("path") or label) if label else None,
    )


def _from_table(path: Path, labelled: bool) -> list[ClusteringInstance]:
    queries: dict[str, list[Passage]] = {}
    descriptions: dict[str, str] = {}
    required = REQUIRED_COLUMNS if labelled else REQUIRED_COLUMNS[:-1]
    for number, row in _rows(path, required):
        missing = [column for column in required if not row.get(column, "").strip()]
        if missing:
            raise FileFormatError(
                f'{path.name}, row {number}: the column "{missing[0]}" is empty; '
                "fill it in or remove the row."
            )
        passage = _passage(row, f"{path.name}, row {number}", str(number), labelled)
        queries.setdefault(row["query"], []).append(passage)
        if row.get("description", "").strip():
            descriptions.setdefault(row["query"], row["description"])
    return [
        ClusteringInstance(Query(text, descriptions.get(text)), tuple(passages))
        for text, passages in queries.items()
    ]


def _rows(path: Path, required: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    rows = _cells_xlsx(path) if path.suffix.lower() == ".xlsx" else _cells_text(path)
    header: list[str] | None = None
    for number, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [cell.strip().lower() for cell in cells]
            absent = [column for column in required if column not in header]
            if absent:
                raise FileFormatError(
                    f'{path.name}: the column "{absent[0]}" is missing; the first row must name '
                    f"the columns {', '.join(required)} "
                    f"(found: {', '.join(header) or 'nothing'})."
                )
            continue
        yield number, dict(zip(header, cells, strict=False))


def _cells_text(path: Path) -> Iterator[tuple[int, list[str]]]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter)
        try:
            for cells in reader:
                yield reader.line_num, cells
        except csv.Error as error:
            raise FileFormatError(
                f"{path.name}, row {reader.line_num}: {error}; save it as plain {path.suffix[1:]}."
            ) from error


def _cells_xlsx(path: Path) -> Iterator[tuple[int, list[str]]]:
    from xml.etree.ElementTree import ParseError
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    damage = (BadZipFile, ParseError, EOFError, KeyError, ValueError, zlib.error)
    try:
        workbook = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, *damage) as error:
        raise FileFormatError(
            f"{path.name} is not an Excel workbook; save it as .xlsx or .csv and try again."
        ) from error
    try:
        sheet = workbook.worksheets[0]
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            yield number, ["" if cell is None else str(cell) for cell in cells]
    except damage as error:
        raise FileFormatError(
            f"{path.name} is damaged ({error}); open it in Excel, save it anew and try again."
        ) from error
    finally:
        workbook.close()
