"""MARCXML, and what a MARC 21 record says by our names."""

import re
from typing import Any

from pymarc import Field, Indicators, Leader, Record, Subfield

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.xml_records import XmlRecord, XmlSource, local_name, text_of

_LEADER_LENGTH = 24
_ISBD = re.compile(r"\s+[/:;=,]\s*$|,\s*$")
"""Marks that divide a record's parts on a printed card, at the end of a part."""

_NO_ABSTRACT = re.compile(r"\s*(?:\(?no abstract( available)?\.?\)?)?\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)[0-9]{2}")
_FULL_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})$")


class MarcXml(XmlSource):
    """A file of MARCXML records, alone, in a collection, or in an answer of SRU or OAI-PMH."""

    label = "MARCXML"
    tags = frozenset({"record"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of a record."""
        return marcxml_document(record.element, record.place, self.collection)


def marcxml_document(element: Any, place: str, collection: str) -> Document | Refusal:
    """Make a document of a MARCXML ``record``, or of an element that holds one."""
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


def fields_of_marc(record: Record) -> dict[str, Any]:
    """Return the fields of a bibliographic record.

    Title from 245 (or 130, 240), abstract from 520 (else contents from 505), names from 1XX and
    7XX, year from 046, 264, 260 or 008, what it stands in from 773, DOI from 024, address from 856,
    subjects from 6XX, language from 041 or 008, id from 001 (else 035).

    Returns
    -------
    dict
        By our names; lists where there can be several values.
    """
    abstracts = [text for field in record.get_fields("520") if (text := _part(field, "a", "b"))]
    abstracts = [text for text in abstracts if not _NO_ABSTRACT.match(text)]
    fields: dict[str, Any] = {
        "number": _control(record, "001") or _first(record, ("035",), "a"),
        "control": ":".join(filter(None, (_control(record, "003"), _control(record, "001"))))
        if _control(record, "003")
        else "",
        "title": _title(record),
        "text": abstracts
        or [_part(field, "a", "t", "r", "g") for field in record.get_fields("505")],
        "authors": [
            name
            for field in record.get_fields("100", "110", "111", "700", "710", "711")
            if (name := _name(field))
        ],
        "year": _date(record),
        "venue": _first(record, ("773",), "t") or _first(record, ("773",), "a"),
        "doi": _doi(record),
        "url": _first(record, ("856",), "u"),
        "keywords": [
            subject
            for field in record.get_fields(
                "600", "610", "630", "648", "650", "651", "653", "655", "690"
            )
            for subject in _subjects(field)
        ],
        "language": _first(record, ("041",), "a") or _fixed(record, 35, 38),
        "licence": _first(record, ("540",), "a"),
        "publisher": _first(record, ("264", "260"), "b"),
        "isbn": _first(record, ("020",), "a"),
        "source": _control(record, "003"),
    }
    return fields


def _title(record: Record) -> str:
    for field in record.get_fields("245", "240", "130"):
        title = " ".join(
            part
            for subfield in field.subfields
            if subfield.code in "abnp" and (part := subfield.value.strip())
        )
        # Within a title the marks stay: "Maps : a history".
        if title := _ISBD.sub("", " ".join(title.split())):
            return title
    return ""


def _name(field: Field) -> str:
    codes = "abcq" if field.tag in ("100", "700") else "abn"
    name = " ".join(
        part
        for subfield in field.subfields
        if subfield.code in codes and (part := subfield.value.strip())
    )
    return _ISBD.sub("", " ".join(name.split()))


def _subjects(field: Field) -> list[str]:
    if field.tag == "653":  # each subfield is a keyword of its own
        return [text for value in field.get_subfields("a") if (text := _tidy(value))]
    parts = [
        text
        for subfield in field.subfields
        if subfield.code in "abcdtvxyz" and (text := _tidy(subfield.value))
    ]
    return [" -- ".join(parts)] if parts else []


def _date(record: Record) -> str:
    for value in _all(record, ("046",), "k", "c", "o"):
        if whole := _FULL_DATE.match(value):
            return "-".join(whole.groups())
        if year := _YEAR.search(value):
            return year[0]
    for value in _all(record, ("264", "260"), "c"):
        if year := _YEAR.search(value):
            return year[0]
    year = _YEAR.fullmatch(_fixed(record, 7, 11))
    return year[0] if year else ""


def _doi(record: Record) -> str:
    for field in record.get_fields("024"):
        value = (field.get_subfields("a") or [""])[0].strip()
        kinds = [kind.lower() for kind in field.get_subfields("2")]
        if "doi" in kinds or re.match(
            r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/", value
        ):
            return value
    return ""


def _part(field: Field, *codes: str) -> str:
    return " ".join(" ".join(value.split()) for value in field.get_subfields(*codes)).strip()


def _all(record: Record, tags: tuple[str, ...], *codes: str) -> list[str]:
    return [
        value.strip()
        for tag in tags
        for field in record.get_fields(tag)
        for value in field.get_subfields(*codes)
        if value.strip()
    ]


def _first(record: Record, tags: tuple[str, ...], *codes: str) -> str:
    return _tidy(next(iter(_all(record, tags, *codes)), ""))


def _tidy(text: str) -> str:
    return _ISBD.sub("", " ".join(text.split()))


def _control(record: Record, tag: str) -> str:
    return next((field.data.strip() for field in record.get_fields(tag) if field.data), "")


def _fixed(record: Record, start: int, end: int) -> str:
    value = next((field.data for field in record.get_fields("008") if field.data), "")
    part = value[start:end].strip(" |#")
    return part if len(part) == end - start else ""
