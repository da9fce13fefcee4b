"""What is wrong with a labelled set: one problem, and many of a kind together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from subclust.training.problem_kind import Severity
from subclust.training.problem_kinds import KINDS

_LONGEST_QUOTATION = 40
_PLACES_NAMED = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a labelled set.

    Parameters
    ----------
    kind : str
        Key of `KINDS`.
    file : str
        Name of the file.
    row : int or None
        In a table the row as a spreadsheet counts it, the header being row 1; in JSON Lines the
        line. None for the file as a whole.
    passage : int or None
        Of the line, from 1; None in a table, and for the line as a whole.
    column : str
        Column or field, by our name for it; may be empty.
    found : str
        Short quotation of what was found, fit to be printed; may be empty.
    other : str
        What else the kind speaks of: the place of the first of two, a name that may be meant.
    query : str or None
        Query of the row, where it is known.
    in_lines : bool
        Whether `row` is a line of JSON Lines.
    """

    kind: str
    file: str
    row: int | None = None
    passage: int | None = None
    column: str = ""
    found: str = ""
    other: str = ""
    query: str | None = None
    in_lines: bool = False

    @property
    def severity(self) -> Severity:
        """``"error"`` (cannot be used) or ``"warning"`` (will be used, but look)."""
        return KINDS[self.kind].severity

    @property
    def where(self) -> str:
        """The place: ``"row 17"``, ``"line 2, passage 3"``, or ``"file"``."""
        return place(self.row, self.passage, self.in_lines) if self.row is not None else "file"

    @property
    def what(self) -> str:
        """What is wrong, without place and advice."""
        return self.filled(KINDS[self.kind].one)

    @property
    def advice(self) -> str:
        """What to do."""
        return self.filled(KINDS[self.kind].advice)

    @property
    def sentence(self) -> str:
        """All of it in one sentence: file, place, what is wrong, what to do."""
        if self.row is None:
            return f"{self.file} {self.what}; {self.advice}."
        return f"{self.file}, {self.where}: {self.what}; {self.advice}."

    def to_dict(self) -> dict[str, Any]:
        """Give the object that ``python -m subclust check --json`` prints of it."""
        return {
            "severity": self.severity,
            "kind": self.kind,
            "row": self.row,
            "passage": self.passage,
            "column": self.column or None,
            "query": printable(self.query) if self.query is not None else None,
            "found": self.found or None,
            "sentence": self.sentence,
        }

    def filled(self, words: str, **more: str) -> str:
        """Fill in words of a kind."""
        field = "field" if self.in_lines else "column"
        return words.format(
            column=self.column,
            field=field,
            found=self.found,
            other=self.other,
            **more,
        )


Sink = Callable[[Problem], None]
"""Where a reader puts the problems it meets."""


@dataclass(frozen=True)
class ProblemGroup:
    """All problems of one kind and column.

    Parameters
    ----------
    problems : tuple of Problem
        At least one, in the order of the file.
    """

    problems: tuple[Problem, ...]

    @property
    def severity(self) -> Severity:
        """That of each of them."""
        return self.problems[0].severity

    @property
    def line(self) -> str:
        """What is wrong and where: "312 rows have no label: rows 17, 42, 58 and 309 more"."""
        first = self.problems[0]
        if len(self.problems) == 1:
            return f"{first.where}: {first.what}" if first.row else f"the file {first.what}"
        n, rows = f"{len(self.problems):,}", "passages" if first.in_lines else "rows"
        words = KINDS[first.kind].many
        many = first.filled(words, n=n, rows=rows) if words else f"{n} times: {first.what}"
        places = _places(self.problems)
        return f"{many}: {places}" if places else many

    @property
    def advice(self) -> str:
        """What to do."""
        return self.problems[0].advice


def grouped(problems: Iterable[Problem]) -> tuple[ProblemGroup, ...]:
    """Put problems of one kind and column together, errors before warnings."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.kind, problem.column), []).append(problem)
    made = [ProblemGroup(tuple(sorted(group, key=_order))) for group in groups.values()]
    return tuple(
        sorted(made, key=lambda group: (group.severity != "error", _order(group.problems[0])))
    )


def place(row: int, passage: int | None = None, in_lines: bool = False) -> str:
    """Name a place: ``"row 17"``, ``"line 2, passage 3"``."""
    if not in_lines:
        return f"row {row}"
    return f"line {row}" if passage is None else f"line {row}, passage {passage}"


def named_places(problems: Iterable[Problem]) -> tuple[list[tuple[int, int | None]], int]:
    """Choose the places that are named where many problems are told of together.

    Returns
    -------
    list of (int, int or None)
        Row or line, and passage; all of them where there are few.
    int
        How many more there are.
    """
    places = list(dict.fromkeys((p.row, p.passage) for p in problems if p.row is not None))
    named = places[: _PLACES_NAMED if len(places) > _PLACES_NAMED + 1 else None]
    return named, len(places) - len(named)


def printable(text: str) -> str:
    """Put a replacement character for whatever would not be seen or would disturb a terminal."""
    if text.isprintable():
        return text
    seen = (" " if c.isspace() else c if c.isprintable() else "\ufffd" for c in text)
    return "".join(seen)


def quoted(value: object) -> str:
    """Quote a value in one line of at most 42 characters."""
    text = printable(" ".join(str(value)[: 4 * _LONGEST_QUOTATION].split()))
    if len(text) > _LONGEST_QUOTATION:
        text = text[: _LONGEST_QUOTATION - 1].rstrip() + "…"
    return f"“{text}”"


def _order(problem: Problem) -> tuple[int, int]:
    return problem.row or 0, problem.passage or 0


def _places(problems: Sequence[Problem]) -> str:
    places, n_more = named_places(problems)
    if not places:
        return ""
    named = [
        f"{row}" if passage is None else f"{row} (passage {passage})" for row, passage in places
    ]
    unit = "line" if problems[0].in_lines else "row"
    if n_more:
        named.append(f"{n_more:,} more")
    listed = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    return f"{unit}{'s' if len(named) > 1 else ''} {listed}"
