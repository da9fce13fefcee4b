"""Everything that is wrong with a labelled set, at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.labelled.reading.checks import (
    Member,
    PassageChecks,
    Reporter,
    check_against,
    check_query,
    check_query_names,
)
from subclust.labelled.reading.instances import gather
from subclust.labelled.reading.kinds import KINDS
from subclust.labelled.reading.labelled import LabelledFile, LabelledPassage
from subclust.labelled.reading.opening import open_labelled
from subclust.labelled.reading.problems import Problem, ProblemGroup, quoted

_PIECES_PER_WORD = 1.26
"""Word pieces that the embedded encoder makes of a word: the median over the passages of
encyclopaedia articles (1.28) and textbooks (1.24) with more than 60 words."""
_MARKS = 2
"""Word pieces of every text that stand for its beginning and end."""
MAX_WORDS = 100
"""What an encoder of 128 word pieces reads: ``words_read(128)``."""
_MANY_QUERIES = 10


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
        return _grouped(self.problems)

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


def check_labelled_set(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    against: Path | Sequence[ClusteringInstance] | None = None,
    to_split: bool | None = None,
    max_words: int | None = MAX_WORDS,
) -> CheckReport:
    """Find every problem of a labelled set; whatever the file holds, nothing is raised for it.

    Parameters
    ----------
    path : Path
        As for `read_instances`; UTF-16 and other separators than the usual are read too.
    columns : mapping of str to str, optional
        Our column names (``query, text, label, id, title, description, path``) to those of the
        file, where they differ.
    against : Path or sequence of ClusteringInstance, optional
        A held-out set, which should have nothing in common with this one.
    to_split : bool, optional
        Whether queries are to be held out of this set, so that there must be enough of them; by
        default so unless `against` is given.
    max_words : int or None
        Of a text, that the encoder reads; longer ones get a warning. See `words_read`.

    Raises
    ------
    FileFormatError
        If there is no such file.
    InputError
        If `columns` has a name that is not ours.
    """
    problems: list[Problem] = []
    file = open_labelled(path, problems.append, columns=columns)
    report = Reporter(path.name, file.in_lines, problems.append)
    check_passage = PassageChecks(report, max_words)
    groups: dict[int | str, list[Member]] = {}
    firsts: dict[str, LabelledPassage] = {}
    for given in file.passages:
        members = groups.setdefault(given.group, [])
        first = firsts.setdefault(given.query, given)
        # Only in JSON Lines: in a table, all rows of a query are one group.
        if not members and first is not given:
            there = Message("line {line}", line=first.row)
            report.query("repeated-query", given, "query", quoted(given.query), there)
        members.append((given, check_passage(given)))
    unreadable = [problem for problem in problems if KINDS[problem.kind].unreadable]
    # Where some passages of a query cannot be read, nothing is said of how many it has.
    broken = {problem.row if file.in_lines else problem.query for problem in unreadable}
    for key, members in groups.items():
        check_query(members, report, whole=key not in broken)
    check_query_names(firsts, report)
    if against is not None:
        check_against(groups.values(), *_held_out(against, path.name, problems), report)
    if to_split if to_split is not None else against is None:
        known = {problem.query for problem in unreadable if problem.query is not None}
        _check_number(len(known.union(firsts)), path.name, problems)
    usable = _usable(file, groups.values(), problems)
    instances = gather(usable)
    places: dict[int | str, tuple[int, int | None]] = {}
    for given in usable:
        places.setdefault(given.group, (given.row, given.position))
    return CheckReport(
        path=path,
        instances=tuple(instances),
        problems=tuple(sorted(problems, key=lambda p: (p.row or 0, p.passage or 0))),
        n_rows=file.n_rows,
        n_queries=len({instance.query.text for instance in instances}),
        n_passages=len(usable),
        n_labels=sum(len(set(instance.gold())) for instance in instances),
        columns=file.columns,
        places=tuple(places.values()),
    )


def words_read(max_seq_length: int) -> int:
    """Estimate how many words of a text an encoder reads.

    Parameters
    ----------
    max_seq_length : int
        Word pieces that it reads.
    """
    return max(1, round((max_seq_length - _MARKS) / _PIECES_PER_WORD))


def _held_out(
    against: Path | Sequence[ClusteringInstance], file: str, problems: list[Problem]
) -> tuple[Sequence[ClusteringInstance], str]:
    if not isinstance(against, Path):
        return against, "the held-out set"
    found: list[Problem] = []
    instances = gather(open_labelled(against, found.append).passages)
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        first = f"{errors[0].where}: {errors[0].what}"
        problems.append(Problem("held-out-errors", file, found=first, other=against.name))
    return instances, against.name


def _check_number(n_queries: int, file: str, problems: list[Problem]) -> None:
    if n_queries == 1:
        problems.append(Problem("too-few-queries", file))
    elif 1 < n_queries < _MANY_QUERIES:
        problems.append(Problem("few-queries", file, found=str(n_queries)))


def _usable(
    file: LabelledFile, groups: Iterable[Sequence[Member]], problems: Sequence[Problem]
) -> list[LabelledPassage]:
    """Leave out the places of the errors; a line with an error is left out as a whole."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if not file.sure or any(problem.kind == "doubled-column" for problem in errors):
        return []
    places = {(problem.row, problem.passage) for problem in errors}
    return [
        given
        for members in groups
        for given, _ in members
        if (given.row, given.position) not in places and (given.row, None) not in places
    ]


def _grouped(problems: Iterable[Problem]) -> tuple[ProblemGroup, ...]:
    """Put problems of one kind and column together, errors before warnings."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.kind, problem.column), []).append(problem)
    made = [ProblemGroup(tuple(sorted(group, key=_order))) for group in groups.values()]
    return tuple(
        sorted(made, key=lambda group: (group.severity != "error", _order(group.problems[0])))
    )


def _order(problem: Problem) -> tuple[int, int]:
    return problem.row or 0, problem.passage or 0
