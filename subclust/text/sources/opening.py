"""From the name of a file to the source that reads it."""

import csv
import importlib
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.storage.damaged import ZIP_DAMAGES
from subclust.text.sources import SOURCES
from subclust.text.sources.base import DAMAGES, Source, absent, collection_of
from subclust.text.sources.contents import HEAD, OLD_OFFICE, content_of, has_controls
from subclust.text.sources.decoding import wide_encoding
from subclust.text.sources.encodings import settled
from subclust.text.sources.fields import field_of
from subclust.text.sources.record import TEXT_COLUMNS
from subclust.text.sources.unpacking import opened
from subclust.text.sources.unread import has_columns, no_prose, unread, unread_office, unread_page

_LEADER = re.compile(rb"\s*\d{5}[\x20-\x7e]{4}[ a][\x20-\x7e]{2}\d{5}[\x20-\x7e]{3}")
_PACKED_PICA = re.compile(rb"\s*[\x1d\x1e]?\s*0\d\d[A-Z@](?:/\d+)? ?\x1f\w")
_XML = (
    ("wikidump", re.compile(r"<mediawiki\b")),
    ("pubmed", re.compile(r"<Pubmed(?:Article|BookArticle)\b|<PubmedArticleSet\b")),
    ("zotero-rdf", re.compile(r"zotero\.org/namespaces/export#")),
    ("mods", re.compile(r"<(?:\w+:)?mods(?:Collection)?\b|loc\.gov/mods/v3")),
    ("pica-xml", re.compile(r"schema/5/picaXML|<(?:\w+:)?datafield[^>]*\btag=.[012]\d\d[A-Z@].")),
    ("dublin-core", re.compile(r"<(?:\w+:)?OAI-PMH\b|<oai_dc:dc\b|purl\.org/dc/elements")),
    (
        "marcxml",
        re.compile(
            r"loc\.gov/MARC21/slim|<(?:\w+:)?datafield\b|loc\.gov/zing/srw|ns/search-ws",
            re.IGNORECASE,
        ),
    ),
    ("endnote-xml", re.compile(r"<ref-type\b|<xml>\s*<records>|<source-app\b")),
    ("jats", re.compile(r"<(?:pmc-articleset|article-meta|front)\b|<article\b[^>]*>", re.DOTALL)),
)
_MARC_JSON = re.compile(
    r'"leader"\s*:\s*".{5,40}"|"fields"\s*:\s*\[\s*\{\s*"\d\d\d"\s*:|"(?:data|control)fields?"\s*:'
)
# The first match counts. RIS comes twice: files without first tags are known by end marks.
_LINES = (
    ("ris", re.compile(r"^[ \ufeff]{0,3}(?:TY|ty)[ \t]{0,3}[-–][ \t]*[A-Z]", re.MULTILINE)),
    ("pica", re.compile(r"^(?:00[12]@|003@|001A|021A)(?:/\d+)? ?[$ƒ\x1f]", re.MULTILINE)),
    (
        "nbib",
        re.compile(r"^(?:PMID ?- ?\d|(?:OWN|FAU|STAT|LID|AID|JT|DCOM) {0,2}- \w)", re.MULTILINE),
    ),
    ("ris", re.compile(r"^ER {1,2}-\s*$", re.MULTILINE)),
    ("wos", re.compile(r"^(?:FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\s*$)", re.MULTILINE)),
    ("ovid", re.compile(r"^<\s*\d+\s*\.?\s*>\s*$", re.MULTILINE)),
    (
        "refworks",
        re.compile(
            r"^RT [A-Z][a-z]+.*\n(?:[A-Z][A-Z\d] .*\n){0,60}?(?:A1|T1|JF|SR) ", re.MULTILINE
        ),
    ),
    ("endnote", re.compile(r"\A\s*%[0A-Z] ")),
    ("pubmed-summary", re.compile(r"\A\s*1: (?:[^\n]*\n){0,8}?[^\n]*\bPMID: \d")),
    ("bibtex", re.compile(r"^\s*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE)),
)
_RDF = re.compile(r"<rdf:RDF\b")
_WEB_PAGE = re.compile(r"<!doctype html|<html\b", re.IGNORECASE)


def open_source(
    path: Path,
    format: str = "auto",
    collection: str | None = None,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Source:
    """Choose the reader of a file. At most its beginning is read yet.

    Parameters
    ----------
    path : Path
    format : str
        A key of `SOURCES`, or ``"auto"``: by what the file holds, then by its ending.
    collection : str, optional
        Name that its passages carry; by default the file's name without its endings.
    encoding : str, optional
        What its text is in; by default what its bytes say.
    columns : mapping of str to str, optional
        Of a table, our field and the head that has it, where its owner says so.

    Raises
    ------
    InputError
        If the format or the encoding is unknown.
    FileFormatError
        If neither content nor ending says what it is, or there is no such file.
    """
    if format != "auto" and format not in SOURCES:
        raise InputError(
            "The format must be auto or one of {formats}, but is {name!r}.",
            formats=", ".join(SOURCES),
            name=format,
        )
    if not path.is_file():
        raise absent(path)
    name = format if format != "auto" else _format_of(path)
    # Whoever names columns means a table, even if it has no known heading.
    if columns and name == "text" and format == "auto":
        name = "csv"
    known = settled(encoding) if encoding else None
    module, _, attribute = SOURCES[name].loader.partition(":")
    loaded = getattr(importlib.import_module(module), attribute)
    source: Source = loaded(path, collection or collection_of(path))
    source.encoding, source.is_named = known, bool(collection)
    if columns and hasattr(source, "columns"):
        source.columns = columns
    return source


def _format_of(path: Path) -> str:
    name = format_of(path)
    if name is not None:
        return name
    head = _head_of(path)
    other = unread_office(path, head) or _other_content(head) or content_of(head)
    if other is not None:
        raise FileFormatError("{file} is {content}.", file=path.name, content=other)
    known = sorted({ending for card in SOURCES.values() for ending in card.extensions})
    raise FileFormatError(
        "The format of {file} is clear neither from its content nor from its extension; known "
        "extensions are {endings}. Rename the file, or name its format with --format.",
        file=path.name,
        endings=", ".join(known),
    )


def format_of(path: Path) -> str | None:
    """Return the format of a file: a key of `SOURCES`, or None where nothing tells it."""
    head = _head_of(path)
    if head.startswith(b"PK"):
        name = _of_zip(path)
        return name if name == "xls" or not unread_office(path, head) else None
    if unread_office(path, head):
        return None
    return _format_of_head(head) or _of_false_workbook(path, head) or _by_ending(path, head)


def _of_zip(path: Path) -> str:
    """Return which of the formats that are packed as ZIP a file is."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            is_table = False
            if "mimetype" in names:
                with archive.open("mimetype") as stream:  # which may unpack to far more
                    is_table = b"spreadsheet" in stream.read(100)
    except (*ZIP_DAMAGES, OSError):
        return "zip" if path.suffix.lower() == ".zip" else "xlsx"
    if is_table or "xl/workbook.bin" in names:
        return "xls"
    office = {"[Content_Types].xml", "mimetype", "xl/workbook.xml"} & names
    return "xlsx" if office or path.suffix.lower() in (".xlsx", ".xlsm") else "zip"


def _of_false_workbook(path: Path, head: bytes) -> str | None:
    """Return the format of a web page or an XML file that is called a workbook."""
    if (
        path.suffix.lower() in (".xls", ".xlsx", ".xlt")
        and head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"<"
    ):
        return "web-table"
    return "web-table" if b"urn:schemas-microsoft-com:office:spreadsheet" in head[:4096] else None


def _head_of(path: Path) -> bytes:
    """Read the beginning of a file, unpacked; what cannot be read is empty."""
    try:
        with opened(path) as stream:
            return stream.read(HEAD)
    except DAMAGES:
        return b""


def _format_of_head(head: bytes) -> str | None:
    """Return the format of a file by its beginning; None where it says nothing, as plain text."""
    # PDF readers accept the header anywhere in the first 1,024 bytes.
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(OLD_OFFICE):
        return "xls"
    text = _text_of_head(head)
    if _PACKED_PICA.match(head):
        return "pica"
    marks = b"\x1e" in head and (b"\x1f" in head or _LEADER.match(head) is not None)
    if marks and wide_encoding(head) is None:  # letters of UTF-16 may have such bytes
        return "marc"
    begin = text.lstrip()
    if begin.startswith("<") and not re.match(r"<\s*\d+\s*\.?\s*>", begin):
        return _of_xml(begin)
    if begin.startswith(("{", "[")) and (name := _of_json(begin)):
        return name
    if name := _of_table(begin):  # first, since a cell may hold lines that look like records
        return name
    return next((name for name, pattern in _LINES if pattern.search(text)), None)


def _other_content(head: bytes) -> str | None:
    """Return what a file is that no source reads, where that can be told; it goes on after "is"."""
    text = _text_of_head(head)
    if _WEB_PAGE.search(text):
        return unread_page()
    return unread(text) or (None if has_controls(head) else no_prose(text))


def _text_of_head(head: bytes) -> str:
    """Decode the beginning of a text well enough to recognise it."""
    text = head.decode(wide_encoding(head) or "utf-8", "replace").lstrip("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _of_xml(text: str) -> str | None:
    is_other_rdf = "zotero.org/namespaces" not in text and _RDF.search(text)
    if is_other_rdf or _WEB_PAGE.search(text):
        return None
    return next((name for name, pattern in _XML if pattern.search(text)), None)


def _of_json(text: str) -> str | None:
    if re.search(r'"itemType"\s*:', text):
        return "zotero"
    if _MARC_JSON.search(text):
        return "marc-json"
    line, _, rest = text.partition("\n")
    if text.startswith("{"):
        if not rest.lstrip().startswith("{"):  # one object, not one a line
            from subclust.text.sources.json_fields import list_path

            path = list_path(text)
            if path or (path is not None and rest.strip()):
                return "csl-json"
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            # The line may only be longer than what was read of the file.
            return "jsonl" if '"' in line and len(line) > 2 else None
        return "jsonl"
    return "csl-json" if re.match(r"\[\s*(\{|\]|$)", text) else None


def _of_table(text: str) -> str | None:
    line = next((line for line in text.splitlines() if line.strip()), "")
    if re.match(r'"?sep=[,;\t|]"?\s*$', line, re.IGNORECASE):
        line = "".join(text.splitlines()[1:2])
    for separator, name in (("\t", "tsv"), (",", "csv"), (";", "csv"), ("|", "csv")):
        try:
            cells = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            continue
        if len(cells) > 1 and {field_of(cell) for cell in cells} & set(TEXT_COLUMNS):
            return name
    return None


def _by_ending(path: Path, head: bytes) -> str | None:
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    name = next((card.name for card in SOURCES.values() if ending in card.extensions), None)
    text = _text_of_head(head)
    if name == "text" and has_columns(text):
        return "tsv"
    if unread(text) or _WEB_PAGE.match(text.lstrip()) or name == "text" and no_prose(text):
        return None
    return name
