"""The files of labelled sets: the form in which they are kept, tables, and writing them whole."""

import csv
import errno
import gzip
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from subclust.core.exceptions import LabelledSetError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.storage.cells import guarded
from subclust.core.storage.disk import flush_files

_LONGEST_CELL = 32_767
_MOST_ROWS = 1_048_576


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Return the path of a new file, that takes its place when all is written.

    Parameters
    ----------
    target : Path
        A file that is there is replaced.

    Yields
    ------
    Path
        Beside the target, where no file is yet.
    """
    prefix = f".{target.name[:40]}-"
    folder = Path(tempfile.mkdtemp(prefix=prefix, suffix=".partial", dir=target.parent))
    try:
        partial = folder / target.name
        yield partial
        flush_files(folder)
        partial.replace(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def told_plainly(what: str) -> Iterator[None]:
    """Turn what a disk refuses into a sentence.

    Parameters
    ----------
    what : str
        What could not be done: "The set cannot be kept".

    Raises
    ------
    LabelledSetError
        In place of an OSError.
    """
    try:
        yield
    except OSError as error:
        advice = Message("check whether the folder is there and may be written to")
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            advice = Message("free some space on the disk")
        reason = (error.strerror or str(error)).lower()
        raise LabelledSetError(
            "{what} ({reason}); {advice} and try again.", what=what, reason=reason, advice=advice
        ) from error


def write_normal(instances: Iterable[ClusteringInstance], path: Path) -> None:
    """Write queries as packed JSON Lines, one at a time."""
    with (
        path.open("xb") as file,
        # Without name and time, so that the same queries give the same bytes.
        gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as stream,
    ):
        for instance in instances:
            line = json.dumps(_as_object(instance), ensure_ascii=False)
            # Ids and paths are not checked for lone surrogates, which UTF-8 cannot hold.
            stream.write(line.encode("utf-8", "replace") + b"\n")


def read_normal(path: Path) -> Iterator[ClusteringInstance]:
    """Read what `write_normal` wrote, one query at a time.

    Raises
    ------
    OSError, EOFError, ValueError, KeyError
        If it is damaged.
    """
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        for line in stream:
            record = json.loads(line)
            yield ClusteringInstance(
                Query(record["query"], record.get("description")),
                tuple(
                    Passage(
                        id=passage["id"],
                        text=passage["text"],
                        title=passage.get("title", ""),
                        label=passage["label"],
                        path=passage.get("path", passage["label"]),
                    )
                    for passage in record["passages"]
                ),
            )


def _as_object(instance: ClusteringInstance) -> dict[str, Any]:
    query: dict[str, Any] = {"query": instance.query.text}
    if instance.query.description is not None:
        query["description"] = instance.query.description
    return query | {"passages": [_passage(passage) for passage in instance.passages]}


def _passage(passage: Passage) -> dict[str, str]:
    record = {"id": passage.id}
    if passage.title:
        record["title"] = passage.title
    record |= {"text": passage.text, "label": passage.label or ""}
    if passage.path and passage.path != passage.label:
        record["path"] = passage.path
    return record


def write_csv(rows: Iterable[Sequence[str]], path: Path, separator: str = ",") -> None:
    """Write a table with the UTF-8 mark, by which spreadsheets get all letters right.

    Text that could be taken for a formula begins with an apostrophe, which reading takes off.
    """
    with path.open("x", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, delimiter=separator).writerows(
            [guarded(cell) for cell in row] for row in rows
        )


def write_workbook(rows: Iterable[Sequence[str]], path: Path, widths: Sequence[int] = ()) -> None:
    """Write a workbook of one sheet; every cell is text, also one that looks like a formula.

    Raises
    ------
    LabelledSetError
        If a workbook cannot hold it: of too many rows, a text that is too long, or characters that
        cannot be seen. Nothing is cut off in silence.
    """
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("set")
    sheet.freeze_panes = "A2"
    for number, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    try:
        for number, row in enumerate(rows, start=1):
            if number > _MOST_ROWS:
                raise LabelledSetError(
                    "A workbook holds {count:,} rows, and there are more; export it as .csv or "
                    ".jsonl.gz.",
                    count=_MOST_ROWS,
                )
            sheet.append([_cell(sheet, text, number) for text in row])
    except BaseException:
        sheet.close()
        raise
    book.save(path)


def _cell(sheet: Any, text: str, row: int) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError

    if not text:
        return None
    if len(text) > _LONGEST_CELL:
        raise LabelledSetError(
            "Row {row:,} has a text of {count:,} characters, and a cell of a workbook holds "
            "{most:,}; export it as .csv or .jsonl.gz.",
            row=row,
            count=len(text),
            most=_LONGEST_CELL,
        )
    try:
        cell = WriteOnlyCell(sheet, text)
    except IllegalCharacterError as error:
        raise LabelledSetError(
            "Row {row:,} has characters that a workbook cannot hold, since they cannot be seen; "
            "export it as .csv or .jsonl.gz.",
            row=row,
        ) from error
    # openpyxl takes a text that begins with "=" for a formula.
    cell.data_type = "s"
    return cell
