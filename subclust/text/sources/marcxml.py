"""MARC records as XML, and what a record of any MARC says by our names."""

from typing import Any

from pymarc import Field, Indicators, Leader, Record, Subfield

from subclust.core.messages import Message
from subclust.text.sources.marc_fields import fields_of_marc21
from subclust.text.sources.unimarc import fields_of_unimarc, is_unimarc
from subclust.text.sources.xml_records import local_name, text_of

LEADER_LENGTH = 24


def fields_of_marc(record: Record) -> dict[str, Any]:
    """Return the fields of a record in MARC 21 or UNIMARC by our names."""
    return fields_of_unimarc(record) if is_unimarc(record) else fields_of_marc21(record)


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
                if len(leader) == LEADER_LENGTH:
                    record.leader = Leader(leader)
                else:
                    mended = (
                        Message(
                            "Its leader has {count} characters instead of {wanted}; it was read "
                            "without it.",
                            count=len(leader),
                            wanted=LEADER_LENGTH,
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
