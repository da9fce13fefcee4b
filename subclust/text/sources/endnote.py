"""EndNote's exports: tagged, which Refer and BibIX write too, and XML."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.fields import tagged_fields
from subclust.text.sources.record import document
from subclust.text.sources.tagged import Tagged, Values
from subclust.text.sources.xml_records import XmlRecord, XmlSource, first_text, found, text_of


class Refer(Tagged):
    """Files of "EndNote" export (.enw) and of Refer and BibIX."""

    label = Message("EndNote or Refer")
    line = re.compile(r"\s{0,2}(%[0-9A-Za-z@!?#$&()*+\[\]~<>^])(?:\s+(.*)|())$")
    begin_tag = "%0"
    begin_sign = "%0 "
    begin_line = re.compile(r"^%0 [A-Z]")
    once = frozenset({"%0", "%T", "%D", "%J", "%X"})
    apart = frozenset({"%K"})

    def is_apart(self, tag: str, line: str) -> bool:
        """Return whether a line is another keyword; one that is set in goes on."""
        return tag in self.apart and not line[0].isspace()

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        return {**tagged_fields(values, "refer")}


class EndNoteXml(XmlSource):
    """Files of "Export, XML" of EndNote: ``records`` of ``record``, texts in ``style`` elements."""

    label = "EndNote XML"
    tags = frozenset({"record"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of a record."""
        return document(_xml_fields(record.element), record.place, self.collection)


def _xml_fields(element: Any) -> dict[str, Any]:
    authors = found(element, "contributors", "authors", "author")
    return {
        "number": first_text(element, "accession-num") or first_text(element, "rec-number"),
        "title": first_text(element, "titles", "title"),
        "text": [text_of(one) for one in found(element, "abstract")],
        "authors": [text_of(one) for one in authors],
        "year": first_text(element, "dates", "year"),
        "venue": first_text(element, "titles", "secondary-title")
        or first_text(element, "periodical", "full-title"),
        "doi": first_text(element, "electronic-resource-num"),
        "url": first_text(element, "urls", "related-urls", "url"),
        "keywords": [text_of(one) for one in found(element, "keywords", "keyword")],
        "language": first_text(element, "language"),
        "source": first_text(element, "remote-database-name"),
        "volume": first_text(element, "volume"),
        "issue": first_text(element, "number"),
        "pages": first_text(element, "pages"),
        "isbn": first_text(element, "isbn"),
        "publisher": first_text(element, "publisher"),
    }
