"""Passages of a library as references: RIS, BibTeX, CSL JSON and MARCXML."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymarc
import rispy
from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library
from bibtexparser.model import Entry, Field
from bibtexparser.writer import BibtexFormat

from subclust.core.records import Passage
from subclust.exports.references import PlainWriter, bibtex_name, divided, latex, one_line, verbatim

_DATE = re.compile(r"\d{4}(-\d{2}){0,2}")
_KEY = re.compile(r"[^\s,{}()=#%\"'~\\]+")
_PART = re.compile(r"\s*;\s*")


@dataclass(frozen=True)
class _Record:
    id: str
    title: str
    text: str
    authors: tuple[tuple[str, str], ...]
    year: str
    date: str
    keywords: tuple[str, ...]
    other: dict[str, str]

    def get(self, name: str) -> str:
        return self.other.get(name, "")


def write_ris(passages: Sequence[Passage], path: Path) -> None:
    """Write a record for each passage."""
    with path.open("w", encoding="utf-8", newline="\r\n") as stream:
        for one in _records(passages):
            fields: dict[str, Any] = {
                "type_of_reference": "JOUR" if one.get("venue") else "GEN",
                "id": one.id,
                "title": one.title,
                "authors": [_name(*name) for name in one.authors],
                "year": one.year,
                "date": one.date.replace("-", "/"),
                "secondary_title": one.get("venue"),
                "abstract": one.text,
                "doi": one.get("doi"),
                "urls": [one.get("url")] if one.get("url") else [],
                "language": one.get("language"),
                "name_of_database": one.get("source"),
                "keywords": list(one.keywords),
            }
            kept = {name: value for name, value in fields.items() if value}
            stream.write(rispy.dumps([kept], implementation=PlainWriter))


def write_bibtex(passages: Sequence[Passage], path: Path) -> None:
    """Write an entry for each passage, whose key is its id where BibTeX allows that."""
    layout = BibtexFormat()  # type: ignore[no-untyped-call]
    layout.indent, layout.block_separator = "  ", "\n"
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for one in _records(passages):
            fields = {
                "author": " and ".join(bibtex_name(*name) for name in one.authors),
                "title": latex(one.title),
                "journaltitle": latex(one.get("venue")),
                "year": one.year,
                "date": one.date,
                "doi": verbatim(one.get("doi")),
                "url": verbatim(one.get("url")),
                "language": latex(one.get("language")),
                "database": latex(one.get("source")),
                "abstract": latex(one.text),
                "keywords": latex(_joined(one.keywords)),
            }
            entry = Entry(
                "article" if one.get("venue") else "misc",
                _key(one.id),
                [Field(key, value) for key, value in fields.items() if value],
            )
            stream.write(write_string(Library([entry]), bibtex_format=layout))


def write_csl(passages: Sequence[Passage], path: Path) -> None:
    """Write a list with an item for each passage."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        before = "[\n"
        for one in _records(passages):
            parts = [int(part) for part in (one.date or one.year).split("-") if part]
            item: dict[str, Any] = {
                "id": one.id,
                "type": "article-journal" if one.get("venue") else "document",
                "title": one.title,
                "author": [
                    {"family": family, "given": given} if given else {"literal": family}
                    for family, given in one.authors
                ],
                "issued": {"date-parts": [parts]} if parts else {},
                "container-title": one.get("venue"),
                "abstract": one.text,
                "DOI": one.get("doi"),
                "URL": one.get("url"),
                "language": one.get("language"),
                "source": one.get("source"),
                "keyword": _joined(one.keywords),
            }
            kept = {name: value for name, value in item.items() if value}
            stream.write(before + json.dumps(kept, ensure_ascii=False))
            before = ",\n"
        stream.write("[]\n" if before == "[\n" else "\n]\n")


def write_marcxml(passages: Sequence[Passage], path: Path) -> None:
    """Write a record for each passage in MARCXML; the exact date goes to field 046."""
    with path.open("wb") as stream:
        writer = pymarc.XMLWriter(stream)
        for one in _records(passages):
            writer.write(_marc(one))
        writer.close(close_fh=False)


def _marc(one: _Record) -> pymarc.Record:
    record = pymarc.Record()
    record.leader = pymarc.Leader("00000naa a2200000 i 4500")
    fields = record.fields
    fields.append(pymarc.Field(tag="001", data=one.id))
    if one.get("source"):
        fields.append(pymarc.Field(tag="003", data=one.get("source")))
    if one.get("doi"):
        fields.append(_field("024", "7 ", ("a", one.get("doi")), ("2", "doi")))
    if one.get("language"):
        fields.append(_field("041", "  ", ("a", one.get("language"))))
    if one.date:
        fields.append(_field("046", "  ", ("k", one.date.replace("-", ""))))
    for number, (family, given) in enumerate(one.authors):
        name = ("a", _name(family, given))
        fields.append(_field("700" if number else "100", "1 " if given else "0 ", name))
    fields.append(_field("245", "00", ("a", one.title)))
    if one.year:
        fields.append(_field("264", " 1", ("c", one.year)))
    fields.append(_field("520", "3 ", ("a", one.text)))
    for word in one.keywords:
        fields.append(_field("653", "  ", ("a", word)))
    if one.get("venue"):
        fields.append(_field("773", "0 ", ("t", one.get("venue"))))
    if one.get("url"):
        fields.append(_field("856", "40", ("u", one.get("url"))))
    return record


def _field(tag: str, indicators: str, *subfields: tuple[str, str]) -> pymarc.Field:
    return pymarc.Field(
        tag=tag,
        indicators=pymarc.Indicators(*indicators),
        subfields=[pymarc.Subfield(code, value) for code, value in subfields],
    )


def _records(passages: Sequence[Passage]) -> Iterator[_Record]:
    for passage in passages:
        other = {name: one_line(value) for name, value in passage.metadata.items()}
        date = other.get("date", "")
        yield _Record(
            id=one_line(passage.id.removeprefix(f"{passage.collection}:")),
            title=one_line(passage.title),
            text=one_line(passage.text),
            authors=tuple(divided(name) for name in _parts(other.get("authors", ""))),
            year=other.get("year", ""),
            date=date if _DATE.fullmatch(date) else "",
            keywords=tuple(_parts(other.get("keywords", ""))),
            other=other,
        )


def _parts(text: str) -> list[str]:
    return [part for part in _PART.split(text) if part]


def _joined(keywords: Sequence[str]) -> str:
    """Join keywords at commas, or where one of them has a comma at semicolons."""
    if not any("," in word for word in keywords):
        return ", ".join(keywords)
    return "; ".join(keywords) + (";" if len(keywords) == 1 else "")


def _name(family: str, given: str) -> str:
    return f"{family}, {given}" if given else family


def _key(id_: str) -> str:
    if _KEY.fullmatch(id_):
        return id_
    plain = re.sub(r"[^A-Za-z0-9:_-]+", "-", id_).strip("-")[:40]
    return f"{plain}-{hashlib.sha256(id_.encode()).hexdigest()[:8]}"
