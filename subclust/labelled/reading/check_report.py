"""What the check of a labelled set found."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.labelled.reading.problems import Problem, ProblemGroup, grouped


@dataclass(frozen=True)
class CheckReport:
    """What a labelled set is worth.

    Parameters
    ----------
    path : Path
        Of the set.
    instances : tuple of ClusteringInstance
        What can be used: everything but the places of the errors, in the order of the file. Empty
        where the file as a whole cannot be trusted.
    problems : tuple of Problem
        All of them, errors and warnings, in the order of the file.
    n_rows : int
        Rows of a table, or passages of JSON Lines, that the file has, usable or not.
    n_queries, n_passages : int
        Different queries among the usable ones; usable passages.
    n_labels : int
        Different labels of the usable ones, counted within each query and added up.
    columns : tuple of str
        Header of a table.
    places : tuple of (int, int or None)
        Row (or line) and passage of the first passage of each instance.
    """

    path: Path
    instances: tuple[ClusteringInstance, ...]
    problems: tuple[Problem, ...]
    n_rows: int
    n_queries: int
    n_passages: int
    n_labels: int
    columns: tuple[str, ...] = ()
    places: tuple[tuple[int, int | None], ...] = ()

    @property
    def file(self) -> str:
        """Name of the file."""
        return self.path.name

    @cached_property
    def errors(self) -> tuple[Problem, ...]:
        """The problems for which something cannot be used."""
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """The problems that are worth a look."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")

    @cached_property
    def groups(self) -> tuple[ProblemGroup, ...]:
        """The problems, those of one kind and column together, errors first."""
        return grouped(self.problems)

    @property
    def summary(self) -> tuple[str, ...]:
        """One line for each group: "312 rows have no label: rows 17, 42, 58 and 309 more"."""
        return tuple(group.line for group in self.groups)

    def stop_at_errors(self) -> None:
        """Refuse a set that has errors.

        Raises
        ------
        FileFormatError
            With the first error, their number, and how to see them all.
        """
        if not self.errors:
            return
        first, n = self.errors[0], len(self.errors)
        count = Message("{n:,} errors, the first", n=n) if n > 1 else Message("an error")
        place = Message("{where}: ", where=first.where) if first.row else Message("it ")
        raise FileFormatError(
            "{file} has {count}: {place}{problem}; {advice}; run 'python -m subclust check {path}' "
            "for all of them.",
            file=self.file,
            count=count,
            place=place,
            problem=first.what,
            advice=first.advice,
            path=self.path,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust check --json`` prints."""
        return {
            "file": self.file,
            "n_rows": self.n_rows,
            "n_queries": self.n_queries,
            "n_passages": self.n_passages,
            "n_labels": self.n_labels,
            "n_errors": len(self.errors),
            "n_warnings": len(self.warnings),
            "columns": list(self.columns),
            "summary": [
                {"severity": group.severity, "line": group.line, "advice": group.advice}
                for group in self.groups
            ],
            "problems": [problem.to_dict() for problem in self.problems],
        }
