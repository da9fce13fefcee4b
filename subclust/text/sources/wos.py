"""Web of Science's tagged plain text."""

import re
from typing import Any, ClassVar

from subclust.core.messages import Message
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first

_LINE = re.compile(r"([A-Z][A-Z0-9])(?: (.*)|())$")
_OUTSIDE = re.compile(r"(?:FN|VR|EF)\b")


class WebOfScience(Tagged):
    """Files of "Export, Plain Text File" of Web of Science (and of ISI, Clarivate, Thomson)."""

    label = Message("Web of Science, plain text")
    end_mark: ClassVar[str] = "ER"
    apart: ClassVar[frozenset[str]] = frozenset({"AU", "AF", "BA", "BF", "CA", "CR", "C1"})

    def parse(self, line: str) -> tuple[str, str] | None:
        """Take a line apart; one that goes on is indented."""
        match = _LINE.match(line)
        return (match[1], (match[2] or "").strip()) if match else None

    def begins(self, tag: str, value: str, after_blank: bool) -> bool:
        """Begin with the type of publication."""
        return tag == "PT"

    def passed_over(self, line: str) -> bool:
        """Pass over the lines of the file as a whole."""
        return bool(_OUTSIDE.match(line))

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        keywords = [
            word.strip()
            for one in every(values, "DE", "ID")
            for word in one.split(";")
            if word.strip()
        ]
        return {
            "id": first(values, "UT", "AR", "GA"),
            "title": first(values, "TI"),
            "text": every(values, "AB"),
            "authors": any_of(values, "AF", "AU", "BF", "CA"),
            "year": first(values, "PY"),
            "venue": first(values, "SO", "SE"),
            "doi": first(values, "DI"),
            "keywords": keywords,
            "language": first(values, "LA"),
            "source": "Web of Science",
            "volume": first(values, "VL"),
            "issue": first(values, "IS"),
            "pages": "-".join(filter(None, (first(values, "BP"), first(values, "EP")))),
            "issn": first(values, "SN"),
            "publisher": first(values, "PU"),
        }
