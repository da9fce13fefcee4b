"""What is wrong with a labelled set: one problem, and many of a kind together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from subclust.core.messages import N_, Message
from subclust.labelled.reading.kinds import KINDS, Severity

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
        if self.row is None:
            return Message("file")
        return place(self.row, self.passage, self.in_lines)

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
            return Message(
                "{file} {what}; {advice}.", file=self.file, what=self.what, advice=self.advice
            )
        return Message(
            "{file}, {where}: {what}; {advice}.",
            file=self.file,
            where=self.where,
            what=self.what,
            advice=self.advice,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust check --json`` prints of it."""
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

    def filled(self, words: str, **more: object) -> Message:
        """Fill in words of a kind."""
        field = Message("field") if self.in_lines else Message("column")
        return Message(
            words,
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
            if first.row:
                return Message("{where}: {what}", where=first.where, what=first.what)
            return Message("the file {what}", what=first.what)
        n = Message("{count:,}", count=len(self.problems))
        rows = Message("passages") if first.in_lines else Message("rows")
        words = KINDS[first.kind].many
        many = (
            first.filled(words, n=n, rows=rows)
            if words
            else Message("{n} times: {what}", n=n, what=first.what)
        )
        places = _places(self.problems)
        return Message("{many}: {places}", many=many, places=places) if places else many

    @property
    def advice(self) -> str:
        """What to do."""
        return self.problems[0].advice


def place(row: int, passage: int | None = None, in_lines: bool = False) -> str:
    """Name a place: ``"row 17"``, ``"line 2, passage 3"``."""
    if not in_lines:
        return Message("row {row}", row=row)
    return (
        Message("line {line}", line=row)
        if passage is None
        else Message("line {line}, passage {passage}", line=row, passage=passage)
    )


def _named_places(problems: Iterable[Problem]) -> tuple[list[tuple[int, int | None]], int]:
    """Choose the places that are named where many problems are told of together."""
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
    return Message("“{text}”", text=text)


def _places(problems: Sequence[Problem]) -> str:
    places, n_more = _named_places(problems)
    if not places:
        return ""
    named = [
        Message("{row}", row=row)
        if passage is None
        else Message("{row} (passage {passage})", row=row, passage=passage)
        for row, passage in places
    ]
    if n_more:
        named.append(Message("{count:,} more", count=n_more))
    in_lines = problems[0].in_lines
    if len(named) == 1:
        template = N_("line {places}") if in_lines else N_("row {places}")
        return Message(template, places=named[0])
    these = named[0]
    for one in named[1:-1]:
        these = Message("{these}, {one}", these=these, one=one)
    listed = Message("{these} and {last}", these=these, last=named[-1])
    return Message(N_("lines {places}") if in_lines else N_("rows {places}"), places=listed)
