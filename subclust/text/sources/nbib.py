"""PubMed's tagged format (MEDLINE, .nbib)."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.tagged import Tagged, Values, any_of, every, first

_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: (.*)|())$")
_DOI = re.compile(r"(10\.\d{4,9}/\S+)\s*\[doi\]")


class Nbib(Tagged):
    """Citations as PubMed's "Save, Format: PubMed" and "Send to: Citation manager" give them."""

    label = Message("PubMed's tagged format")

    def parse(self, line: str) -> tuple[str, str] | None:
        """Take a line apart; one that goes on is indented."""
        match = _LINE.match(line)
        return (match[1], (match[2] or "").strip()) if match else None

    def begins(self, tag: str, value: str, after_blank: bool) -> bool:
        """Begin with PMID, which no citation has twice."""
        return tag == "PMID"

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a citation's fields by our names."""
        pmid = first(values, "PMID")
        dois = [
            match[1] for one in every(values, "LID", "AID", "SO") if (match := _DOI.search(one))
        ]
        return {
            "id": pmid,
            "title": first(values, "TI", "TT", "BTI"),
            "text": every(values, "AB") or every(values, "OAB"),
            "authors": any_of(values, "FAU", "AU", "CN"),
            "year": first(values, "DP", "EDAT"),
            "venue": first(values, "JT", "TA"),
            "doi": dois[:1],
            "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() else "",
            "keywords": [
                *every(values, "OT"),
                *(one.replace("*", "") for one in every(values, "MH")),
            ],
            "language": first(values, "LA"),
            "source": "PubMed",
            "volume": first(values, "VI"),
            "issue": first(values, "IP"),
            "pages": first(values, "PG"),
        }
