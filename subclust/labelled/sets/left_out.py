"""Going on without the rows that have errors, where that is sound."""

from collections.abc import Iterable

from subclust.core.exceptions import LabelledSetError
from subclust.core.messages import N_, Message
from subclust.core.records import ClusteringInstance
from subclust.labelled.reading.checker import CheckReport
from subclust.labelled.reading.problems import Problem, place, printable
from subclust.labelled.sets.record import LeftOutRow

_ALONE = "its query has no other passage that can be used, so there is nothing to group"
_FEWEST_QUERIES = 2


def why_not_without(report: CheckReport) -> str | None:
    """Return why the rest of a file cannot be used without the rows that have errors.

    It can where every error is that of a row, the file as a whole is certain to mean what was read,
    and two queries with two passages each are left.

    Returns
    -------
    str or None
        One sentence; None where one may go on without them.
    """
    match hindrance(report):
        case None:
            return None
        case Problem() as problem if problem.row is None:
            return problem.sentence
        case Problem() as first:
            return Message(
                "Nothing of {file} can be used as it is: {where}, {what}; {advice}.",
                file=report.file,
                where=first.where,
                what=first.what,
                advice=first.advice,
            )
        case n_left:
            template = (
                N_(
                    "Without the rows that have errors, {file} has only one question with two "
                    "passages; correct the rows."
                )
                if n_left
                else N_(
                    "Without the rows that have errors, {file} has no question with two passages; "
                    "correct the rows."
                )
            )
            return Message(template, file=report.file)


def hindrance(report: CheckReport) -> Problem | int | None:
    """Return what keeps the rest of a file from being used without the rows that have errors.

    Returns
    -------
    Problem, int or None
        An error of the file as a whole; the first error, where nothing else is left; how many
        queries with two passages are left, where they are too few. None where one may go on.
    """
    of_file = [problem for problem in report.errors if problem.row is None]
    if of_file:
        return of_file[0]
    if not report.instances:
        return report.errors[0]
    n_left = len({instance.query.text for instance in whole_queries(report.instances)})
    return n_left if n_left < _FEWEST_QUERIES else None


def refuse_errors(report: CheckReport) -> None:
    """Refuse a file that has errors.

    Raises
    ------
    LabelledSetError
        With the first of them, and whether the rest can be kept.
    """
    if not report.errors:
        return
    first, n = report.errors[0], len(report.errors)
    count = Message("{n:,} errors, the first", n=n) if n > 1 else Message("an error")
    where = Message("{where}, ", where=first.where) if first.row else Message("it ")
    rest = "" if why_not_without(report) else Message(", or keep the set without such rows")
    raise LabelledSetError(
        "{file} has {count}: {where}{problem}; {advice}{rest}.",
        file=report.file,
        count=count,
        where=where,
        problem=first.what,
        advice=first.advice,
        rest=rest,
    )


def whole_queries(instances: Iterable[ClusteringInstance]) -> list[ClusteringInstance]:
    """Leave out queries of which one passage only is left."""
    return [instance for instance in instances if len(instance.passages) > 1]


def left_out_rows(report: CheckReport) -> list[LeftOutRow]:
    """List what is left out when the rows with errors are, each once with all that is wrong."""
    by_place: dict[tuple[int, int | None], list[Problem]] = {}
    for problem in report.errors:
        assert problem.row is not None
        by_place.setdefault((problem.row, problem.passage), []).append(problem)
    rows = [
        LeftOutRow(
            row=row,
            passage=passage,
            where=problems[0].where,
            query=next((printable(p.query) for p in problems if p.query), None),
            reasons=tuple(dict.fromkeys(problem.what for problem in problems)),
            advice=tuple(dict.fromkeys(problem.advice for problem in problems)),
        )
        for (row, passage), problems in by_place.items()
    ]
    rows += _alone(report)
    return sorted(rows, key=lambda row: (row.row, row.passage or 0))


def _alone(report: CheckReport) -> list[LeftOutRow]:
    """List the passages that are left out since they are the last ones of their queries."""
    rows = []
    for instance, (row, passage) in zip(report.instances, report.places, strict=True):
        if len(instance.passages) == 1:
            rows.append(
                LeftOutRow(
                    row=row,
                    passage=passage,
                    where=place(row, passage, passage is not None),
                    query=printable(instance.query.text),
                    reasons=(_ALONE,),
                    advice=("mend the other rows of the query",),
                )
            )
    return rows
