"""Lists in pages."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from fastapi import Depends, Query

from subclust.core.exceptions import InputError

_T = TypeVar("_T")


class Paging:
    """Which part of a list is asked for.

    Parameters
    ----------
    cursor : str
        `next` of the page before; empty for the first one.
    """

    def __init__(
        self,
        limit: Annotated[int, Query(ge=1, le=500, description="At most so many.")] = 100,
        cursor: Annotated[str, Query(description="`next` of the page before.")] = "",
    ) -> None:
        if cursor and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
            raise InputError("cursor must be the 'next' of a page, or left out.")
        self.limit = limit
        self.offset = int(cursor or 0)

    def cut(self, items: Sequence[_T]) -> tuple[list[_T], str | None]:
        """Return the part that is asked for, and the cursor of the next one."""
        end = self.offset + self.limit
        return list(items[self.offset : end]), self.after(len(items))

    def after(self, n_items: int) -> str | None:
        """Return the cursor of the next page of a list of so many."""
        end = self.offset + self.limit
        return str(end) if end < n_items else None


Paged = Annotated[Paging, Depends()]
"""Parameters of an address that lists something."""
