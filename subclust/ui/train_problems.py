"""What is wrong with a labelled set, in the visitor's language.

A kind's words are translated as they stand in `subclust.training.problem_kinds`, and filled in here
as `Problem` and `ProblemGroup` fill in the English ones.
"""

from collections.abc import Sequence

from subclust.training.check_report import CheckReport
from subclust.training.problem_kinds import KINDS
from subclust.training.problems import Problem, ProblemGroup, named_places
from subclust.training.sets import hindrance
from subclust.ui.file_errors import CONTENTS
from subclust.ui.language import N_, _, number
from subclust.ui.retold import Retold

_PLACES = Retold(
    (N_("line {line}, passage {passage}"), N_("line {line}"), N_("row {row}"), N_("file"))
)
_SEPARATORS = Retold((N_("commas"), N_("semicolons"), N_("tabs"), N_("bars")))
_CELLS = Retold(
    (N_("{cells} cells, but the header has {header}"), N_("{cells} cells"), N_("1 cell"))
)
_NO_NAMES = Retold((N_("nothing"),))
_NESTED = Retold((N_("something nested deeply"),))

_FOUND: dict[str, Retold] = {
    "other-encoding": Retold((N_("every other byte is 0"), N_("line {line}: {around}"))),
    "other-separator": _SEPARATORS,
    "short-row": _CELLS,
    "damaged-workbook": Retold((N_("from row {row} on, {error}"),)),
    **dict.fromkeys(("missing-column", "near-column", "no-such-column"), _NO_NAMES),
    **dict.fromkeys(("no-object", "wrong-type", "odd-field"), _NESTED),
}
_OTHER: dict[str, Retold] = {
    "other-content": Retold(
        (
            *CONTENTS,
            N_("an Excel workbook or another ZIP file"),
            N_("an old Excel workbook (.xls)"),
            N_("a gzip file"),
            N_("only in part {encoding}"),
        )
    ),
    "other-encoding": Retold(
        (N_("UTF-16 without its mark"), N_("Latin-1 or another old encoding"))
    ),
    "json-not-lines": Retold((N_("list"), N_("object"))),
    "other-separator": _SEPARATORS,
    "extra-cells": _CELLS,
    "not-json": Retold(
        (
            N_("{reason} at character {place}"),
            N_("nested too deeply"),
            N_("a number too long"),
        )
    ),
    "held-out-passage": Retold((N_("{file}, query {query}"),)),
    **dict.fromkeys(
        ("same-id", "same-passage", "two-labels", "other-description", "repeated-query"), _PLACES
    ),
}
"""Of the kinds in which it is words of ours, how to tell what was found, and what else there is."""


def where_words(problem: Problem) -> str:
    """Say where a problem is: "row 17", "line 2, passage 3", or "file"."""
    return _PLACES(problem.where)


def what_words(problem: Problem) -> str:
    """Say what is wrong, without place and advice."""
    return _filled(problem, KINDS[problem.kind].one)


def advice_words(problem: Problem) -> str:
    """Say what to do."""
    return _filled(problem, KINDS[problem.kind].advice)


def sentence_words(problem: Problem) -> str:
    """Say all of it in one sentence: file, place, what is wrong, what to do."""
    what, advice = what_words(problem), advice_words(problem)
    if problem.row is None:
        return f"{problem.file} {what}; {advice}."
    return f"{problem.file}, {where_words(problem)}: {what}; {advice}."


def line_words(group: ProblemGroup) -> str:
    """Say what is wrong and where: "312 rows have no label: rows 17, 42, 58 and 309 more"."""
    first = group.problems[0]
    if len(group.problems) == 1:
        if first.row:
            return f"{where_words(first)}: {what_words(first)}"
        return _("the file {what}").format(what=what_words(first))
    words, n = KINDS[first.kind].many, number(len(group.problems))
    rows = _("passages") if first.in_lines else _("rows")
    many = (
        _filled(first, words, n=n, rows=rows)
        if words
        else _("{n} times: {what}").format(n=n, what=what_words(first))
    )
    places = _places_words(group.problems)
    return f"{many}: {places}" if places else many


def why_not_words(report: CheckReport) -> str:
    """Say why the rest of a file cannot be used without the rows that have errors; else ``""``."""
    match hindrance(report):
        case None:
            return ""
        case Problem() as problem if problem.row is None:
            return sentence_words(problem)
        case Problem() as first:
            return _("Nothing of {file} can be used as it is: {where}, {what}; {advice}.").format(
                file=report.file,
                where=where_words(first),
                what=what_words(first),
                advice=advice_words(first),
            )
        case 0:
            told = _(
                "Without the rows that have errors {file} has no query with two passages; mend the "
                "rows."
            )
        case _:
            told = _(
                "Without the rows that have errors {file} has one query only with two passages; "
                "mend the rows."
            )
    return told.format(file=report.file)


def _filled(problem: Problem, words: str, **more: str) -> str:
    found, other = problem.found, problem.other
    if problem.kind == "long-text":
        found, other = (number(int(count.replace(",", ""))) for count in (found, other))
    return _(words).format(
        column=problem.column,
        field=_("field") if problem.in_lines else _("column"),
        found=_quotation(_FOUND[problem.kind](found) if problem.kind in _FOUND else found),
        other=_quotation(_OTHER[problem.kind](other) if problem.kind in _OTHER else other),
        **more,
    )


def _quotation(text: str) -> str:
    """Give a quotation the marks of the visitor's language."""
    inner = text[1:-1]
    if text[:1] + text[-1:] != "“”" or "“" in inner:
        return text
    return _("“{text}”").format(text=inner)


def _places_words(problems: Sequence[Problem]) -> str:
    places, n_more = named_places(problems)
    named = [
        str(row)
        if passage is None
        else _("{row} (passage {passage})").format(row=row, passage=passage)
        for row, passage in places
    ]
    if not named:
        return ""
    if n_more:
        named.append(_("{count} more").format(count=number(n_more)))
    if len(named) == 1:
        told = _("line {places}") if problems[0].in_lines else _("row {places}")
        return told.format(places=named[0])
    listed = _("{these} and {last}").format(these=", ".join(named[:-1]), last=named[-1])
    told = _("lines {places}") if problems[0].in_lines else _("rows {places}")
    return told.format(places=listed)
