"""BibTeX and biblatex files, entry by entry."""

import logging
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bibtexparser.library import Library
from bibtexparser.middlewares.names import split_multiple_persons_names
from bibtexparser.model import DuplicateFieldKeyBlock, Entry, ParsingFailedBlock
from bibtexparser.splitter import Splitter

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import DAMAGES, Document, Refusal, Source, cut_off
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.textfile import TextFile

MOST_CHARACTERS = 4 << 20
"""Of one entry."""

_BEGIN = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
_PART = re.compile(r"\s*(?:#\s*)?(\{|\"|[^#\s{}\"]+)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NOT_DECODED = frozenset({"doi", "url", "eprint", "file"})
_VENUES = ("journal", "journaltitle", "booktitle", "maintitle", "series", "howpublished")
_KEPT = {
    "publisher": "publisher", "volume": "volume", "number": "issue", "pages": "pages",
    "isbn": "isbn", "issn": "issn", "note": "notes", "database": "source", "source": "source",
    "copyright": "licence",
}  # fmt: skip

# It tells on standard error what is told in refusals.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_SIGNS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textbraceleft": "{", "textbraceright": "}", "textunderscore": "_", "textdollar": "$",
    "textless": "<", "textgreater": ">", "textbar": "|", "textendash": "–", "textemdash": "—",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "ldots": "…", "dots": "…",
    "textellipsis": "…", "textdegree": "°", "textmu": "µ", "texttimes": "×", "textpm": "±",
    "textregistered": "®", "texttrademark": "™", "textcopyright": "©", "copyright": "©",
    "textsection": "§", "S": "§", "P": "¶", "pounds": "£", "euro": "€", "texteuro": "€",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "newblock": "", "slash": "/",
}  # fmt: skip
_PLAIN = frozenset(
    "emph textit textbf textsl textsc textrm texttt textsf textup textmd text mbox hbox url "
    "path nolinkurl ensuremath textsuperscript textsubscript uppercase lowercase".split()
)
"""Macros of which what they hold is left."""

_TOKEN = re.compile(
    r"(?P<math>(?<!\\)\$(?:[^$\\]|\\.)*\$)"
    r"|\\(?P<accent>[`'^~=.\"])\s*(?:\{\s*(?P<a1>\\?[A-Za-z])\s*\}|(?P<a2>\\?[A-Za-z]))"
    r"|\\(?P<letter>[urHvdckb])(?:\s*\{\s*(?P<l1>\\?[A-Za-z])\s*\}|\s+(?P<l2>[A-Za-z]))"
    r"|\\(?P<macro>[A-Za-z]+)(?P<after>\*?(?:\s*\{\}|\s+(?=[A-Za-z])|))"
    r"|\\(?P<sign>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<tie>~)",
    re.DOTALL,
)


class BibTex(Source):
    """BibTeX of Zotero, JabRef, Mendeley, Scopus, publishers and by hand.

    An entry's key is its id; strings (``@string``) are put in where they are used; accents in LaTeX
    become letters. An entry whose braces do not close ends where a line begins the next one.
    """

    label = "BibTeX"

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the entries in order.

        Raises
        ------
        FileFormatError
            If the file is no text, or has no entry.
        """
        looked = TextFile.of(self)
        strings = dict(zip(_MONTHS, map(str, range(1, 13)), strict=True))
        number = 0
        try:
            for block in _blocks(looked):
                if block.kind in ("comment", "preamble"):
                    continue
                if block.kind == "string":
                    _define(block.text, strings)
                    continue
                number += 1
                yield self._entry(
                    block,
                    Message("entry {number} (line {line})", number=number, line=block.line),
                    strings,
                )
        except DAMAGES as error:
            yield cut_off(Message("after entry {number}", number=number), error)
            return
        if not number:
            raise FileFormatError(
                "{file} holds no BibTeX entry; choose another format or file.", file=self.path.name
            )

    def _entry(self, block: "_Block", place: str, strings: dict[str, str]) -> Document | Refusal:
        if len(block.text) > MOST_CHARACTERS:
            return Refusal(
                place,
                Message(
                    "It is longer than {size} MB, which no entry is.", size=MOST_CHARACTERS >> 20
                ),
                Message("Look for a brace that is not closed."),
                "",
                excerpt(block.text),
            )
        entry = _parsed(block.text)
        if not isinstance(entry, Entry):
            return Refusal(
                place,
                Message("It cannot be taken apart: {entry}", entry=entry),
                Message("Look for a brace, a quotation mark or a comma that is missing."),
                "",
                excerpt(block.text),
            )
        return document(_fields(entry, strings), place, self.collection)


@dataclass(frozen=True)
class _Block:
    kind: str
    line: int
    text: str


def _blocks(looked: TextFile) -> Iterator[_Block]:
    """Divide a file at the lines that begin an entry, as bibtexparser does to recover."""
    kind, start, lines, n_characters = "", 0, list[str](), 0
    for number, line in enumerate(looked.lines(), start=1):
        if begin := _BEGIN.match(line):
            if kind:
                yield _Block(kind, start, "".join(lines))
            kind, start, lines, n_characters = begin[1].lower(), number, [], 0
        n_characters += len(line)
        if kind and n_characters <= MOST_CHARACTERS + len(line):
            lines.append(line)
    if kind:
        yield _Block(kind, start, "".join(lines))


def _parsed(text: str) -> Entry | str:
    """Take an entry apart, or say in a sentence why it cannot be."""
    try:
        library: Library = Splitter(text).split()
    except Exception as error:  # anything at all from a damaged entry
        return f"{excerpt(str(error))}."
    for block in library.blocks:
        if isinstance(block, Entry):
            return block
        if isinstance(block, DuplicateFieldKeyBlock) and isinstance(
            block.ignore_error_block, Entry
        ):
            return block.ignore_error_block
        if isinstance(block, ParsingFailedBlock):
            reason = getattr(block.error, "abort_reason", None) or str(block.error)
            return f"{excerpt(str(reason).strip().rstrip('.'))}."
    return "it has no key and no field."


def _define(text: str, strings: dict[str, str]) -> None:
    match = re.match(
        r"\s*@\s*string\s*[{(]\s*([^\s=]+)\s*=(.*)[})]\s*$", text, re.IGNORECASE | re.DOTALL
    )
    if match:
        strings[match[1].lower()] = _value(match[2], strings)


def _value(raw: Any, strings: dict[str, str]) -> str:
    """Put the parts of a value together: in braces, in quotation marks, numbers and strings."""
    text = str(raw).strip()
    parts, at = [], 0
    while found := _PART.match(text, at):
        opening = found[1]
        if opening in ("{", '"'):
            end = _closing(text, found.end(), "}" if opening == "{" else '"')
            parts.append(text[found.end() : end])
            at = end + 1
        else:
            parts.append(strings.get(opening.lower(), opening))
            at = found.end()
            if not text[at:].lstrip().startswith("#"):
                parts.append(" " if text[at:].strip() else "")
    return "".join(parts).strip()


def _closing(text: str, at: int, mark: str) -> int:
    depth = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif sign == mark and depth == 0:
            return at
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        at += 1
    return at


def _fields(entry: Entry, strings: dict[str, str]) -> dict[str, Any]:
    values: dict[str, list[str]] = {}
    for field in entry.fields:
        name, value = field.key.strip().lower(), _value(field.value, strings)
        if name not in _NOT_DECODED and name not in ("author", "editor"):
            value = _from_latex(value)
        if value.strip():
            values.setdefault(name, []).append(" ".join(value.split()))
    fields: dict[str, Any] = {
        "number": entry.key,
        "title": _titled(values),
        "text": values.get("abstract", []),
        "authors": _names(values.get("author") or values.get("editor") or []),
        "year": _date(values),
        "venue": next((values[name][0] for name in _VENUES if values.get(name)), ""),
        "doi": values.get("doi", [""])[0],
        "url": values.get("url", [""])[0],
        "keywords": _keywords(values.get("keywords") or values.get("keyword") or []),
        "language": (values.get("language") or values.get("langid") or [""])[0],
    }
    for theirs, ours in _KEPT.items():
        if values.get(theirs) and not fields.get(ours):
            fields[ours] = values[theirs][0]
    return fields


def _titled(values: dict[str, list[str]]) -> str:
    title, below = values.get("title", [""])[0], values.get("subtitle", [""])[0]
    return f"{title}: {below}" if title and below else title or below


def _names(authors: list[str]) -> list[str]:
    names: list[str] = []
    for one in authors:
        try:
            names += split_multiple_persons_names(one)
        except Exception:  # braces that do not close
            names += re.split(r"\s+and\s+", one)
    return [" ".join(_from_latex(name).split()) for name in names]


def _keywords(given: list[str]) -> list[str]:
    mark = ";" if any(";" in one for one in given) else ","
    return [word.strip() for one in given for word in one.split(mark) if word.strip()]


def _date(values: dict[str, list[str]]) -> str:
    date, year = values.get("date", [""])[0], values.get("year", [""])[0]
    month = values.get("month", [""])[0]
    if date and (not year or date.startswith(year)):
        return date
    if re.fullmatch(r"\d{4}", year) and month.isdecimal() and 1 <= int(month) <= 12:
        return f"{year}-{int(month):02d}"
    return year


def _from_latex(text: str) -> str:
    """Write a LaTeX text in letters.

    Formulas between dollar signs and macros that are not known stay as they are written, so that
    nothing is lost.
    """
    if not any(sign in text for sign in "\\{}~"):
        return text
    return unicodedata.normalize("NFC", _TOKEN.sub(_letters, text))


def _letters(match: re.Match[str]) -> str:
    if match["math"] is not None:
        return match["math"]
    if match["brace"] is not None:
        return ""
    if match["tie"] is not None:
        return " "
    if match["accent"] or match["letter"]:
        base = match["a1"] or match["a2"] or match["l1"] or match["l2"] or ""
        return base.removeprefix("\\") + _ACCENTS[match["accent"] or match["letter"]]
    if match["sign"] is not None:
        return {",": " ", ";": " ", "-": "", "/": "", "\\": " ", "\n": " "}.get(
            match["sign"], match["sign"]
        )
    name = match["macro"]
    if name in _SIGNS:
        return _SIGNS[name]
    return "" if name in _PLAIN else match[0]
