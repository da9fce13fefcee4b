"""Every kind of problem that a labelled set can have."""

from subclust.labelled.reading.content_kinds import CONTENT_KINDS, QUERIES_KINDS
from subclust.labelled.reading.problem_kind import ProblemKind
from subclust.labelled.reading.reading_kinds import (
    FILE_KINDS,
    HEADER_KINDS,
    LINES_KINDS,
    ROWS_KINDS,
)

KINDS: dict[str, ProblemKind] = {
    kind.name: kind
    for kind in (
        *FILE_KINDS,
        *HEADER_KINDS,
        *ROWS_KINDS,
        *LINES_KINDS,
        *CONTENT_KINDS,
        *QUERIES_KINDS,
    )
}
"""By their names, which are unique."""
