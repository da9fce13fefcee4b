"""Text in the cells of tables that a spreadsheet may open."""

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")


def guarded(text: str) -> str:
    """Write an apostrophe before text that a spreadsheet could take for a formula.

    That is text whose first character, blanks aside, begins a formula in some spreadsheet (OWASP:
    CSV injection), also in full width.
    """
    return f"'{text}" if _is_risky(text) else text


def unguarded(text: str) -> str:
    """Take off the apostrophe that `guarded` wrote."""
    return text[1:] if text[:1] == "'" and _is_risky(text[1:]) else text


def _is_risky(text: str) -> bool:
    text = text.lstrip("'")  # so that an apostrophe of the text itself comes back
    return text.startswith(_RISKY) or text.lstrip().startswith(_RISKY)
