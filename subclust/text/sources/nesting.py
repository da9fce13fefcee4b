"""How deep JSON is nested, told from its characters before anything is built of them."""

import re

MOST_DEPTH = 100

_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class Nesting:
    """The depth of a JSON text that comes in pieces."""

    def __init__(self) -> None:
        self.depth = 0
        self._in_string = False
        self._held = ""

    def look(self, piece: str) -> None:
        """Follow the depth through the next piece.

        Raises
        ------
        ValueError
            If it is more than `MOST_DEPTH`.
        """
        text = self._held + piece
        n_backslashes = len(text) - len(text.rstrip("\\"))
        self._held = "\\" * (n_backslashes % 2)  # what it escapes comes with the next piece
        for mark in _MARKS.findall(text.removesuffix(self._held)):
            if mark == '"':
                self._in_string = not self._in_string
            elif self._in_string:
                continue
            elif mark in "[{":
                self.depth += 1
                if self.depth > MOST_DEPTH:
                    raise ValueError(f"nested more than {MOST_DEPTH} levels deep")
            elif mark in "]}":
                self.depth -= 1


def is_nested_deeply(text: str) -> bool:
    """Return whether a JSON text is nested more than `MOST_DEPTH` levels deep."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return False
    try:
        Nesting().look(text)
    except ValueError:
        return True
    return False
