"""RIS, and the tagged formats of Web of Science and Ovid."""

import re
from typing import Any

from rispy.config import TAG_KEY_MAPPING

from subclust.core.messages import Message
from subclust.text.sources.record import field_of
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first, joined

_LOOSE_RIS = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) ?-(?:\s+(.*)|())$")
_BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK", "WHOLE"})


class Ris(Tagged):
    """RIS files of Zotero, EndNote, Mendeley, Citavi, Ovid, Embase, Scopus and others.

    Tags may stand closer to their hyphen than they should, and end marks may be missing.
    """

    label = "RIS"
    line = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {2}-(?:\s+(.*)|())$")
    begin_tag = "TY"
    end_mark = "ER"
    outside = re.compile(r"\s*(?:Provider|Database|Content|\d+\.)\s*:?")

    def parse(self, line: str) -> tuple[str, str] | None:
        """Split a line into tag and value; with fewer blanks than in RIS, only known tags count."""
        if pair := super().parse(line):
            return pair
        match = _LOOSE_RIS.match(line)
        if match is None or match[1] not in TAG_KEY_MAPPING:
            return None
        return match[1], (match[2] or "").strip()

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        whole = first(values, "TY") in _BOOKS
        year, date = first(values, "PY", "Y1"), first(values, "DA")
        # The date counts where it is more exact than the year, and of the same year.
        exact = date and (not year or date[:4] == year[:4])
        return {
            "id": first(values, "ID", "AN", "U2"),
            "title": first(values, "TI", "T1", *(["BT"] if whole else []), "CT", "ST"),
            "text": every(values, "AB", "N2"),
            "authors": any_of(values, "AU", "A1", "A2"),
            "year": date if exact else year,
            "venue": first(values, "T2", "JF", "JO", "JA", "J2", *([] if whole else ["BT"])),
            "doi": first(values, "DO", "DI"),
            "url": first(values, "UR", "LK", "L2"),
            "keywords": every(values, "KW"),
            "language": first(values, "LA"),
            "source": first(values, "DB", "DP"),
            "publisher": first(values, "PB"),
            "volume": first(values, "VL"),
            "issue": first(values, "IS"),
            "pages": joined(values, "SP", "EP"),
            "issn": first(values, "SN"),
            "section": first(values, "SE"),
            "notes": every(values, "N1"),
        }


class WebOfScience(Tagged):
    """Files of "Export, Plain Text File" of Web of Science (and of ISI, Clarivate, Thomson)."""

    label = Message("Web of Science, plain text")
    line = re.compile(r"([A-Z][A-Z0-9])(?: (.*)|())$")
    begin_tag = "PT"
    end_mark = "ER"
    apart = frozenset({"AU", "AF", "BA", "BF", "CA", "CR", "C1"})
    outside = re.compile(r"(?:FN|VR|EF)\b")

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        keywords = [word.strip() for one in every(values, "DE", "ID") for word in one.split(";")]
        return {
            "id": first(values, "UT", "AR", "GA"),
            "title": first(values, "TI"),
            "text": every(values, "AB"),
            "authors": any_of(values, "AF", "AU", "BF", "CA"),
            "year": first(values, "PY"),
            "venue": first(values, "SO", "SE"),
            "doi": first(values, "DI"),
            "keywords": list(filter(None, keywords)),
            "language": first(values, "LA"),
            "source": "Web of Science",
            "volume": first(values, "VL"),
            "issue": first(values, "IS"),
            "pages": joined(values, "BP", "EP"),
            "issn": first(values, "SN"),
            "publisher": first(values, "PU"),
        }


_OVID_NUMBER = re.compile(r"\s*<\s*(\d+)\s*>\s*$")
_OVID_NAME = re.compile(r"([A-Z][A-Za-z/&()\- ]{1,60}?)(?:\.|:)?\s*$")
_OVID_TAGS = {
    name: tag
    for tag, names in {
        "UI": ["unique identifier", "accession number"],
        "TI": ["title"],
        "OT": ["original title"],
        "AB": ["abstract"],
        "AU": ["authors", "author", "author names", "authors full name"],
        "SO": ["source"],
        "JN": ["journal name"],
        "YR": ["year of publication", "publication year", "date of publication"],
        "DO": ["digital object identifier", "doi"],
        "LK": ["link to the ovid full text or citation"],
        "UR": ["url"],
        "SH": ["mesh subject headings", "subject headings", "emtree heading"],
        "KW": ["keyword heading", "author keywords"],
        "LG": ["language"],
        "DB": ["database"],
    }.items()
    for name in names
}


class Ovid(Tagged):
    """Files of Ovid's "Citation" and "BRS/Tagged" exports, whose records begin with ``<1>``."""

    label = "Ovid"
    line = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*)|())$")
    begin_tag = "<>"
    apart = frozenset({"AU", "SH", "KW"})
    outside = re.compile(rf"(?!{_OVID_NUMBER.pattern})")

    def parse(self, line: str) -> tuple[str, str] | None:
        """Split a line into tag and value; a field's name may stand alone above its value."""
        if match := _OVID_NUMBER.match(line):
            return self.begin_tag, match[1]
        if pair := super().parse(line):
            return pair
        if match := _OVID_NAME.match(line):
            name = " ".join(match[1].split()).casefold()
            return _OVID_TAGS.get(name, field_of(name)), ""
        return None

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
