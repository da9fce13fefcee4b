"""PubMed's "Summary (text)": a numbered list of citations, one below the other."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.citations import published
from subclust.text.sources.tagged import Tagged, Values, first

_NAME = r"[^\W\d_][\w'’ -]* [A-Z]{1,4}(?: (?:Jr|Sr|\d(?:nd|rd|th)))?"
_AUTHORS = re.compile(rf"((?:{_NAME}|et al)(?:[,;] [^,;.]+)*)\.\s+")
_PLACE = re.compile(
    r"(?P<title>.*\S?[.?!\]])\s+(?P<place>[^\s.?!][^.?!]*?\.\s+(?:1[89]|20)\d\d\b(?:[^.]|\.(?=\d))*)"
)
_NUMBERS = {
    "doi": re.compile(r"\bdoi: (10\.\d{4,9}/\S+?)\.?(?=\s|$)"),
    "pmid": re.compile(r"\bPMID: (\d+)"),
    "pmcid": re.compile(r"\bPMCID: (PMC\d+)"),
}


class PubMedSummary(Tagged):
    """Files of "Save, Format: Summary (text)" of PubMed; no abstracts are in them."""

    label = Message("PubMed's summaries")
    line = re.compile(r"\s{0,3}(\d{1,6}): (.+)")
    begin_tag = "#"
    begin_sign = "PMID: "
    begin_line = re.compile(r"PMID: \d+")

    def parse(self, line: str, last: str = "") -> tuple[str, str] | None:
        """Split a line into tag and value; a number that follows the one before is a record's."""
        pair = super().parse(line)
        if pair is None or last and int(pair[0]) != self._number + 1:
            return None
        self._number = int(pair[0])
        return self.begin_tag, pair[1]

    _number = 0

    def fields(self, values: Values) -> dict[str, Any]:
        """Take a citation apart: authors, title, journal, and the numbers behind them."""
        citation = " ".join(first(values, self.begin_tag).split())
        fields: dict[str, Any] = {
            name: found[1]
            for name, pattern in _NUMBERS.items()
            if (found := pattern.search(citation))
        }
        fields["source"] = "PubMed"
        if "pmid" in fields:
            fields["url"] = f"https://pubmed.ncbi.nlm.nih.gov/{fields['pmid']}/"
        told = re.split(r"\s(?:doi|PMID|PMCID): ", citation)[0]
        if authors := _AUTHORS.match(told):
            fields["authors"] = re.split(r"[,;] ", authors[1])
            told = told[authors.end() :]
        place = _PLACE.match(told)
        fields["title"] = place["title"] if place else told
        return {**fields, **(published(place["place"]) if place else {})}
