"""Passages as references: RIS, BibTeX and CSL-JSON."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

import rispy
from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library
from bibtexparser.model import Entry, Field
from bibtexparser.writer import BibtexFormat
from rispy.writer import RisWriter

from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.exports.records import Report
from subclust.figures.wrapping import printable

Kind = Literal["article", "encyclopedia", "web", "other"]

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")

_RIS_TYPES = {"article": "JOUR", "encyclopedia": "ENCYC", "web": "ELEC", "other": "GEN"}
_CSL_TYPES = {
    "article": "article-journal",
    "encyclopedia": "entry-encyclopedia",
    "web": "webpage",
    "other": "document",
}
_BIBTEX_TYPES = {
    "article": "article",
    "encyclopedia": "inreference",
    "web": "online",
    "other": "misc",
}
_VENUES = {"article": "journaltitle", "encyclopedia": "booktitle"}
_SIGNS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        # Also where they are escaped BibTeX counts braces, and these need not come in pairs.
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


@dataclass(frozen=True)
class Reference:
    """A passage as reference managers see it; every text is on one line.

    Parameters
    ----------
    id : str
        Of the passage.
    kind : {"article", "encyclopedia", "web", "other"}
    title, section, abstract : str
        Of what the passage comes from, where in it, and its text.
    authors : tuple of (str, str)
        Family name, or the whole name where it cannot be divided, and given names.
    year, venue, doi, url, language, source, licence : str
        Empty where not known.
    group : str
        Name of its group; empty for a passage that belongs to none.
    keywords : tuple of str
        The group's name first, then the source's own, each once.
    rank : int
    strength : float
    """

    id: str
    kind: Kind
    title: str
    section: str
    abstract: str
    authors: tuple[tuple[str, str], ...]
    year: str
    venue: str
    doi: str
    url: str
    language: str
    source: str
    licence: str
    group: str
    keywords: tuple[str, ...]
    rank: int
    strength: float

    @property
    def note(self) -> str:
        """Return where it stood: group, section, hit, and under which licence it is."""
        parts = [
            f"Group: {self.group}" if self.group else "In no group",
            f"Section: {self.section}" if self.section else "",
            f"Hit {self.rank}, fit {self.strength:.2f}",
            self.licence,
        ]
        return "; ".join(part for part in parts if part)


def references(subtopics: SubtopicMap) -> Iterator[Reference]:
    """Return a reference for each passage, group by group."""
    for group in subtopics.subtopics:
        name = "" if group.id == OTHER_PASSAGES else one_line(group.name)
        for member in group.passages:
            passage = member.passage
            fields = {key: one_line(value) for key, value in passage.metadata.items()}
            own = _own_keywords(fields.get("keywords", ""))
            yield Reference(
                id=one_line(passage.id),
                kind=_kind(fields),
                title=one_line(passage.title),
                section=one_line(passage.path or ""),
                abstract=one_line(passage.text),
                authors=tuple(map(divided, _several(fields.get("authors", "")))),
                year=_found(_YEAR, fields.get("year", "")),
                venue=fields.get("venue", ""),
                doi=_found(_DOI, fields.get("doi", "")),
                url=_web_address(fields.get("url", "")),
                language=fields.get("language", ""),
                source=fields.get("source", ""),
                licence=fields.get("licence", ""),
                group=name,
                keywords=tuple(dict.fromkeys(word for word in (name, *own) if word)),
                rank=member.rank,
                strength=member.strength,
            )


def one_line(text: str) -> str:
    """Take out line ends and control characters: a second line could be a field of its own."""
    return " ".join(printable(text).split())


def divided(name: str) -> tuple[str, str]:
    """Divide "Family, Given"; another name stays whole, since only its bearer knows its parts."""
    family, comma, given = name.partition(",")
    return (family.strip(), given.strip()) if comma and given.strip() else (name.strip(" ,"), "")


def _without_separators(keyword: str) -> str:
    """Write a keyword for formats where a comma or semicolon begins the next one."""
    return re.sub(r"\s*[,;]\s*", " / ", keyword)


def _several(authors: str) -> list[str]:
    parts = re.split(r"\s*;\s*|\s+and\s+", authors)
    return [part for part in parts if part]


def _own_keywords(keywords: str) -> list[str]:
    return [word.strip() for word in re.split(r";" if ";" in keywords else r",", keywords)]


def _kind(fields: dict[str, str]) -> Kind:
    if fields.get("venue") or fields.get("doi"):
        return "article"
    if "wiki" in fields.get("source", "").casefold():
        return "encyclopedia"
    return "web" if fields.get("url") else "other"


def _web_address(url: str) -> str:
    try:
        return url if urlsplit(url).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""


class PlainWriter(RisWriter):  # type: ignore[misc]  # the library has no types
    """Without a line that numbers the record, which some programs take for a mistake."""

    SEPARATOR = ""

    def set_header(self, count: int) -> str:
        """Write none."""
        return ""


def write_ris(report: Report) -> bytes:
    """Write a record for each passage; its group's name is its first keyword (``KW``)."""
    records = [_record(one) for one in references(report.subtopics)]
    text: str = rispy.dumps(records, implementation=PlainWriter)
    return text.replace("\n", "\r\n").encode()


def _record(one: Reference) -> dict[str, str | list[str]]:
    record: dict[str, str | list[str]] = {
        "type_of_reference": _RIS_TYPES[one.kind],
        "id": one.id,
        "title": one.title or one.abstract[:80],
        "authors": [f"{family}, {given}" if given else family for family, given in one.authors],
        "year": one.year,
        # The field for the work around it, whatever the type.
        "secondary_title": one.venue or (one.source if one.kind == "encyclopedia" else ""),
        "section": one.section,
        "abstract": one.abstract,
        "doi": one.doi,
        "urls": [one.url] if one.url else [],
        "language": one.language,
        "name_of_database": one.source,
        "keywords": list(one.keywords),
        "notes": [one.note],
    }
    return {name: value for name, value in record.items() if value}


def write_csl_json(report: Report) -> bytes:
    """Write a list with an item for each passage.

    The group's name is the first keyword and, unchanged, the first category.
    """
    items = [_item(one) for one in references(report.subtopics)]
    return json.dumps(items, ensure_ascii=False, indent=1).encode() + b"\n"


def _item(one: Reference) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": one.id,
        "type": _CSL_TYPES[one.kind],
        "title": one.title or one.abstract[:80],
        "author": [
            {"family": family, "given": given} if given else {"literal": family}
            for family, given in one.authors
        ],
        "issued": {"date-parts": [[int(one.year)]]} if one.year else {},
        "container-title": one.venue or (one.source if one.kind == "encyclopedia" else ""),
        "section": one.section,
        "abstract": one.abstract,
        "DOI": one.doi,
        "URL": one.url,
        "language": one.language,
        "source": one.source,
        "keyword": ", ".join(map(_without_separators, one.keywords)),
        "categories": list(one.keywords),
        "note": one.note,
    }
    return {name: value for name, value in item.items() if value}


def write_bibtex(report: Report) -> bytes:
    """Write an entry for each passage; its group's name is its first keyword.

    Entry types and fields are those of biblatex. Programs divide keywords at commas, so that a
    comma in a group's name is written as " / "; the note has the name as it is.
    """
    layout = BibtexFormat()  # type: ignore[no-untyped-call]
    layout.indent = "  "
    layout.block_separator = "\n"
    text = write_string(
        Library([_entry(one) for one in references(report.subtopics)]), bibtex_format=layout
    )
    return text.encode()


def latex(text: str) -> str:
    """Escape the signs that mean something to LaTeX."""
    return text.translate(_SIGNS)


def entry_key(one: Reference) -> str:
    """Name an entry by its first author or title, its year, and a digest of its id.

    The same passage has the same key in every export.
    """
    begin = one.authors[0][0] if one.authors else one.title
    plain = unicodedata.normalize("NFKD", begin).encode("ascii", "ignore").decode()
    word = re.sub(r"[^A-Za-z0-9]", "", plain.split(" ")[0] if plain else "") or "passage"
    return f"{word[:24].lower()}{one.year}-{hashlib.sha256(one.id.encode()).hexdigest()[:8]}"


def _entry(one: Reference) -> Entry:
    fields = {
        "author": " and ".join(bibtex_name(family, given) for family, given in one.authors),
        "title": latex(one.title or one.abstract[:80]),
        _VENUES.get(one.kind, "howpublished"): latex(one.venue or one.source),
        "year": one.year,
        "doi": verbatim(one.doi),
        "url": verbatim(one.url),
        "language": latex(one.language),
        "abstract": latex(one.abstract),
        "keywords": latex(", ".join(map(_without_separators, one.keywords))),
        "note": latex(one.note),
        "annotation": latex(f"id: {one.id}"),
    }
    return Entry(
        _BIBTEX_TYPES[one.kind],
        entry_key(one),
        [Field(key, value) for key, value in fields.items() if value],
    )


def bibtex_name(family: str, given: str) -> str:
    """Write an author's name so that BibTeX divides it as it is divided here."""
    # In braces a name is not divided, and "and" in it is not the next author's beginning.
    return f"{_undivided(family)}, {_undivided(given)}" if given else f"{{{latex(family)}}}"


def _undivided(part: str) -> str:
    return f"{{{latex(part)}}}" if re.search(r"\band\b", part, re.IGNORECASE) else latex(part)


def verbatim(address: str) -> str:
    """Leave an address as it is, which these fields are made for, but for what ends the field."""
    for sign, code in (("{", "%7B"), ("}", "%7D"), ("\\", "%5C")):
        address = address.replace(sign, code)
    return address
