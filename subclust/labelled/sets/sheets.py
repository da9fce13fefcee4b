"""Tables for spreadsheets, written row by row."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from subclust.core.exceptions import LabelledSetError
from subclust.core.storage.cells import guarded

_LONGEST_CELL = 32_767
_MOST_ROWS = 1_048_576


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

    Parameters
    ----------
    rows : iterable of sequences of str
        The header first.
    path : Path
    widths : sequence of int
        Of the columns, in letters.

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
    cell.data_type = "s"
    return cell
