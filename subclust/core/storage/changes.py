"""Whether this process may change what the data folder holds: an app served read-only may not.

Whatever a store writes passes `check_may_change`. Caches, which hold nothing that could not be
computed again, do not count.
"""

from subclust.core.exceptions import ReadOnlyError

_forbidden = False


def forbid_changes() -> None:
    """Have every change refused from now on, for as long as this process lives."""
    global _forbidden
    _forbidden = True


def may_change() -> bool:
    """Return whether changes are taken."""
    return not _forbidden


def check_may_change() -> None:
    """Refuse a change where none may be made.

    Raises
    ------
    ReadOnlyError
    """
    if _forbidden:
        raise ReadOnlyError(
            "Nothing can be changed here, since this server only shows what there is; ask whoever "
            "runs it."
        )
