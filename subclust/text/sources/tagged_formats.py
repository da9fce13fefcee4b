"""RIS, and the tagged formats of Web of Science and Ovid."""

import re
from typing import Any

from rispy.config import TAG_KEY_MAPPING

from subclust.core.messages import Message
from subclust.text.sources.fields import field_of, tagged_fields
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
        fields: dict[str, Any] = {**tagged_fields(values, "ris")}
        if "title" not in fields:
            fields["title"] = every(
                values, *(["BT"] if first(values, "TY") in _BOOKS else []), "ST"
            )
        if fields.get("venue") == fields["title"][:1]:  # a book's title, told twice
            del fields["venue"]
        fields["pages"] = joined(values, "SP", "EP")
        return fields


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
        fields: dict[str, Any] = {**tagged_fields(values, "wos"), "source": "Web of Science"}
        keywords = [word.strip() for one in fields.get("keywords", []) for word in one.split(";")]
        fields["keywords"] = list(filter(None, keywords))
        fields["pages"] = joined(values, "BP", "EP")
        if "authors" not in fields:
            fields["authors"] = any_of(values, "BF", "BA")
        return fields


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
            "number": first(values, "UI", "AN"),
            "pmid": first(values, "PM"),
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
