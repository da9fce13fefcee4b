"""Text that a spreadsheet will not take for a formula."""

from subclust.core.storage.cells import guarded
from subclust.figures.wrapping import printable


def harmless(text: str) -> str:
    """Take out control characters, and write an apostrophe before what could be a formula."""
    return guarded(printable(text))
