"""A labelled set of any format, opened passage by passage."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.labelled.reading.json_lines import line_file
from subclust.labelled.reading.labelled import (
    COLUMNS,
    REQUIRED_COLUMNS,
    LabelledFile,
    LabelledPassage,
    check_names,
    plainly,
    suggestion,
)
from subclust.labelled.reading.problems import Problem, Sink, printable, quoted
from subclust.labelled.reading.tables import Row, Table, read_table
from subclust.text.sources.base import absent

TABLE_ENDINGS = (".csv", ".tsv", ".xlsx")
LINE_ENDINGS = (".jsonl", ".jsonl.gz")

_NAMES_TOLD = 12


def open_labelled(
    path: Path,
    sink: Sink,
    *,
    columns: Mapping[str, str] | None = None,
    labelled: bool = True,
) -> LabelledFile:
    """Open a labelled set of any format.

    Parameters
    ----------
    sink : callable
        Takes each problem as it is met; it may raise.
    columns : mapping of str to str, optional
        Our names (`COLUMNS`) to those of the file, where they differ.
    labelled : bool
        Whether every passage must have a label.

    Raises
    ------
    FileFormatError
        If there is no such file.
    InputError
        If `columns` has a name that is not ours.
    """
    must_exist(path)
    names = check_names(columns)
    ending = path.name.lower()
    if ending.endswith(LINE_ENDINGS):
        return line_file(path, sink, names, labelled=labelled)
    if not ending.endswith(TABLE_ENDINGS):
        sink(Problem("wrong-ending", path.name))
        return LabelledFile(sure=False)
    file = LabelledFile()

    def watched(problem: Problem) -> None:
        # These rows never reach `_from_table`, which counts the others.
        if problem.kind in ("unclosed-quote", "bad-row"):
            file.n_rows += 1
        sink(problem)

    table = read_table(path, watched, {plainly(n) for n in names.values()})
    required = REQUIRED_COLUMNS if labelled else REQUIRED_COLUMNS[:-1]
    file.passages = _from_table(path.name, table, names, required, sink, file)
    return file


def must_exist(path: Path) -> None:
    """Raise a FileFormatError if there is no such file."""
    if not path.is_file():
        raise absent(path)


def _from_table(
    name: str,
    table: Table,
    names: Mapping[str, str],
    required: Sequence[str],
    sink: Sink,
    file: LabelledFile,
) -> Iterator[LabelledPassage]:
    reader: _TableReader | None = None
    for row in table.rows:
        if not any(map(str.strip, row.cells)) and not row.doubts:
            continue
        if reader is not None:
            file.n_rows += 1
            passage = reader.passage(row)
            if passage is not None:
                yield passage
        elif file.n_rows:  # the header was one of the rows that cannot be read
            file.sure = False
            return
        else:
            header = list(row.cells)
            while header and not header[-1].strip():
                header.pop()
            file.columns = tuple(cell.strip() for cell in header)
            found = _find_columns(header, names, required, sink, name, row.number)
            reader = _TableReader(name, header, found, required, table.delimited, sink)
    file.sure = table.sure
    if table.sure and not file.n_rows:
        sink(Problem("no-rows" if reader else "empty-file", name))


class _TableReader:
    """Makes passages of the rows below a header."""

    def __init__(
        self,
        file: str,
        header: Sequence[str],
        found: Mapping[str, int],
        required: Sequence[str],
        delimited: bool,
        sink: Sink,
    ) -> None:
        self.file = file
        self.n_columns = len(header)
        self.found = found
        self.names = {index: name for name, index in found.items()}
        self.required = [name for name in required if name in found]
        self.complete = len(self.required) == len(required)
        self.delimited = delimited
        self.sink = sink

    def passage(self, row: Row) -> LabelledPassage | None:
        """Make a passage of a row, or report why there is none."""
        cells, found = row.cells, self.found
        values = {n: cells[i] if i < len(cells) else "" for n, i in found.items()}
        query = values.get("query", "")
        if len(cells) != self.n_columns:
            self._count(row, query)
        formulas = self._doubts(row, query)
        empty = [name for name in self.required if not values[name].strip()]
        for name in empty:
            if name not in formulas:
                self.sink(self._problem("empty-cell", row, name, query))
        if empty or not self.complete:
            return None
        label, given = values.get("label", ""), values.get("id", "")
        description = values.get("description", "")
        return LabelledPassage(
            row=row.number,
            position=None,
            query=query,
            description=description if description.strip() else None,
            passage=Passage(
                id=given or str(row.number),
                text=values["text"],
                title=values.get("title", ""),
                label=label or None,
                path=(values.get("path", "") or label) if label else None,
            ),
            has_id=bool(given),
        )

    def _count(self, row: Row, query: str) -> None:
        n = len(row.cells)
        beyond = [cell for cell in row.cells[self.n_columns :] if cell.strip()]
        if beyond:
            kind = "extra-cells" if self.delimited else "unnamed-cells"
            other = Message(
                "{cells} cells, but the header has {header}", cells=n, header=self.n_columns
            )
            self.sink(self._problem(kind, row, "", query, found=quoted(beyond[0]), other=other))
        elif self.delimited and n < self.n_columns:
            found = Message("1 cell") if n == 1 else Message("{cells} cells", cells=n)
            wanted = str(self.n_columns)
            self.sink(self._problem("short-row", row, "", query, found=found, other=wanted))

    def _doubts(self, row: Row, query: str) -> set[str]:
        formulas = set()
        for index, kind, told in row.doubts:
            name = self.names.get(index, "")
            if name not in self.required:
                continue
            if kind == "formula":
                formulas.add(name)
            self.sink(self._problem(kind, row, name, query, found=told))
        return formulas

    def _problem(
        self, kind: str, row: Row, column: str, query: str, *, found: str = "", other: str = ""
    ) -> Problem:
        return Problem(
            kind,
            self.file,
            row.number,
            None,
            column,
            found,
            other,
            query if query.strip() else None,
        )


def _find_columns(
    header: Sequence[str],
    names: Mapping[str, str],
    required: Sequence[str],
    sink: Sink,
    file: str,
    row: int,
) -> dict[str, int]:
    """Find our columns in a header, capitals and outer blanks aside; report what is not right.

    Returns
    -------
    dict of str to int
        Index of each of our columns that is there; of two of the same name, the last.
    """
    plain = [plainly(cell) for cell in header]
    found = {name: max(_at(plain, names[name]), default=-1) for name in COLUMNS}
    told = ", ".join(printable(cell.strip()) for cell in header[:_NAMES_TOLD]) or Message("nothing")
    if len(header) > _NAMES_TOLD:
        told += " …"

    def problem(kind: str, column: str, other: str = "") -> None:
        sink(Problem(kind, file, row, column=column, found=told, other=other))

    taken = {plainly(names[name]) for name in COLUMNS}
    for name in COLUMNS:
        if found[name] >= 0:
            continue
        if names[name] != name:
            problem("no-such-column", name, printable(names[name]))
        elif name in required:
            likely = suggestion(name, [cell for cell in header if plainly(cell) not in taken])
            if likely is None:
                problem("missing-column", name)
            else:
                taken.add(plainly(likely))
                problem("near-column", name, printable(likely.strip()))
    ours = {plainly(names[name]): name for name in COLUMNS}
    for cell, n in Counter(plain).items():
        for _ in range(n - 1 if cell else 0):
            doubled = "doubled-column" if cell in ours else "doubled-other-column"
            problem(doubled, printable(cell))
    return {name: index for name, index in found.items() if index >= 0}


def _at(plain: Sequence[str], name: str) -> list[int]:
    return [index for index, cell in enumerate(plain) if cell == plainly(name)]
