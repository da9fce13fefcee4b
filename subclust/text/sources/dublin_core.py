"""Dublin Core as OAI-PMH repositories give it, in files of one or many records."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.marcxml import fields_of_marc, marc_record
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    first_text,
    found,
    local_name,
    text_of,
)

_DOI = re.compile(r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_BARE_DOI = re.compile(r"10\.\d{4,9}/\S+")
_LISTS = {
    "title": "title", "description": "text", "creator": "authors", "subject": "keywords",
    "date": "year", "language": "language", "rights": "licence", "publisher": "publisher",
    "source": "venue", "type": "type", "contributor": "contributors",
}  # fmt: skip


class DublinCore(XmlSource):
    """OAI-PMH answers and other XML files of Dublin Core records.

    An OAI record that holds MARCXML instead is read as that.
    """

    label = "OAI-PMH Dublin Core"
    tags = frozenset({"record", "dc"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of an OAI record, or of bare Dublin Core."""
        return oai_document(record.element, record.place, self.collection)


def oai_document(element: Any, place: str, collection: str) -> Document | Refusal:
    """Make a document of a ``record`` element of OAI-PMH, or of a ``dc`` element.

    A record that its repository has deleted is refused.
    """
    header = next(iter(found(element, "header")), None)
    id_ = first_text(element, "header", "identifier")
    if header is not None and header.get("status") == "deleted":
        return Refusal(
            place,
            Message("Its repository has deleted it."),
            Message("Nothing needs to be done."),
            "header",
            excerpt(id_),
        )
    inner = [one for one in element.iter() if local_name(one) == "dc"]
    if inner:
        return document(dublin_core_fields(inner[0], id_), place, collection)
    marc = [one for one in element.iter() if local_name(one) == "record" and one is not element]
    if marc or found(element, "leader") or found(element, "datafield"):
        record, mended = marc_record(marc[0] if marc else element)
        fields = fields_of_marc(record)
        return document({**fields, "id": id_ or fields.get("id", "")}, place, collection, mended)
    return Refusal(
        place,
        Message("It holds neither Dublin Core nor MARC."),
        Message("Ask the repository for oai_dc records (metadataPrefix=oai_dc)."),
        "metadata",
        excerpt(id_ or text_of(element)),
    )


def dublin_core_fields(element: Any, id_: str = "") -> dict[str, Any]:
    """Return the fields of a ``dc`` element by our names.

    Parameters
    ----------
    element : lxml element
    id_ : str
        That the repository gave the record; without one its first identifier counts.
    """
    fields: dict[str, Any] = {}
    own = []
    for child in element:
        name, text = local_name(child), text_of(child)
        if not text:
            continue
        if name == "identifier":
            own.append(text)
        elif name in _LISTS:
            fields.setdefault(_LISTS[name], []).append(text)
    dois = [match[1] for text in own if (match := _DOI.match(text))]
    dois += [text for text in own if _BARE_DOI.fullmatch(text)]
    fields["doi"] = dois[:1]
    fields["url"] = [text for text in own if text.startswith(("http://", "https://"))][:1]
    fields["id"] = id_ or next(iter(own), "")
    # The earliest date tells when it came out, others tell of harvests.
    if dates := sorted(date for date in fields.get("year", []) if re.match(r"\d{4}", date)):
        fields["year"] = dates[0]
    return fields
