"""Ovid's exports with field names or tags."""

import re
from pathlib import Path
from typing import Any

from subclust.text.sources.citations import published
from subclust.text.sources.fields import BY_NAME, field_of
from subclust.text.sources.kinds import KIND_BY_NAME, kind_of
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first

_NUMBER = re.compile(r"\s*<\s*(\d+)\s*\.?\s*>\s*$")
_NAME = re.compile(r"([A-Z][A-Za-z/&()\- ]{1,60}?)(?:\.|:)?\s*$")
_TAGS = {
    name: tag
    for tag, names in {
        "UI": ["unique identifier", "accession number"],
        "TI": ["title"],
        "OT": ["original title"],
        "AB": ["abstract"],
        "AU": ["authors", "author", "author names", "authors full name", "author(s)"],
        "PT": ["publication type", "document type"],
        "PM": ["pmid", "pubmed id"],
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


_LABEL = re.compile(r"(?<=\S)\s*\.?\s*\[([A-Z][A-Za-z&/,:. -]{2,60})\]\.?\s*$")
# Without the look-behinds, a long run of blanks and commas would take quadratic time.
_MARK = re.compile(
    r"(?<![\s,])(?:[\s,]+(?:\d{1,2}|[*+†‡§¶#]|\([\da-z,* ]{1,8}\)|\[[\da-z,* ]{1,8}\]))+\s*$"
)
_ORCID = re.compile(r"(?:(?<![\s,.;])[\s,.;]+)?\(?ORCID\b:?\s*[^;\s]*\)?", re.IGNORECASE)
_DEGREES = frozenset(
    "MD PhD DPhil MPH MSc BSc BA MA MS BS MBA MBBS MBChB MB BCh ScD DSc EdD PsyD PharmD DrPH DO "
    "DDS DMD DVM RN BSN MSN DNP NP PT DPT OTR FACP FACS FRCP FRCS FRCPC MRCP MEd MPhil MHS MPA "
    "JD LLM Dr Prof MSPH MSCE MHSc FAAN FACC FAHA".split()
)


class Ovid(Tagged):
    """Files of Ovid's "Citation" and "BRS/Tagged" exports, whose records begin with ``<1>``."""

    label = "Ovid"
    line = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?:\s(.*)|())$")
    begin_tag = "<>"
    begin_sign = "<"
    begin_line = re.compile(rf"^{_NUMBER.pattern}")
    apart = frozenset({"AU", "SH", "KW"})
    outside = re.compile(rf"(?!{_NUMBER.pattern})")

    def __init__(self, path: Path, collection: str) -> None:
        super().__init__(path, collection)
        self._is_named = False

    def parse(self, line: str, last: str = "") -> tuple[str, str] | None:
        """Split a line into tag and value; a field's name may stand alone above its value."""
        if match := _NUMBER.match(line):
            return self.begin_tag, match[1]
        if pair := super().parse(line):
            if last == self.begin_tag:
                self._is_named = False
            return pair
        if match := _NAME.match(line):
            name = " ".join(match[1].split()).casefold()
            if last == self.begin_tag:
                self._is_named = True
            if self._is_named or name in _TAGS:
                return _TAGS.get(name, field_of(name)), ""
        return None

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        values = {tag: [one for one in held if one.strip()] for tag, held in values.items()}
        title, kinds = _titled(first(values, "TI", "OT"))
        source = published(first(values, "SO")[:1000])
        return {
            "number": first(values, "UI", "AN").rstrip("."),
            "pmid": first(values, "PM"),
            "title": title,
            "text": every(values, "AB"),
            "type": [*every(values, "PT"), *kinds],
            "authors": [name for one in any_of(values, "FA", "AU") for name in _people(one)],
            "year": first(values, "YR") or source.get("year") or first(values, "PY", "DP", "YE"),
            "venue": first(values, "JN", "JT") or source["venue"],
            "volume": first(values, "VI", "VO", "VL") or source.get("volume"),
            "issue": first(values, "IP") or source.get("issue"),
            "pages": first(values, "PG") or source.get("pages"),
            "doi": re.sub(r"^.*?(?=10\.\d{4})", "", first(values, "DO", "DI")),
            "url": first(values, "UR", "LK"),
            "keywords": [
                word.rstrip(".")
                for one in every(values, "KW", "KF", "SH", "MH")
                for word in re.split(r"\s*;\s*", one)
            ],
            "language": first(values, "LG", "LA").rstrip("."),
            "source": first(values, "DB") or "Ovid",
            **{
                name: [one.rstrip(".") for one in held]
                for name, held in values.items()
                if name in BY_NAME
            },
        }


def _titled(given: str) -> tuple[str, list[str]]:
    """Return a title without what Ovid writes behind it, and the kind of document that says."""
    title, kinds = given, []
    while found := _LABEL.search(title):
        title = title[: found.start()]
        kinds += [found[1]] if kind_of(found[1]) in KIND_BY_NAME else []
    return title.rstrip().removesuffix("."), kinds


def _people(given: str) -> list[str]:
    """Divide names, and take away the numbers of their institutions, degrees and ORCIDs."""
    people: list[str] = []
    for one in _ORCID.sub("", given).split(";"):
        name = _MARK.sub("", one).strip(" ,")
        words = name.replace(",", " , ").split()
        while len(words) > 3 and (words[-1].replace(".", "") in _DEGREES or words[-1] == ","):
            words.pop()
        name = " ".join(words).replace(" ,", ",")
        if name and not (people and name.replace(".", "") in _DEGREES):
            people.append(name if re.search(r"\b[A-Z]\.$", name) else name.rstrip("."))
    return people
