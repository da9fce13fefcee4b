"""What went wrong, in the visitor's language.

Errors are raised, printed and kept by jobs in English; see `subclust.ui.retold`.
"""

from subclust.ui.command_words import ON_PAGES
from subclust.ui.file_errors import FILE_PARTS, FILES, OTHER_CONTENT, WORKBOOKS
from subclust.ui.job_errors import FAILURES, JOBS, WAYS_OUT
from subclust.ui.library_errors import BACKUPS, IMPORTS, LIBRARIES
from subclust.ui.live_errors import ANSWERS, OFF, QUESTIONS, REASONS, SILENCE
from subclust.ui.retold import Retold
from subclust.ui.set_errors import SETS, UPLOADS

ERRORS = Retold(
    (
        *JOBS, *FAILURES, *UPLOADS, *SETS, *IMPORTS, *LIBRARIES, *BACKUPS, *FILES, *WORKBOOKS,
        *OTHER_CONTENT, *ON_PAGES,
    ),
    FILE_PARTS,
)  # fmt: skip
"""Whatever may be raised where documents and labelled sets come in; what fits more comes later."""

LIVE = Retold((*OFF, *QUESTIONS, *ANSWERS, *SILENCE), Retold(REASONS))
"""Whatever may be raised where a service on the network is asked."""

_WAYS_OUT = Retold(WAYS_OUT)


def error_words(error: object) -> str:
    """Say an error in the visitor's language.

    Parameters
    ----------
    error : SubclustError or str
        Or its sentence; one that is not known stays as it is.
    """
    sentence = str(error)
    return LIVE(sentence) if LIVE.knows(sentence) else ERRORS(sentence)


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
