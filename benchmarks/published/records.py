"""What a paper printed, and which of our results stands beside it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """One printed value.

    Parameters
    ----------
    value : float or None
        None where the paper gives none.
    mark : {"", "▲", "▼", "★"}
        Significantly above or below the reference row, as the paper tested it; the reference row.
    approximate : bool
        Printed with "≈".
    spread : float or None
        Half of the 95% interval, where it is printed.
    """

    value: float | None
    mark: str = ""
    approximate: bool = False
    spread: float | None = None


@dataclass(frozen=True)
class Dataset:
    """A data set of the paper, and the task of ours that stands beside it.

    Parameters
    ----------
    name : str
        The paper's.
    task, label : str
        Name of our task, and what people call it.
    difference : str
        A sentence on how the two differ.
    """

    name: str
    task: str
    label: str
    difference: str


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    metric : str
        Its key in our results.
    granularity : {"flat", "hierarchical"}
    groups : str
        ``"true_k"``, ``"auto_k"`` or ``"validated"``: whether the number of groups was given,
        chosen by the method's own rule, or by the one that validation queries of the data set
        advise; ``"k10"`` and the like where that number was asked for, whatever the true one; and
        ``"spectral"`` where spectral clustering made the true number.
    """

    name: str
    label: str
    dataset: Dataset
    metric: str
    granularity: str
    groups: str


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Parameters
    ----------
    label : str
        The paper's name of the method.
    methods : tuple of (str or None)
        Ours, one a column: a name, or ``name@checkpoint``; None where there is none.
    cells : tuple of Cell
        One a column.
    further : tuple of str
        The same training with other seeds, as ``name@checkpoint``: the row has each query's mean
        over those that were measured.
    """

    label: str
    methods: tuple[str | None, ...]
    cells: tuple[Cell, ...]
    note: str = ""
    further: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table of methods by data sets.

    Parameters
    ----------
    reference : str
        Label of the row that all others are tested against.
    alpha : float
        Level of that test before Bonferroni's correction.
    main : str
        Name of the column that is read first.
    intervals : bool
        Whether 95% intervals stand beside the values, as the paper prints them.
    own : bool
        Whether methods of ours that the paper has not stand below.
    """

    name: str
    label: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    reference: str
    alpha: float
    main: str
    intervals: bool = False
    own: bool = True


@dataclass(frozen=True)
class Series:
    """A method in a figure; ``methods`` has one of ours for each data set of the figure."""

    label: str
    methods: tuple[str | None, ...]


MEASURED_IN = {
    "convergence": "convergence",
    "epoch-time": "convergence",
    "spaces": "spaces",
    "growth": "context",
}
"""Kinds of figures that are drawn from measurement files, and the folder of these."""


@dataclass(frozen=True)
class Measurement:
    """A measurement file of ours that answers a figure for one data set of the paper.

    Parameters
    ----------
    name : str
        Of the file, without its ending.
    label : str
        What people call the data that was measured.
    """

    name: str
    label: str
    dataset: Dataset


@dataclass(frozen=True)
class PublishedFigure:
    """A figure whose values are not printed: what the text says of it, and how we draw ours.

    Parameters
    ----------
    kind : {"helps-hurts", "per-query", "convergence", "epoch-time", "spaces", "growth"}
        Differences of the first two series query by query; the mean of each query over the
        data sets; held-out scores against training time; the time of an epoch; embeddings of a few
        queries; memory and time over the size of a subset.
    series : tuple of Series
        The method, then what it is compared with.
    says : tuple of str
        What the paper's text says.
    measurements : tuple of Measurement
        For the kinds in `MEASURED_IN`: one a data set.
    """

    name: str
    label: str
    caption: str
    kind: str
    datasets: tuple[Dataset, ...]
    series: tuple[Series, ...]
    metric: str
    granularity: str
    says: tuple[str, ...]
    measurements: tuple[Measurement, ...] = ()


@dataclass(frozen=True)
class SearchRow:
    """What the paper's search found on one data set.

    Parameters
    ----------
    label : str
        The paper's name of the data set.
    search : str or None
        Our search that stands beside it, None where there is none.
    cells : tuple of Cell
        The best value of each parameter.
    """

    label: str
    search: str | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class SearchTable:
    """A table of the settings that a search found best.

    Parameters
    ----------
    parameters : tuple of str
        Their keys in our search files.
    columns : tuple of str
        What the paper calls them.
    """

    name: str
    label: str
    caption: str
    parameters: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[SearchRow, ...]


@dataclass(frozen=True)
class Ablation:
    """A comparison of a method with itself when something is taken away or wrong.

    Parameters
    ----------
    variants : tuple of str
        Keys below ``ablation`` in the result files.
    """

    name: str
    label: str
    caption: str
    datasets: tuple[Dataset, ...]
    metric: str
    granularity: str
    variants: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """Two trainings that differ in one thing, each with its seeds.

    Parameters
    ----------
    row : str
        Label of the table's row that stands beside the first.
    methods, others : tuple of str
        Ours, as ``name@checkpoint``: a seed each, with the thing and without it. Seeds that were
        not measured are left out.
    """

    label: str
    row: str
    methods: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Contrast:
    """A comparison of trainings with and without something, beside what a table prints of it.

    Parameters
    ----------
    table : str
        Name of the table.
    metric, granularity : str
        Of the table's columns that are compared.
    against : str
        Label of the table's row without it.
    """

    name: str
    label: str
    caption: str
    table: str
    metric: str
    granularity: str
    against: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Statistics:
    """A table of the paper that is only shown, such as the sizes of its data."""

    label: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Statement:
    """What the paper claims, and where."""

    where: str
    text: str


@dataclass(frozen=True)
class Paper:
    """Everything that one paper published and we stand beside.

    Parameters
    ----------
    difference : str
        How our conditions differ from the paper's, whatever the data set.
    """

    name: str
    label: str
    title: str
    citation: str
    url: str
    difference: str
    datasets: tuple[Dataset, ...]
    tables: tuple[Table, ...]
    figures: tuple[PublishedFigure, ...] = ()
    ablations: tuple[Ablation, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    searches: tuple[SearchTable, ...] = ()
    statistics: tuple[Statistics, ...] = ()
    statements: tuple[Statement, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """Our tasks that stand beside the paper's data sets."""
        return tuple(dataset.task for dataset in self.datasets)

    @property
    def measurements(self) -> tuple[tuple[str, str], ...]:
        """Folder and name of each measurement file that stands beside a figure or a table."""
        found = [
            (MEASURED_IN[figure.kind], measurement.name)
            for figure in self.figures
            for measurement in figure.measurements
        ]
        found += [
            ("search", row.search) for table in self.searches for row in table.rows if row.search
        ]
        return tuple(dict.fromkeys(found))
