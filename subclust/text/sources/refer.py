"""EndNote's and Refer's format, in which each field begins with a per cent sign."""

import re
from pathlib import Path
from typing import Any, ClassVar

from subclust.core.messages import Message
from subclust.text.sources.tagged import Tagged, Values, every, first

_LINE = re.compile(r"\s{0,2}(%[0-9A-Za-z@!?#$&()*+\[\]~<>^])(?:\s+(.*)|())$")


class Refer(Tagged):
    """Files of "EndNote" export (.enw) and of Refer and BibIX."""

    label = Message("EndNote or Refer")
    apart: ClassVar[frozenset[str]] = frozenset({"%K"})

    def __init__(self, path: Path, collection: str) -> None:
        super().__init__(path, collection)
        self._typed = False

    def parse(self, line: str) -> tuple[str, str] | None:
        """Take a line apart."""
        match = _LINE.match(line)
        return (match[1], (match[2] or "").strip()) if match else None

    def begins(self, tag: str, value: str, after_blank: bool) -> bool:
        """Begin with the type; records without one are divided by empty lines."""
        self._typed = self._typed or tag == "%0"
        return tag == "%0" or after_blank and not self._typed

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        return {
            "id": first(values, "%M", "%F"),
            "title": first(values, "%T"),
            "text": every(values, "%X"),
            "authors": every(values, "%A"),
            "year": first(values, "%D", "%8"),
            "venue": first(values, "%J", "%B"),
            "doi": first(values, "%R"),
            "url": first(values, "%U"),
            "keywords": every(values, "%K"),
            "language": first(values, "%G"),
            "source": first(values, "%W", "%~"),
            "volume": first(values, "%V"),
            "issue": first(values, "%N"),
            "pages": first(values, "%P"),
            "publisher": first(values, "%I"),
            "notes": every(values, "%Z"),
        }
