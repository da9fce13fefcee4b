"""What went wrong, in the visitor's language."""

from subclust.core.exceptions import SubclustError
from subclust.ui.components.command_words import ON_PAGES
from subclust.ui.i18n.language import said


def error_words(error: object) -> str:
    """Say an error in the visitor's language.

    Parameters
    ----------
    error : SubclustError or str
        Or its sentence; one that is not known stays as it is.
    """
    sentence = error.sentence if isinstance(error, SubclustError) else error
    told = sentence if isinstance(sentence, str) else str(sentence)
    return said(told, ON_PAGES)


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
    return error_words(way_out)
