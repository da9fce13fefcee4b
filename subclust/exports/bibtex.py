"""BibTeX in UTF-8, with LaTeX's own signs written so that LaTeX prints them."""

import hashlib
import re
import unicodedata

from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library
from bibtexparser.model import Entry, Field
from bibtexparser.writer import BibtexFormat

from subclust.exports.records import Report
from subclust.exports.references import Reference, references, without_separators

_TYPES = {"article": "article", "encyclopedia": "inreference", "web": "online", "other": "misc"}
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
        "keywords": latex(", ".join(map(without_separators, one.keywords))),
        "note": latex(one.note),
        "annotation": latex(f"id: {one.id}"),
    }
    return Entry(
        _TYPES[one.kind],
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
