"""Passages as references: what RIS, BibTeX and CSL-JSON have in common."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.figures.wrapping import printable

Kind = Literal["article", "encyclopedia", "web", "other"]

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")


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


def without_separators(keyword: str) -> str:
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
