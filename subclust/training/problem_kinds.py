"""Every kind of problem that a labelled set can have."""

from subclust.training.content_kinds import CONTENT_KINDS, QUERIES_KINDS
from subclust.training.problem_kind import ProblemKind
from subclust.training.reading_kinds import FILE_KINDS, HEADER_KINDS, LINES_KINDS, ROWS_KINDS

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
