"""RIS, and the tagged formats of Web of Science and RefWorks."""

import re
from pathlib import Path
from typing import Any

from rispy.config import TAG_KEY_MAPPING

from subclust.core.messages import Message
from subclust.text.sources.fields import tagged_fields
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first, joined

_LOOSE_RIS = re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9])[ \t]{0,3}[-–](?:[ \t]*(.*)|())$")
_BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK", "WHOLE"})
_TEXTS = frozenset({"AB", "N2"})


class Ris(Tagged):
    """RIS files of Zotero, EndNote, Mendeley, Citavi, Ovid, Embase, Scopus and others.

    Tags may stand closer to their hyphen than they should or be in lower case, and end marks may
    be missing. Where a record's first line is as it should be, looser ones in its abstract are
    text.
    """

    label = "RIS"
    line = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {2}-(?:\s+(.*)|())$")
    begin_tag = "TY"
    begin_sign = "TY"
    begin_line = re.compile(r"(?:^\s*TY {1,2}-|TY  -) {1,2}[A-Z]{3,}\b")
    end_mark = "ER"
    once = frozenset({"TY", "TI", "T1", "PY", "Y1", "JO", "JF", "T2", "VL", "AB"})
    apart = frozenset({"KW"})
    is_continued_by_indent = True
    outside = re.compile(
        r"\s*(?:(?:Provider|Database|Content|Link to the Ovid Full Text or citation)\b|\d+\.\s*$)"
    )

    def __init__(self, path: Path, collection: str) -> None:
        super().__init__(path, collection)
        self._is_strict = self._is_lower = False

    def parse(self, line: str, last: str = "") -> tuple[str, str] | None:
        """Split a line into tag and value; with fewer blanks than in RIS, only known tags count."""
        if pair := super().parse(line):
            self._is_strict = self._is_strict or pair[0] == self.begin_tag
            return pair
        match = _LOOSE_RIS.match(line)
        if match is None or (tag := match[1].upper()) not in TAG_KEY_MAPPING:
            return None
        value = (match[2] or "").strip()
        if value and self._is_strict and last in _TEXTS and tag != self.begin_tag:
            return None
        if not match[1].isupper():
            self._is_lower = self._is_lower or tag == self.begin_tag
            if not self._is_lower:
                return None
        if value and line[match.end(1)] in "-–" and line[match.end(1) + 1] not in " \t":
            return None  # a word with a hyphen
        return tag, value

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        fields: dict[str, Any] = {**tagged_fields(values, "ris")}
        if "title" not in fields:
            fields["title"] = every(
                values, *(["BT"] if first(values, "TY") in _BOOKS else []), "ST"
            )
        if fields.get("venue") == fields["title"][:1]:  # a book's title, told twice
            del fields["venue"]
        fields["pages"] = _pages(values, "SP", "EP")
        return fields


def _pages(values: Values, begin: str, end: str) -> str:
    """Return a range of pages, also where the first field has all of it."""
    from_, to = first(values, begin), first(values, end)
    if (from_, to.casefold()) == ("No", "specified"):
        return ""
    return from_ if re.search(r"\d\s*[-–]+\s*\w*\d", from_) else joined(values, begin, end)


class WebOfScience(Tagged):
    """Files of "Export, Plain Text File" of Web of Science (and of ISI, Clarivate, Thomson)."""

    label = Message("Web of Science, plain text")
    line = re.compile(r"([A-Z][A-Z0-9])(?: (.*)|())$")
    begin_tag = "PT"
    begin_sign = "PT "
    begin_line = re.compile(r"^PT [A-Z]$")
    end_mark = "ER"
    once = frozenset({"PT", "TI", "SO", "UT", "PY"})
    apart = frozenset({"AU", "AF", "BA", "BF", "CA", "CR", "C1"})
    outside = re.compile(r"(?:FN|VR|EF)\b")

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        fields: dict[str, Any] = {**tagged_fields(values, "wos"), "source": "Web of Science"}
        keywords = [word.strip() for one in fields.get("keywords", []) for word in one.split(";")]
        fields["keywords"] = list(filter(None, keywords))
        fields["pages"] = _pages(values, "BP", "EP")
        if "authors" not in fields:
            fields["authors"] = any_of(values, "BF", "BA")
        return fields


_REFWORKS = {
    "title": "T1", "text": "AB", "authors": "A1", "editors": "A2", "venue": "JF JO T2",
    "year": "YR FD",
    "volume": "VO", "issue": "IS", "issn": "SN", "publisher": "PB", "place": "PP", "edition": "ED",
    "series": "T3", "doi": "DO", "url": "UL LK", "keywords": "K1", "language": "LA OL",
    "source": "DS DB", "notes": "NO", "number": "ID AN", "type": "RT",
}  # fmt: skip
_OTHERS_OF_REFWORKS = (
    "SR A3 A4 A5 A6 AD AV CA CL CN CR DI ER GN LL MD PMID PM RD RP SL ST TA U1 U2 U3 U4 U5 U6 U7 "
    "U8 U9 U10 U11 U12 U13 U14 U15 USER WP WT WV OP SP T4 T5 TF OT CK FL RW WR"
)


class RefWorks(Tagged):
    """Files of "RefWorks Tagged Format": a tag of two letters, a blank, a value."""

    label = Message("RefWorks, tagged")
    line = re.compile(
        rf"({'|'.join(' '.join((*_REFWORKS.values(), _OTHERS_OF_REFWORKS)).split())})(?: +(.*)|())$"
    )
    begin_tag = "RT"
    begin_sign = "RT "
    begin_line = re.compile(r"^RT [A-Z][a-z]")
    once = frozenset({"RT", "SR", "ID", "T1", "JF", "YR"})
    apart = frozenset({"K1", "A1"})
    is_continued_by_indent = True

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        fields: dict[str, Any] = {
            name: every(values, *tags.split()) for name, tags in _REFWORKS.items()
        }
        fields["authors"] = [re.sub(r",(?=\S)", ", ", one) for one in fields["authors"]]
        fields["keywords"] = [
            word for one in fields["keywords"] for word in re.split(r"\s*;\s*", one) if word
        ]
        return {**fields, "pages": _pages(values, "SP", "OP")}
