"""Ovid's own formats: numbered records, with tags or with whole field names."""

import re
from typing import Any, ClassVar

from subclust.text.sources.record import field_of
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first

_NUMBER = re.compile(r"\s*<\s*(\d+)\s*>\s*$")
_TAG = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*)|())$")
_NAME = re.compile(r"([A-Z][A-Za-z/&()\- ]{1,60}?)(?:\.|:)?\s*$")
_OURS = {
    "unique identifier": "UI",
    "accession number": "UI",
    "title": "TI",
    "original title": "OT",
    "abstract": "AB",
    "authors": "AU",
    "author": "AU",
    "author names": "AU",
    "authors full name": "AU",
    "source": "SO",
    "journal name": "JN",
    "year of publication": "YR",
    "publication year": "YR",
    "date of publication": "YR",
    "digital object identifier": "DO",
    "doi": "DO",
    "link to the ovid full text or citation": "LK",
    "url": "UR",
    "mesh subject headings": "SH",
    "subject headings": "SH",
    "emtree heading": "SH",
    "keyword heading": "KW",
    "author keywords": "KW",
    "language": "LG",
    "database": "DB",
}


class Ovid(Tagged):
    """Files of Ovid's "Citation" and "BRS/Tagged" exports, whose records begin with ``<1>``."""

    label = "Ovid"
    apart: ClassVar[frozenset[str]] = frozenset({"AU", "SH", "KW"})

    def parse(self, line: str) -> tuple[str, str] | None:
        """Take a line apart; a field's name stands alone on its line, its value is indented."""
        if match := _NUMBER.match(line):
            return "<>", match[1]
        if match := _TAG.match(line):
            return match[1], (match[2] or "").strip()
        if match := _NAME.match(line):
            name = " ".join(match[1].split()).casefold()
            return _OURS.get(name, field_of(name)), ""
        return None

    def begins(self, tag: str, value: str, after_blank: bool) -> bool:
        """Begin with a number in angle brackets."""
        return tag == "<>"

    def passed_over(self, line: str) -> bool:
        """Pass over the name of the database and the search above the records."""
        return _NUMBER.match(line) is None

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        return {
            "id": first(values, "UI", "AN", "PM"),
            "title": first(values, "TI", "OT"),
            "text": every(values, "AB"),
            "authors": any_of(values, "FA", "AU"),
            "year": first(values, "YR", "PY", "DP", "YE"),
            "venue": first(values, "JN", "JT", "SO"),
            "doi": re.sub(r"^.*?(?=10\.\d{4})", "", first(values, "DO", "DI")),
            "url": first(values, "UR", "LK"),
            "keywords": every(values, "KW", "KF", "SH", "MH"),
            "language": first(values, "LG", "LA"),
            "source": first(values, "DB") or "Ovid",
        }
