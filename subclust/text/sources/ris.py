"""RIS, in the dialects of reference managers and databases."""

import re
from typing import Any, ClassVar

from rispy.config import TAG_KEY_MAPPING

from subclust.text.sources.tagged import Tagged, Values, any_of, every, first

_LINE = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {2}-(?:\s+(.*)|())$")
_LOOSE = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) ?-(?:\s+(.*)|())$")
_BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK", "WHOLE"})


class Ris(Tagged):
    """RIS files of Zotero, EndNote, Mendeley, Citavi, Ovid, Embase, Scopus and others.

    The title is in TI or T1, the abstract in AB or N2, authors in AU or A1, the journal in T2, JF,
    JO or JA, the date in DA, PY or Y1, an id in ID or AN, Embase's in U2. Tags may stand closer to
    their hyphen than they should, and end marks may be missing.
    """

    label = "RIS"
    end_mark: ClassVar[str] = "ER"

    def parse(self, line: str) -> tuple[str, str] | None:
        """Take a line apart; with fewer blanks than RIS wants, only known tags are tags."""
        match = _LINE.match(line)
        if match is None:
            match = _LOOSE.match(line)
            if match is None or match[1] not in TAG_KEY_MAPPING:
                return None
        return match[1], (match[2] or "").strip()

    def begins(self, tag: str, value: str, after_blank: bool) -> bool:
        """Begin with TY."""
        return tag == "TY"

    def passed_over(self, line: str) -> bool:
        """Pass over the headings that some databases write."""
        return bool(re.match(r"\s*(?:Provider|Database|Content|\d+\.)\s*:?", line))

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        whole = first(values, "TY") in _BOOKS
        return {
            "id": first(values, "ID", "AN", "U2"),
            "title": first(values, "TI", "T1", *(["BT"] if whole else []), "CT", "ST"),
            "text": every(values, "AB", "N2"),
            "authors": any_of(values, "AU", "A1", "A2"),
            "year": _date(values),
            "venue": first(values, "T2", "JF", "JO", "JA", "J2", *([] if whole else ["BT"])),
            "doi": first(values, "DO", "DI"),
            "url": first(values, "UR", "LK", "L2"),
            "keywords": every(values, "KW"),
            "language": first(values, "LA"),
            "source": first(values, "DB", "DP"),
            "publisher": first(values, "PB"),
            "volume": first(values, "VL"),
            "issue": first(values, "IS"),
            "pages": "-".join(filter(None, (first(values, "SP"), first(values, "EP")))),
            "issn": first(values, "SN"),
            "section": first(values, "SE"),
            "notes": every(values, "N1"),
        }


def _date(values: Values) -> str:
    """Return the date where it is more exact than the year, and of the same year."""
    year, date = first(values, "PY", "Y1"), first(values, "DA")
    return date if date and (not year or date[:4] == year[:4]) else year
