"""One kind of problem that a labelled set can have, and the words for it.

A kind's texts are filled in with ``{column}``, ``{field}`` ("column" in a table, "field" in JSON
Lines), ``{found}`` (a short quotation) and ``{other}`` (whatever else the kind speaks of); `many`
also with ``{n}`` and ``{rows}`` ("312 rows", "312 passages").
"""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class ProblemKind:
    """One kind of problem.

    Parameters
    ----------
    name : str
        For programs.
    severity : {"error", "warning"}
        ``"error"``: the rows cannot be used. ``"warning"``: they will be used, but look.
    one : str
        What is wrong; goes on after "row 17: ", or after the file's name.
    advice : str
        What to do.
    many : str
        The same of many rows; empty for what can be there only once.
    unreadable : bool
        Whether no passage can be made of the place at all, so that `read_instances` stops there.
    """

    name: str
    severity: Severity
    one: str
    advice: str
    many: str = ""
    unreadable: bool = False


def unreadable(name: str, one: str, advice: str, many: str = "") -> ProblemKind:
    """Make a kind of error for which no passage can be made of the place."""
    return ProblemKind(name, "error", one, advice, many, unreadable=True)


def error(name: str, one: str, advice: str, many: str = "") -> ProblemKind:
    """Make a kind of error in what can be read but not be used."""
    return ProblemKind(name, "error", one, advice, many)


def warning(name: str, one: str, advice: str, many: str = "") -> ProblemKind:
    """Make a kind of warning."""
    return ProblemKind(name, "warning", one, advice, many)
