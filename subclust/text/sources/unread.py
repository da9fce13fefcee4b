"""What files are that no source reads, and what to export instead."""

import re
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

from subclust.core.messages import N_, Message
from subclust.core.storage.damaged import ZIP_DAMAGES
from subclust.text.sources.contents import OLD_OFFICE

_REFERENCES = Message("RIS, BibTeX or CSL JSON")
_CATALOGUE = Message("MARC 21 or MARCXML")
_TEXTS = Message("PDF or plain text")
_ROOTS = {
    # root element: (name, what to export instead)
    "rdf": ("RDF", _REFERENCES),
    "tei": ("TEI", _TEXTS),
    "ead": ("EAD", Message("MARCXML or CSV")),
    "mets": ("METS", Message("MODS, MARCXML or PDF")),
    "alto": ("ALTO", _TEXTS),
    "onixmessage": ("ONIX", Message("CSV or MARCXML")),
    "refworks": (Message("XML of RefWorks"), "RIS"),
    "sources": (Message("Word's list of sources"), _REFERENCES),
    "rss": (Message("a news feed (RSS)"), _REFERENCES),
    "feed": (Message("a news feed (Atom)"), _REFERENCES),
    "workbook": (Message("an Excel workbook in XML"), Message("XLSX or CSV")),
    "opml": ("OPML", _TEXTS),
    "fictionbook": ("FictionBook", _TEXTS),
    "book": ("DocBook", _TEXTS),
}
_BEGINNINGS = tuple(
    (re.compile(pattern, re.MULTILINE), name, instead)
    for pattern, name, instead in (
        (r"\A\s*@prefix\s|\A\s*<https?://[^>\s]+>\s+<https?://", "RDF", _REFERENCES),
        (r"\A\s*1\. [^\n]{3,}\n(?:.*\n){2,200}?(?:DOI|PMID): \S",
         Message("PubMed's abstracts as text"), Message("PubMed's own format (.nbib)")),
        (r"\A(?:\s*\d{5,9}[,;]?\s*\n){3,}\s*(?:\d*\s*)\Z",
         Message("a list of numbers without titles"), Message("PubMed's own format (.nbib)")),
        (r"\A\s*Record #1 of \d+", Message("citations of the Cochrane Library as text"), "RIS"),
        (r"\A\s*Record: 1\s*$", Message("EBSCO's records as text"), "RIS"),
        (r"\A\s*RECORD 1\s*$", Message("Embase's records as text"), "RIS"),
        (r"\A\s*Scopus\s*\n\s*EXPORT DATE", Message("Scopus's records as text"),
         Message("RIS or CSV")),
        (r"\A(?:.*\n){0,10}?_{20,}\s*\n\s*(?:Document|\d+) \d* ?of \d+",
         Message("ProQuest's documents as text"), "RIS"),
        (r"\A(?:.*\n){0,10}?\s*\d+ of \d+ DOCUMENTS\b", Message("LexisNexis's documents as text"),
         Message("RIS, CSV or PDF")),
        (r"\A\s*START_RECORD\b", "SciFinder, tagged", "RIS"),
        (r"\A\s*Reference Type: {1,4}\S", Message("EndNote's list of all fields"),
         Message("RIS or EndNote's export (.enw)")),
        (r"\A\s*\{Reference Type\}: ?\S", "NoteExpress", Message("RIS or EndNote")),
        (r"\A\s*=LDR {2}\S", Message("MARC in lines (MarcEdit, .mrk)"), _CATALOGUE),
        (r"\A\s*\d{9} (?:LDR|FMT|00\d) {1,3}L ", Message("Aleph's sequential format"), _CATALOGUE),
        (r"\A\s*(?:LDR|LEADER|000) {1,6}\d{5}[a-z]", Message("MARC in lines"), _CATALOGUE),
        (r"\A### \d{5}[a-z]", "MAB2", _CATALOGUE),
        (r"\A[A-Z][\w-]* ::= ", "ASN.1", Message("PubMed's own format (.nbib)")),
        (r"\A(?:---\s*\n)?(?:#.*\n)*cff-version:", "CITATION.cff", _REFERENCES),
        (r"\A(?:---\s*\n)?(?:#.*\n)*(?:references|bibliography):\s*\n\s*- ", "YAML", _REFERENCES),
        (r"\ABEGIN:V(?:CARD|CALENDAR)", Message("addresses or dates"), _REFERENCES),
        (r"\A(?:Return-Path|Received|Delivered-To|MIME-Version|Message-ID): ",
         Message("an e-mail"), Message("what is attached to it")),
        (r"\A(?:--.*\n|/\*.*\n|\s)*(?:CREATE (?:TABLE|DATABASE)|INSERT INTO|DROP TABLE)\b",
         "SQL", "CSV"),
    )
)  # fmt: skip
_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>\s*)*<(?:[\w.-]+:)?([\w.-]+)",
    re.DOTALL,
)
_TAGGED = re.compile(
    r"[ \t]{0,3}(?:([A-Z][A-Z0-9]{1,3})(?:[ \t]{0,4}[-–:=][ \t]|[ \t]{2,})|(%[A-Z0-9@])[ \t]"
    r"|#?\{?([A-Z][A-Za-z ]{1,24})\}?[:=][ \t]|([A-Z][A-Z0-9])[ \t]\S)"
)
_FEWEST_TAGS = 4
_PACKED = {
    # a file that only such an archive has: name
    "word/document.xml": Message("a Word document"),
    "ppt/presentation.xml": Message("a PowerPoint presentation"),
    "META-INF/container.xml": Message("an e-book (EPUB)"),
    "META-INF/manifest.xml": Message("an OpenDocument file"),
}
_NOT_READ = N_("{format}, which is not read; export it as {instead}")


def unread(text: str) -> str | None:
    """Return what a file is that no source reads, by how it begins.

    Returns
    -------
    str or None
        A `Message` that goes on after "it is"; None where it may be anything else.
    """
    if text.lstrip()[:1] == "<" and (root := _ROOT.match(text)):
        name, instead = _ROOTS.get(root[1].casefold(), (None, _REFERENCES))
        unknown = Message("XML of an unknown kind ({root})", root=root[1])
        return Message(_NOT_READ, format=name or unknown, instead=instead)
    for pattern, name, instead in _BEGINNINGS:
        if pattern.match(text):
            return Message(_NOT_READ, format=name, instead=instead)
    return None


def unread_office(path: Path, head: bytes) -> str | None:
    """Return what a file of an office program is that no source reads; as of `unread`."""
    names: set[str] = set()
    if head.startswith(b"PK"):
        with suppress(*ZIP_DAMAGES, OSError), zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    elif head.startswith(OLD_OFFICE) and path.suffix.lower() in (".doc", ".dot"):
        names = {"word/document.xml"}
    found = next((what for name, what in _PACKED.items() if name in names), None)
    return Message(_NOT_READ, format=found, instead=_TEXTS) if found else None


def unread_page() -> str:
    """Return that a web page is not read; as of `unread`."""
    instead = Message("RIS, PDF or plain text")
    return Message(_NOT_READ, format=Message("a web page"), instead=instead)


def no_prose(text: str) -> str | None:
    """Return what a text is that must not be taken for prose, though nothing reads it.

    Returns
    -------
    str or None
        A `Message` that goes on after "it is".
    """
    begin = text.lstrip()
    if begin[:1] in "{[" and re.match(
        r'(?:\{\s*"[^"\n]+"\s*:|\[\s*(?:\{\s*"|"[^"\n]*"\s*,))', begin
    ):
        return Message(_NOT_READ, format=Message("JSON of an unknown kind"), instead=_REFERENCES)
    lines = [line for line in text.splitlines()[:400] if line.strip()]
    tags = Counter(
        next(filter(None, match.groups())) for line in lines if (match := _TAGGED.match(line))
    )
    flush = sum(not line[0].isspace() for line in lines)
    is_many = len(tags) >= _FEWEST_TAGS and sum(tags.values()) > 0.6 * max(flush, 1)
    if is_many and sum(tags.values()) >= 5 and max(map(len, tags)) <= 24:
        unknown = Message("a list of tagged records in a format that is not known")
        return Message(_NOT_READ, format=unknown, instead=_REFERENCES)
    return None


def has_columns(text: str) -> bool:
    """Return whether lines are divided by tabulators, each into as many cells."""
    lines = [line for line in text.splitlines()[:50] if line.strip()][:20]
    counts = {line.count("\t") for line in lines}
    return len(lines) > 1 and len(counts) == 1 and counts.pop() > 0
