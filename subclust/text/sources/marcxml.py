"""MARCXML: MARC 21 records in XML, as catalogues and SRU servers give them."""

from collections.abc import Iterator
from typing import Any

from pymarc import Field, Indicators, Leader, Record, Subfield

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.marc_fields import fields_of_marc
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.xml_records import XmlRecord, XmlSource, local_name, text_of

_LEADER_LENGTH = 24


class MarcXml(XmlSource):
    """A file of MARCXML records, alone, in a collection, or in an answer of SRU or OAI-PMH."""

    label = "MARCXML"
    tags = frozenset({"record"})

    def documents(self, record: XmlRecord) -> Iterator[Document | Refusal]:
        """Make a document of a record."""
        yield marcxml_document(record.element, record.place, self.collection)


def marcxml_document(element: Any, place: str, collection: str) -> Document | Refusal:
    """Make a document of a MARCXML ``record``, or of an element that holds one.

    Parameters
    ----------
    element : lxml element
    place : str
        For the refusal.
    collection : str

    Returns
    -------
    Document or Refusal
    """
    inner = next((one for one in element.iter() if _is_marc(one)), None)
    if inner is None:
        return Refusal(
            place,
            Message("It has no MARC fields."),
            Message("Choose another format, or export it as MARCXML again."),
            local_name(element),
            excerpt(text_of(element)),
        )
    record, mended = marc_record(inner)
    return document(fields_of_marc(record), place, collection, mended)


def marc_record(element: Any) -> tuple[Record, tuple[str, ...]]:
    """Make pymarc's record of a ``record`` element.

    Returns
    -------
    pymarc.Record
    tuple of str
        What was put right, a sentence each.
    """
    record = Record()
    mended: tuple[str, ...] = ()
    for child in element:
        tag = "".join((child.get("tag") or "").split())
        match local_name(child):
            case "leader":
                leader = child.text or ""
                if len(leader) == _LEADER_LENGTH:
                    record.leader = Leader(leader)
                else:
                    mended = (
                        Message(
                            "Its leader has {count} characters instead of {wanted}; it was read "
                            "without it.",
                            count=len(leader),
                            wanted=_LEADER_LENGTH,
                        ),
                    )
            case "controlfield" if tag:
                record.fields.append(Field(tag=tag, data="".join(child.itertext())))
            case "datafield" if tag:
                record.fields.append(_data_field(tag, child))
    return record, mended


def _data_field(tag: str, element: Any) -> Field:
    first, second = ((element.get(name) or " ")[:1] for name in ("ind1", "ind2"))
    subfields = [
        Subfield(code=(child.get("code") or " ")[:1], value=text_of(child))
        for child in element
        if local_name(child) == "subfield"
    ]
    # Some programs write a data field under the number of a control field.
    if tag.isdecimal() and int(tag) < 10:
        return Field(tag=tag, data=" ".join(one.value for one in subfields))
    return Field(tag=tag, indicators=Indicators(first, second), subfields=subfields)


def _is_marc(element: Any) -> bool:
    return local_name(element) == "record" and any(
        local_name(child) in ("controlfield", "datafield") for child in element
    )
