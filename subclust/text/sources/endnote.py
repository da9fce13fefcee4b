"""EndNote's exports: tagged, which Refer and BibIX write too, and XML."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.fields import FIELDS, tagged_fields
from subclust.text.sources.record import document
from subclust.text.sources.tagged import Tagged, Values
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    children,
    first_text,
    found,
    text_of,
)


class Refer(Tagged):
    """Files of "EndNote" export (.enw) and of Refer and BibIX."""

    label = Message("EndNote or Refer")
    line = re.compile(r"\s{0,2}(%[0-9A-Za-z@!?#$&()*+\[\]~<>^])(?:\s+(.*)|())$")
    begin_tag = "%0"
    begin_sign = "%0 "
    begin_line = re.compile(r"^%0 [A-Z]")
    once = frozenset({"%0", "%T", "%D", "%J", "%X"})
    apart = frozenset({"%K"})
    is_continued_by_indent = True

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""
        return {**tagged_fields(values, "refer")}


_LISTS = frozenset({"keywords/keyword", "isbn", "urls/related-urls/url"})


class EndNoteXml(XmlSource):
    """Files of "Export, XML" of EndNote: ``records`` of ``record``, texts in ``style`` elements."""

    label = "EndNote XML"
    tags = frozenset({"record"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of a record."""
        return document(_xml_fields(record.element), record.place, self.collection)


_PATHS = sorted(
    {(path, tuple(path.split("/"))) for field in FIELDS for path in field.endnote if path}
)
_PEOPLE = ("authors", "editors", "other contributors")


def _xml_fields(element: Any) -> dict[str, Any]:
    """Return a record's fields by our names."""
    values = {
        path: [text for one in found(element, *names) for text in _lines(one, path)]
        for path, names in _PATHS
    }
    kinds = [one.get("name") or text_of(one) for one in children(element, "ref-type")]
    values["ref-type"] = kinds[:1]
    fields: dict[str, Any] = {**tagged_fields(values, "endnote")}
    fields["number"] = first_text(element, "accession-num") or first_text(element, "rec-number")
    others = ("tertiary-authors", "subsidiary-authors", "translated-authors")
    fields["other contributors"] = [
        text_of(one) for name in others for one in found(element, "contributors", name, "author")
    ]
    for name in _PEOPLE:  # EndNote writes bodies with a comma
        fields[name] = [one.strip().rstrip(",") for one in fields.get(name, [])]
    fields["issn"] = fields.get("issn", []) + fields.pop("isbn", [])  # which is told by its digits
    if kinds[:1] == ["Thesis"] and "publisher" in fields:
        fields.pop("venue", None)
    if kinds[:1] == ["Book"] and "venue" in fields and "series" not in fields:
        fields["series"] = fields.pop("venue")  # of a book, it is the series
    return fields


def _lines(element: Any, path: str) -> list[str]:
    """Return a text, of lists that stand in one element line by line."""
    if path not in _LISTS:
        return [text_of(element)]
    lines = re.split(r"[\r\n]+", "".join(element.itertext()))
    return [text for line in lines if (text := " ".join(line.split()))]
