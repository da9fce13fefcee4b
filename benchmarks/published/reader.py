"""Read what a paper published from its TOML; whatever does not fit is named with its place."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.published.records import (
    MEASURED_IN,
    Ablation,
    Cell,
    Column,
    Contrast,
    Dataset,
    Measurement,
    Pair,
    Paper,
    PublishedFigure,
    Row,
    SearchRow,
    SearchTable,
    Series,
    Statement,
    Statistics,
    Table,
)
from subclust.core.exceptions import BenchmarkError

PUBLISHED_DIR = Path(__file__).parent

_CELL = re.compile(
    r"(?P<about>≈ ?)?(?P<value>-?\d+(?:\.\d+)?)(?:±(?P<spread>\d+(?:\.\d+)?))?(?P<mark>[▲▼★]?)"
)
_GIVEN = re.compile(r"k[1-9]\d*")
"""A number of groups that was asked for, as columns name it."""

_CHOICES = {
    "granularity": ("flat", "hierarchical"),
    "groups": ("true_k", "auto_k", "validated", "spectral", "k5, or another number"),
    "kind": ("helps-hurts", "per-query", *MEASURED_IN),
}


def paper_names(folder: Path = PUBLISHED_DIR) -> list[str]:
    """List the papers whose values are recorded, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def read_paper(path: Path) -> Paper:
    """Read one paper.

    Raises
    ------
    BenchmarkError
        If the file cannot be read, a field is missing, unknown or of the wrong kind, or a row does
        not fit its table.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BenchmarkError(
            "{path} cannot be read as TOML: {error}.", path=path, error=error
        ) from error
    paper = _paper(_Fields(content, path.name))
    if paper.name != path.stem:
        raise BenchmarkError(
            "{file} calls itself {paper!r}; a paper has the name of its file.",
            file=path.name,
            paper=paper.name,
        )
    return paper


class _Fields:
    """One table of the file, from which each field is taken once."""

    def __init__(self, content: Mapping[str, Any], place: str) -> None:
        self.content = dict(content)
        self.place = place

    def take(self, name: str, kind: type, default: Any = None) -> Any:
        value = self.content.pop(name, default)
        if value is None:
            raise BenchmarkError("{place} has no {name!r}; add it.", place=self.place, name=name)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind):
            raise BenchmarkError(
                "{place}: {name!r} must be {kind}, but is {value!r}.",
                place=self.place,
                name=name,
                kind=_KINDS[kind],
                value=value,
            )
        given = name == "groups" and _GIVEN.fullmatch(str(value))
        if name in _CHOICES and value not in _CHOICES[name] and not given:
            raise BenchmarkError(
                "{place}: {name!r} must be one of {names}, but is {value!r}.",
                place=self.place,
                name=name,
                names=", ".join(_CHOICES[name]),
                value=value,
            )
        return value.strip() if isinstance(value, str) else value

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.take(name, list)
        if not all(isinstance(value, str) for value in values):
            raise BenchmarkError(
                "{place}: {name!r} must be a list of texts.", place=self.place, name=name
            )
        return tuple(values)

    def each(self, name: str, *, required: bool = False) -> "list[_Fields]":
        tables = self.take(name, list, None if required else [])
        if not all(isinstance(table, dict) for table in tables):
            raise BenchmarkError(
                "{place}: {name!r} must be a list of tables.", place=self.place, name=name
            )
        return [
            _Fields(table, f"{self.place}, {name} {table.get('name', table.get('label', number))}")
            for number, table in enumerate(tables, start=1)
        ]

    def end(self) -> None:
        if self.content:
            raise BenchmarkError(
                "{place} has the unknown field {content!r}; correct or remove it.",
                place=self.place,
                content=sorted(self.content)[0],
            )


_KINDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    float: "a number",
    bool: "true or false",
}


def _paper(fields: _Fields) -> Paper:
    datasets = {}
    for one in fields.each("datasets", required=True):
        texts = (one.take(name, str) for name in ("name", "task", "label", "difference"))
        dataset = Dataset(*texts)
        datasets[dataset.name] = dataset
        one.end()
    paper = Paper(
        **{
            name: fields.take(name, str)
            for name in ("name", "label", "title", "citation", "url", "difference")
        },
        datasets=tuple(datasets.values()),
        tables=tuple(_table(one, datasets) for one in fields.each("tables", required=True)),
        figures=tuple(_figure(one, datasets) for one in fields.each("figures")),
        ablations=tuple(_ablation(one, datasets) for one in fields.each("ablations")),
        contrasts=tuple(_contrast(one) for one in fields.each("contrasts")),
        searches=tuple(_search(one) for one in fields.each("searches")),
        statistics=tuple(_statistics(one) for one in fields.each("statistics")),
        statements=tuple(_statement(one) for one in fields.each("statements")),
    )
    fields.end()
    return paper


def _table(fields: _Fields, datasets: Mapping[str, Dataset]) -> Table:
    columns = tuple(_column(one, datasets) for one in fields.each("columns", required=True))
    scale = 0.01 if fields.take("percent", bool, False) else 1.0
    table = Table(
        **{name: fields.take(name, str) for name in ("name", "label", "caption")},
        columns=columns,
        rows=tuple(_row(one, len(columns), scale) for one in fields.each("rows", required=True)),
        reference=fields.take("reference", str),
        alpha=fields.take("alpha", float),
        main=fields.take("main", str),
        intervals=fields.take("intervals", bool, False),
        own=fields.take("own", bool, True),
    )
    fields.end()
    for what, name, known in (
        ("reference", table.reference, [row.label for row in table.rows]),
        ("main", table.main, [column.name for column in columns]),
    ):
        if name not in known:
            raise BenchmarkError(
                "{place}: {what!r} is {name!r}, but must be one of {names}.",
                place=fields.place,
                what=what,
                name=name,
                names=", ".join(known),
            )
    return table


def _column(fields: _Fields, datasets: Mapping[str, Dataset]) -> Column:
    column = Column(
        name=fields.take("name", str),
        label=fields.take("label", str),
        dataset=_dataset(fields, fields.take("dataset", str), datasets),
        metric=fields.take("metric", str),
        granularity=fields.take("granularity", str),
        groups=fields.take("groups", str, "true_k"),
    )
    fields.end()
    return column


def _row(fields: _Fields, n_columns: int, scale: float) -> Row:
    row = Row(
        label=fields.take("label", str),
        methods=_methods(fields, n_columns),
        cells=tuple(_cell(text, fields.place, scale) for text in fields.texts("cells")),
        note=fields.take("note", str, ""),
        further=fields.texts("further") if "further" in fields.content else (),
    )
    fields.end()
    if len(row.cells) != n_columns:
        raise BenchmarkError(
            "{place} has {count} cells, but its table has {n_columns} columns.",
            place=fields.place,
            count=len(row.cells),
            n_columns=n_columns,
        )
    return row


def _methods(fields: _Fields, n_places: int) -> tuple[str | None, ...]:
    """Read ``methods``, one a place, or ``method`` for all of them, or neither: we have none."""
    if "methods" not in fields.content:
        return (fields.take("method", str, "") or None,) * n_places
    methods = fields.texts("methods")
    if len(methods) != n_places:
        raise BenchmarkError(
            "{place} names {count} methods, but needs {n_places}.",
            place=fields.place,
            count=len(methods),
            n_places=n_places,
        )
    return methods


def _cell(text: str, place: str, scale: float = 1.0) -> Cell:
    if not text:
        return Cell(None)
    found = _CELL.fullmatch(text)
    if not found:
        raise BenchmarkError(
            "{place}: the cell {text!r} must be a number as it is printed, such as 0.300▲, "
            "0.461±0.016 or ≈0.",
            place=place,
            text=text,
        )
    spread = None if found["spread"] is None else float(found["spread"])
    value = round(scale * float(found["value"]), 6)
    return Cell(value, found["mark"], bool(found["about"]), spread and scale * spread)


def _figure(fields: _Fields, datasets: Mapping[str, Dataset]) -> PublishedFigure:
    texts = {name: fields.take(name, str) for name in ("name", "label", "caption", "kind")}
    measured: tuple[Measurement, ...] = ()
    if texts["kind"] in MEASURED_IN:
        measured = tuple(
            _measurement(one, datasets) for one in fields.each("measurements", required=True)
        )
        used = tuple(one.dataset for one in measured)
    else:
        used = tuple(_dataset(fields, name, datasets) for name in fields.texts("datasets"))
    figure = PublishedFigure(
        **texts,
        datasets=used,
        series=tuple(_series(one, len(used)) for one in fields.each("series", required=True)),
        metric=fields.take("metric", str),
        granularity=fields.take("granularity", str),
        says=fields.texts("says"),
        measurements=measured,
    )
    fields.end()
    if len(figure.series) != 2:
        raise BenchmarkError(
            "{place} needs 2 series, but has {count}.", place=fields.place, count=len(figure.series)
        )
    return figure


def _measurement(fields: _Fields, datasets: Mapping[str, Dataset]) -> Measurement:
    measurement = Measurement(
        fields.take("name", str),
        fields.take("label", str),
        _dataset(fields, fields.take("dataset", str), datasets),
    )
    fields.end()
    return measurement


def _search(fields: _Fields) -> SearchTable:
    parameters = fields.texts("parameters")
    table = SearchTable(
        **{name: fields.take(name, str) for name in ("name", "label", "caption")},
        parameters=parameters,
        columns=fields.texts("columns"),
        rows=tuple(_search_row(one) for one in fields.each("rows", required=True)),
    )
    fields.end()
    if any(len(row) != len(parameters) for row in (table.columns, *(r.cells for r in table.rows))):
        raise BenchmarkError(
            "{place}: its columns and every row must have {count} cells, one a parameter.",
            place=fields.place,
            count=len(parameters),
        )
    return table


def _search_row(fields: _Fields) -> SearchRow:
    row = SearchRow(
        fields.take("label", str),
        fields.take("search", str, "") or None,
        tuple(_cell(text, fields.place) for text in fields.texts("cells")),
    )
    fields.end()
    return row


def _series(fields: _Fields, n_datasets: int) -> Series:
    series = Series(fields.take("label", str), _methods(fields, n_datasets))
    fields.end()
    return series


def _ablation(fields: _Fields, datasets: Mapping[str, Dataset]) -> Ablation:
    ablation = Ablation(
        **{name: fields.take(name, str) for name in ("name", "label", "caption")},
        datasets=tuple(_dataset(fields, name, datasets) for name in fields.texts("datasets")),
        metric=fields.take("metric", str),
        granularity=fields.take("granularity", str),
        variants=fields.texts("variants"),
    )
    fields.end()
    return ablation


def _contrast(fields: _Fields) -> Contrast:
    names = ("name", "label", "caption", "table", "metric", "granularity", "against")
    pairs = []
    for one in fields.each("pairs", required=True):
        label, row = one.take("label", str), one.take("row", str)
        pairs.append(Pair(label, row, one.texts("methods"), one.texts("others")))
        one.end()
    texts = {name: fields.take(name, str) for name in names}
    contrast = Contrast(**texts, pairs=tuple(pairs))
    fields.end()
    return contrast


def _statistics(fields: _Fields) -> Statistics:
    columns = fields.texts("columns")
    rows = tuple(
        tuple(str(cell) for cell in row) if isinstance(row, Sequence) else ()
        for row in fields.take("rows", list)
    )
    statistics = Statistics(fields.take("label", str), fields.take("caption", str), columns, rows)
    fields.end()
    if any(len(row) != len(columns) for row in rows):
        raise BenchmarkError(
            "{place}: every row must have {count} cells.", place=fields.place, count=len(columns)
        )
    return statistics


def _statement(fields: _Fields) -> Statement:
    statement = Statement(fields.take("where", str), fields.take("text", str))
    fields.end()
    return statement


def _dataset(fields: _Fields, name: str, datasets: Mapping[str, Dataset]) -> Dataset:
    if name not in datasets:
        raise BenchmarkError(
            "{place}: there is no data set {name!r}; it must be one of {names}.",
            place=fields.place,
            name=name,
            names=", ".join(datasets),
        )
    return datasets[name]
