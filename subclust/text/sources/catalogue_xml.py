"""Records of catalogues and repositories in XML, whatever they are wrapped in."""

import re
from typing import Any

from lxml import etree

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.dublin_core import dublin_core_fields
from subclust.text.sources.marcxml import fields_of_marc, marc_record
from subclust.text.sources.mods import mods_fields
from subclust.text.sources.pica import PICA_TAG, fields_of_pica, pica_values
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    children,
    first_text,
    found,
    local_name,
    text_of,
)

_MARC = ("leader", "controlfield", "datafield")
_DUBLIN_CORE = ("dc", "qualifieddc", "dcx")


class _Catalogue(XmlSource):
    """Records in any of these formats, alone or in answers of SRU and OAI-PMH."""

    tags = frozenset({"record", "dc", "qualifieddc", "mods"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of a record."""
        return catalogue_document(record.element, record.place, self.collection)


class MarcXml(_Catalogue):
    """A file of MARCXML records, alone, in a collection, or in an answer of SRU or OAI-PMH."""

    label = "MARCXML"


class DublinCore(_Catalogue):
    """OAI-PMH answers and other XML files of Dublin Core records."""

    label = "OAI-PMH Dublin Core"


class Mods(_Catalogue):
    """Files of MODS records."""

    label = "MODS"


class PicaXml(_Catalogue):
    """Files of PICA+ records, as German union catalogues answer."""

    label = "PICA+ XML"


def catalogue_document(element: Any, place: str, collection: str) -> Document | Refusal:
    """Make a document of a record that may be wrapped for SRU or OAI-PMH, also as escaped text.

    A record that its repository has deleted is refused.
    """
    own = first_text(element, "header", "identifier") or first_text(element, "recordIdentifier")
    header = next(iter(children(element, "header")), None)
    if header is not None and header.get("status") == "deleted":
        reason = Message("Its repository has deleted it.")
        advice = Message("Nothing needs to be done.")
        return Refusal(place, reason, advice, "header", excerpt(own), ids=())
    inner = _record_in(element)
    if inner is None and (packed := _unpacked(element)) is not None:
        inner = _record_in(packed)
    if inner is None:
        return _refused(element, place, own)
    mended: tuple[str, ...] = ()
    match local_name(inner):
        case "mods":
            fields = mods_fields(inner)
        case "record" if _is_pica(inner):
            fields = fields_of_pica(pica_values(inner))
        case "record":
            record, mended = marc_record(inner)
            fields = fields_of_marc(record)
        case _:
            fields = dublin_core_fields(inner)
    fields["number"] = fields.get("number") or own
    if header is not None and own:  # which OAI-PMH makes unique in the world
        fields["control"] = own
    return document(fields, place, collection, mended)


def _record_in(element: Any) -> Any | None:
    """Return the element of a record's fields."""
    for one in element.iter():
        name = local_name(one)
        if name == "mods" or name in _DUBLIN_CORE:
            return one
        if name == "record" and any(local_name(child) in _MARC for child in one):
            return one
    return None


def _is_pica(element: Any) -> bool:
    first = next((one for one in element if local_name(one) == "datafield"), None)
    return first is not None and PICA_TAG.fullmatch(first.get("tag") or "") is not None


def _unpacked(element: Any) -> Any | None:
    """Read a record that came as text in an answer's XML."""
    for data in (*found(element, "recordData"), *found(element, "metadata")):
        text = "".join(data.itertext()).strip()
        if text.startswith("<"):
            parser = etree.XMLParser(
                resolve_entities=False, no_network=True, load_dtd=False, recover=True
            )
            try:
                # The declaration was true before the record was packed into this text, now UTF-8.
                return etree.fromstring(re.sub(r"^<\?xml[^>]*\?>", "", text).encode(), parser)
            except (etree.XMLSyntaxError, ValueError):
                return None
    return None


def _refused(element: Any, place: str, own: str) -> Refusal:
    if any(local_name(one) == "diagnostic" for one in element.iter()):
        said = [text_of(one) for one in element.iter() if local_name(one) in ("message", "details")]
        told = "; ".join(dict.fromkeys(filter(None, said)))[:200]
        reason = Message("The catalogue could not give it ({error}).", error=told)
        return Refusal(place, reason, Message("Ask for another format, such as dc."))
    schema = first_text(element, "recordSchema")
    reason = Message("It is in none of the formats MARCXML, MODS, PICA+ and Dublin Core.")
    advice = Message("Ask the catalogue for one of them.")
    return Refusal(place, reason, advice, schema or "metadata", excerpt(own or text_of(element)))
