"""What went wrong, in the visitor's language.

Errors are raised, printed and kept by jobs in English; see `subclust.ui.retold`.
"""

from subclust.ui.file_errors import FILE_PARTS, FILES, OTHER_CONTENT, WORKBOOKS
from subclust.ui.job_errors import FAILURES, JOBS, WAYS_OUT
from subclust.ui.library_errors import BACKUPS, IMPORTS, LIBRARIES
from subclust.ui.retold import Retold

ERRORS = Retold(
    (*JOBS, *FAILURES, *IMPORTS, *LIBRARIES, *BACKUPS, *FILES, *WORKBOOKS, *OTHER_CONTENT),
    FILE_PARTS,
)
"""Whatever may be raised on the Library page; what fits more comes later."""

_WAYS_OUT = Retold(WAYS_OUT)


def error_words(error: object) -> str:
    """Say an error in the visitor's language.

    Parameters
    ----------
    error : SubclustError or str
        Or its sentence; one that is not known stays as it is.
    """
    return ERRORS(str(error))


def way_out_words(error: str, way_out: str | None) -> str:
    """Say in the visitor's language what to do about a failure; ``""`` where its reason says it.

    Parameters
    ----------
    error : str
        The reason, as the job keeps it.
    way_out : str or None
        As the job keeps it: the end of the reason, or a sentence of its own.
    """
    if not way_out or error.endswith(way_out[1:]):
        return ""
    return _WAYS_OUT(way_out)
