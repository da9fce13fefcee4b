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
    """

    value: float | None
    mark: str = ""
    approximate: bool = False


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
    name, label : str
    dataset : Dataset
    metric : str
        Its key in our results.
    granularity : {"flat", "hierarchical"}
    groups : {"true_k", "auto_k"}
        Whether the number of groups was given or chosen.
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
    note : str
    """

    label: str
    methods: tuple[str | None, ...]
    cells: tuple[Cell, ...]
    note: str = ""


@dataclass(frozen=True)
class Table:
    """A table of methods by data sets.

    Parameters
    ----------
    name, label, caption : str
    columns : tuple of Column
    rows : tuple of Row
    reference : str
        Label of the row that all others are tested against.
    alpha : float
        Level of that test before Bonferroni's correction.
    main : str
        Name of the column that is read first.
    """

    name: str
    label: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    reference: str
    alpha: float
    main: str


@dataclass(frozen=True)
class Series:
    """A method in a figure; ``methods`` has one of ours for each data set of the figure."""

    label: str
    methods: tuple[str | None, ...]


@dataclass(frozen=True)
class PublishedFigure:
    """A figure whose values are not printed: what the text says of it, and how we draw ours.

    Parameters
    ----------
    name, label, caption : str
    kind : {"helps-hurts", "per-query"}
        Differences of the first two series query by query, or the mean of each query over the
        data sets.
    datasets : tuple of Dataset
    series : tuple of Series
        The method, then what it is compared with.
    metric, granularity : str
    says : tuple of str
        What the paper's text says.
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


@dataclass(frozen=True)
class Ablation:
    """A comparison of a method with itself when something is taken away or wrong.

    Parameters
    ----------
    name, label, caption : str
    datasets : tuple of Dataset
    metric, granularity : str
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
    name, label, title, citation, url : str
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
    statistics: tuple[Statistics, ...] = ()
    statements: tuple[Statement, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """Our tasks that stand beside the paper's data sets."""
        return tuple(dataset.task for dataset in self.datasets)
