"""Text that a spreadsheet will not take for a formula."""

from subclust.figures.wrapping import printable

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")


def harmless(text: str) -> str:
    """Write an apostrophe before text that a spreadsheet could take for a formula.

    That is text whose first character, blanks aside, begins a formula in some spreadsheet (OWASP:
    CSV injection), also in full width.
    """
    text = printable(text)
    return f"'{text}" if text.startswith(_RISKY) or text.lstrip().startswith(_RISKY) else text
