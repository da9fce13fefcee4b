"""Zotero's RDF: items, and beside or within them the journals and books that they stand in."""

from functools import cached_property
from typing import Any

from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.decoding import decoded_xml
from subclust.text.sources.encodings import UTF_8
from subclust.text.sources.record import document
from subclust.text.sources.unpacking import opened
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    children,
    first_text,
    found,
    local_name,
    text_of,
    xml_records,
)

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_HOSTS = ("Journal", "Book", "Series", "Proceedings", "CourtReporter", "Newspaper", "Periodical",
          "Website", "EncyclopediaArticle", "Dictionary", "Encyclopedia")  # fmt: skip
_ITEMS = ("Article", "BookSection", "Thesis", "Report", "Document", "Manuscript", "Recording",
          "Image", "MotionPicture", "Patent", "Legislation", "Interview", "Letter", "Data",
          "ConferenceProceedings", "Map", "Illustration", "Script", "Case", "Software", "Memo",
          "Attachment", "AudioVisualDocument", "Bill", "Statute", "Hearing", "Blog", "Email",
          "Description")  # fmt: skip
_TAGS = {
    "type": "itemType", "title": "title", "text": "abstract", "year": "date", "pages": "pages",
    "volume": "volume", "issue": "number", "edition": "edition", "language": "language",
    "number": "citationKey", "source": "libraryCatalog", "licence": "rights", "value": "value",
}  # fmt: skip
_OF_HOSTS = ("venue", "series", "volume", "issue", "issn", "isbn", "doi")
_PEOPLE = {"authors": "authors", "editors": "editors", "translators": "other contributors",
           "contributors": "other contributors"}  # fmt: skip


class ZoteroRdf(XmlSource):
    """Files of "Export, Zotero RDF". Attachments, notes and folders are no records."""

    label = "Zotero RDF"
    tags = frozenset(_ITEMS + _HOSTS)

    @cached_property
    def _named(self) -> dict[str, dict[str, Any]]:
        """What items stand in, and notes on them, by what they are called in the file."""
        named = {}
        with opened(self.path) as stream:
            decoded = decoded_xml(stream, self)
            for one in xml_records(decoded, (*_HOSTS, "Memo"), self.path.name, UTF_8):
                if isinstance(one, XmlRecord) and not children(one.element, "itemType"):
                    named[one.element.get(f"{_RDF}about", "")] = _fields(one.element)
        return named

    def is_record(self, element: Any) -> bool:
        """Return whether an element is an item of the library."""
        return first_text(element, "itemType") not in ("", "attachment", "note")

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of an item."""
        fields: dict[str, Any] = _fields(record.element)
        for link in children(record.element, "isPartOf"):
            within = next(iter(link), None)
            host = self._named.get(link.get(f"{_RDF}resource", "")) or (
                _fields(within) if within is not None else {}
            )
            is_series = within is not None and local_name(within) == "Series"
            host["series" if is_series else "venue"] = host.pop("title", "")
            for name in _OF_HOSTS:
                fields[name] = fields.get(name) or host.get(name)
            host["title"] = host.pop("series" if is_series else "venue")
        fields["notes"] = [
            self._named.get(one.get(f"{_RDF}resource", ""), {}).get("value")
            for one in children(record.element, "isReferencedBy")
        ]
        return document(fields, record.place, self.collection)


def _fields(element: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {name: first_text(element, tag) for name, tag in _TAGS.items()}
    for kind, name in _PEOPLE.items():
        people = [one for seq in found(element, kind, "Seq") for one in found(seq, "li", "Person")]
        fields.setdefault(name, []).extend(filter(None, map(_name, people)))
    for one in children(element, "identifier"):
        text = first_text(one, "URI", "value") or text_of(one)
        scheme, _, number = text.partition(" ")
        if scheme in ("DOI", "ISSN", "ISBN") and number:
            fields.setdefault(scheme.lower(), []).append(number)
        elif text.startswith("http"):
            fields.setdefault("url", text)
    fields["keywords"] = [
        first_text(one, "AutomaticTag", "value") or text_of(one)
        for one in children(element, "subject")
        if not found(one, "LCC") and not found(one, "DDC")
    ]
    fields["publisher"] = first_text(element, "publisher", "Organization", "name")
    fields["place"] = first_text(element, "publisher", "Organization", "adr", "Address", "locality")
    return fields


def _name(person: Any) -> str:
    names = [first_text(person, "surname"), first_text(person, "givenName")]
    names[1] = names[1] or first_text(person, "givenname")
    return ", ".join(filter(None, names))
