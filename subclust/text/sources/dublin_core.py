"""What a Dublin Core record says, by our names."""

import re
from typing import Any

from subclust.text.sources.dates import read_date
from subclust.text.sources.host_parts import parts_of_host
from subclust.text.sources.xml_records import local_name, text_of

_DOI = re.compile(
    r"(?:info:)?(?:doi[:/]?\s*|https?://(?:(?:dx|www)\.)?doi\.org/)(10\.\d{4,9}/\S+)", re.IGNORECASE
)
_BARE_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ISSN = re.compile(r"(?:urn:)?(?:[ep]?-?issn)[:\s]*(\d{4}-?\d{3}[\dXx])", re.IGNORECASE)
_BARE_ISSN = re.compile(r"\d{4}-\d{3}[\dXx]")
_ISBN = re.compile(r"(?:urn:)?isbn(?:-1[03])?[:\s]*([\dXx][\dXx -]{8,16})", re.IGNORECASE)
_BARE_ISBN = re.compile(r"97[89][\d -]{10,14}|(?:\d[- ]?){9}[\dXx]")
_PMID = re.compile(r"(?:pmid|info:pmid)[:/\s]*(\d+)", re.IGNORECASE)
_RIGHTS = re.compile(r"info:eu-repo/semantics/(\w+)")
_TYPES = re.compile(r"info:eu-repo/semantics/(\w+)|doc-type:(\w+)", re.IGNORECASE)
_KINDS = {
    "bookpart": "chapter", "doctoralthesis": "thesis", "masterthesis": "thesis",
    "bachelorthesis": "thesis", "conferenceobject": "paper-conference",
    "conferencepaper": "paper-conference", "contributiontoperiodical": "article-journal",
    "workingpaper": "report", "preprint": "manuscript",
}  # fmt: skip
_CITED = re.compile(
    r"(?P<venue>[^;,]{3,150}?)(?:;|,)\s*(?P<where>(?:vol|bd|band|v\.|t\.|no|\d)[^;]*?)(?:;.*)?",
    re.IGNORECASE,
)
"""As Open Journal Systems write it: "Name; Vol 9 No 38 (2018): Title of the issue; 24-30"."""

_LISTS = {
    "title": "title", "alternative": "title", "description": "text", "abstract": "text",
    "creator": "authors", "subject": "keywords", "date": "year", "issued": "year",
    "created": "year", "language": "language", "rights": "licence", "license": "licence",
    "publisher": "publisher", "source": "venue", "ispartof": "venue", "type": "type",
    "contributor": "other contributors", "bibliographiccitation": "venue", "extent": "pages",
    "tableofcontents": "notes", "spatial": "keywords", "coverage": "keywords",
}  # fmt: skip


def dublin_core_fields(element: Any) -> dict[str, Any]:
    """Return the fields of a ``dc`` element of lxml by our names."""
    fields: dict[str, Any] = {}
    own: list[str] = []
    related: list[str] = []
    for child in element:
        name, text = local_name(child).casefold(), text_of(child)
        if not text:
            continue
        if name == "identifier":
            own.append(text)
        elif name in ("relation", "hasversion", "isversionof", "references"):
            related.append(text)
        elif name in _LISTS:
            fields.setdefault(_LISTS[name], []).append(text)
    sources = fields.get("venue", [])
    fields["number"] = next(iter(own), "")
    fields["doi"] = [*_matches(own, _DOI, _BARE_DOI), *_matches(related, _DOI)][:1]
    fields["issn"] = _matches([*own, *sources], _ISSN, _BARE_ISSN) or _matches(related, _ISSN)
    fields["isbn"] = _matches(own, _ISBN, _BARE_ISBN)
    fields["pmid"] = _matches(own, _PMID)[:1]
    addresses = [text for text in own if text.startswith(("http://", "https://"))]
    fields["url"] = sorted(addresses, key=lambda one: bool(_DOI.match(one)))[:1]
    _settle_source(fields, sources)
    # The earliest date tells when it came out, the others when it was deposited or harvested.
    if dates := sorted(date for one in fields.get("year", []) if (date := read_date(one))):
        earliest = [date for date in dates if date[:4] == dates[0][:4]]
        fields["year"] = max(earliest, key=len)
    kinds = map(_kind, fields.get("type", []))
    fields["type"] = sorted(kinds, key=lambda one: one.casefold() == "text")
    rights = [one for one in fields.get("licence", []) if not _RIGHTS.fullmatch(one)]
    fields["licence"] = sorted(rights, key=lambda one: not one.startswith("http"))
    return {name: value for name, value in fields.items() if value}


def _matches(given: list[str], *patterns: re.Pattern[str]) -> list[str]:
    """Return what is named or looks as a number of a kind, each once, in their order."""
    found = []
    for text in given:
        for pattern in patterns:
            if match := pattern.fullmatch(text.strip()):
                found.append(match[match.lastindex or 0].strip())
                break
    return list(dict.fromkeys(found))


def _settle_source(fields: dict[str, Any], sources: list[str]) -> None:
    """Take volume, issue and pages from what follows a journal's name, if it is set off so."""
    named = [one for one in sources if not _ISSN.fullmatch(one) and not _BARE_ISSN.fullmatch(one)]
    fields["venue"] = named[:1]
    if named and (cited := _CITED.fullmatch(named[0])):
        parts = parts_of_host(cited["where"])
        if "volume" in parts:
            fields["venue"] = [cited["venue"].strip()]
            for name, value in parts.items():
                fields.setdefault(name, value)


def _kind(given: str) -> str:
    match = _TYPES.fullmatch(given)
    name = (match[1] or match[2]) if match else given
    return _KINDS.get(name.casefold().replace(" ", ""), name)
