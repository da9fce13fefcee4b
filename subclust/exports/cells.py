"""Text that a spreadsheet will not take for a formula."""

from subclust.figures.wrapping import printable
from subclust.storage.cells import guarded


def harmless(text: str) -> str:
    """Take out control characters, and write an apostrophe before what could be a formula."""
    return guarded(printable(text))
