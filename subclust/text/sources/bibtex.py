"""BibTeX and biblatex files, entry by entry."""

import logging
import re
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
from subclust.text.sources.dates import read_date
from subclust.text.sources.fields import tagged_fields
from subclust.text.sources.latex import from_latex
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.textfile import TextFile

MOST_CHARACTERS = 4 << 20
"""Of one entry."""

_BEGIN = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
_SIGNS = re.compile(r"[\\{}\"]")
_PART = re.compile(r"\s*(?:#\s*)?(\{|\"|[^#\s{}\"]+)")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_OF_BABEL = {
    "acadian": "french", "american": "english", "australian": "english", "austrian": "german",
    "brazil": "portuguese", "brazilian": "portuguese", "british": "english", "canadian": "english",
    "canadien": "french", "francais": "french", "frenchb": "french", "germanb": "german",
    "magyar": "hungarian", "mexican": "spanish", "naustrian": "german", "newzealand": "english",
    "ngerman": "german", "nswissgerman": "german", "portuges": "portuguese",
    "swissgerman": "german", "ukenglish": "english", "usenglish": "english",
}  # fmt: skip
"""Languages as LaTeX calls them, for how words are divided."""

_OWN_ID = re.compile(r"id: (\S.*)")
_NOT_DECODED = frozenset({"doi", "url", "eprint", "file"})
_NO_DOCUMENTS = frozenset({"xdata", "set"})
_POINTER = re.compile(r"\b(?:crossref|xdata)\s*=\s*[{\"]?\s*([^{}\"]+)", re.IGNORECASE)
_WITHOUT_COMMA = re.compile(r"\s+([A-Za-z][\w:.-]*)\s*=\s*(?=[{\"\w])")
_KEY_WITHOUT_COMMA = re.compile(r"(\s*@\s*\w+\s*[{(])\s*([^\s,={}\"]*)\s+(?=[A-Za-z][\w-]*\s*=)")
_WITHOUT_KEY = re.compile(r"(\s*@\s*\w+\s*[{(])(?=\s*[A-Za-z][\w-]*\s*=)")
_COMMAS = re.compile(r",\s*(?=,)")
_NOT_INHERITED = frozenset(
    "abstract annotation annote author crossref doi eid eprint file key keywords label note pages "
    "pagetotal shorthand shorttitle title subtitle titleaddon url urldate xdata xref".split()
)
# bibtexparser logs what the report lists as rejected.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


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
        strings = {month[:3].lower(): month for month in _MONTHS}
        number = 0
        try:
            # A copy: while entries are read in order, a string holds only from its definition on.
            parents = _parents(looked, dict(strings))
            for block in _blocks(looked):
                if block.kind in ("comment", "preamble"):
                    continue
                if block.kind == "string":
                    _define(block.text, strings)
                    continue
                for entry in _parsed(block.text):
                    if isinstance(entry, Entry) and _is_only_pointed_to(entry, parents):
                        continue
                    number += 1
                    place = Message("entry {number} (line {line})", number=number, line=block.line)
                    yield self._entry(block, entry, place, strings, parents)
        except DAMAGES as error:
            yield cut_off(Message("after entry {number}", number=number), error)
            return
        if not number:
            raise FileFormatError(
                "{file} holds no BibTeX entry; choose another format or file.", file=self.path.name
            )

    def _entry(
        self,
        block: "_Block",
        entry: Entry | str,
        place: str,
        strings: dict[str, str],
        parents: "Parents",
    ) -> Document | Refusal:
        if len(block.text) > MOST_CHARACTERS:
            return Refusal(
                place,
                Message(
                    "It is longer than {size} MB, which is too long for an entry.",
                    size=MOST_CHARACTERS >> 20,
                ),
                Message("Look for a brace that is not closed."),
                "",
                excerpt(block.text),
            )
        if not isinstance(entry, Entry):
            return Refusal(
                place,
                Message("It cannot be parsed: {entry}", entry=entry),
                Message("Look for a brace, a quotation mark or a comma that is missing."),
                "",
                excerpt(block.text),
            )
        mended: list[str] = []
        values = _values(entry, strings, mended)
        _inherit(values, parents)
        return document(_fields(entry.key, values), place, self.collection, mended)


Values = dict[str, list[str]]
"""The values of each field of an entry; ``entrytype`` is one of them."""

Parents = dict[str, Values]
"""Entries that others point to, by their keys in lower case."""


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
        # One line past the limit is kept, so that `_entry` sees that the entry is too long.
        if kind and n_characters <= MOST_CHARACTERS + len(line):
            lines.append(line)
    if kind:
        yield _Block(kind, start, "".join(lines))


def _parsed(text: str) -> list[Entry | str]:
    """Take the entries of a block apart, or say in a sentence why one cannot be."""
    if len(text) > MOST_CHARACTERS:
        # One empty entry, which `_entry` rejects for its length; parsing it would take much memory.
        return [""]
    found = _split(text)
    # Only where nothing could be parsed: the repairs could spoil a valid entry.
    if not any(isinstance(one, Entry) for one in found):
        mended = _KEY_WITHOUT_COMMA.sub(r"\1\2, ", text, count=1)
        mended = _WITHOUT_KEY.sub(r"\1,", mended, count=1)
        again = _split(_COMMAS.sub("", mended))
        if again and all(isinstance(one, Entry) for one in again):
            return again
    return found or [Message("it has no key and no field.")]


def _split(text: str) -> list[Entry | str]:
    try:
        library: Library = Splitter(text).split()
    except Exception as error:  # anything at all from a damaged entry
        return [f"{excerpt(str(error))}."]
    found: list[Entry | str] = []
    for block in library.blocks:
        if isinstance(block, Entry):
            found.append(block)
        # A field given twice makes bibtexparser reject the entry; here both values count.
        elif isinstance(block, DuplicateFieldKeyBlock) and isinstance(
            block.ignore_error_block, Entry
        ):
            found.append(block.ignore_error_block)
        elif isinstance(block, ParsingFailedBlock):
            reason = getattr(block.error, "abort_reason", None) or str(block.error)
            found.append(f"{excerpt(str(reason).strip().rstrip('.'))}.")
    return found


def _parents(looked: TextFile, strings: dict[str, str]) -> Parents:
    """Read the entries that others point to, wherever in the file they are."""
    wanted = {
        key.strip().lower()
        for line in looked.lines()
        if "=" in line
        for pointer in _POINTER.finditer(line)
        for key in pointer[1].split(",")
    }
    found: Parents = {}
    for block in _blocks(looked) if wanted else ():
        if block.kind == "string":
            _define(block.text, strings)
        elif block.kind not in ("comment", "preamble"):
            for entry in _parsed(block.text):
                if isinstance(entry, Entry) and entry.key.lower() in wanted:
                    found[entry.key.lower()] = _values(entry, strings, [])
    return found


def _is_only_pointed_to(entry: Entry, parents: Parents) -> bool:
    untitled = not _titled(parents.get(entry.key.lower(), {"title": [""]}))
    return entry.entry_type.lower() in _NO_DOCUMENTS or untitled and entry.key.lower() in parents


def _inherit(values: Values, parents: Parents, depth: int = 0) -> None:
    """Add what an entry takes from those that it points to, as biblatex does."""
    for pointer in ("xdata", "crossref"):
        for key in ",".join(values.get(pointer, [])).split(","):
            parent = parents.get(key.strip().lower())
            # Entries may point to each other in a circle.
            if not parent or depth > 5:
                continue
            parent = dict(parent)
            _inherit(parent, parents, depth + 1)
            if pointer == "crossref":
                parent = _handed_down(parent, values["entrytype"][0])
            # `date` and `year` mean the same: with one of its own, an entry inherits neither.
            if {"date", "year"} & values.keys():
                parent = {k: v for k, v in parent.items() if k not in ("date", "year", "month")}
            if {"journal", "journaltitle", "booktitle"} & values.keys():
                parent = {
                    k: v
                    for k, v in parent.items()
                    if k not in ("journal", "journaltitle", "booktitle", "booksubtitle")
                }
            for name, given in parent.items():
                values.setdefault(name, given)


def _handed_down(parent: Values, type_: str) -> Values:
    """Return what a part has from its whole: the title of this one is where that one is in."""
    name = "journaltitle" if type_ in ("article", "suppperiodical") else "booktitle"
    title = _titled(parent)
    kept = {k: v for k, v in parent.items() if k not in _NOT_INHERITED}
    return {**kept, **({name: [title]} if title else {})}


def _define(text: str, strings: dict[str, str]) -> None:
    match = re.match(
        r"\s*@\s*string\s*[{(]\s*([^\s=]+)\s*=(.*)[})]\s*$", text, re.IGNORECASE | re.DOTALL
    )
    if match:
        strings[match[1].lower()] = _value_and_rest(match[2].strip(), strings)[0]


def _value_and_rest(text: str, strings: dict[str, str]) -> tuple[str, str]:
    """Put the parts of a value together; return it, and what follows a comma that is missing.

    Parts are in braces or quotation marks, numbers, or strings.
    """
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
        if _WITHOUT_COMMA.match(text, at):
            return "".join(parts).strip(), text[at:]
    return "".join(parts).strip(), ""


def _closing(text: str, at: int, mark: str) -> int:
    depth = 0
    while found := _SIGNS.search(text, at):
        sign, at = found[0], found.start()
        if sign == "\\":
            at += 1
        elif sign == mark and depth == 0:
            return at
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        at += 1
    return max(at, len(text))


def _values(entry: Entry, strings: dict[str, str], mended: list[str]) -> Values:
    values: Values = {"entrytype": [entry.entry_type.lower()]}
    for field in entry.fields:
        name, rest = field.key, str(field.value).strip()
        while name:
            value, rest = _value_and_rest(rest, strings)
            _put(values, name.strip().lower(), value)
            follows = _WITHOUT_COMMA.match(rest)
            name = follows[1] if follows else ""
            if follows:
                rest = rest[follows.end() :]
                mended.append(
                    Message("The comma before its field {field} was missing.", field=name)
                )
    return values


def _put(values: Values, name: str, value: str) -> None:
    if name in ("doi", "url"):
        value = re.sub(r"\\url\b|[{}]|\\(?=[_%&#$~])", "", value)
    # Names keep their braces until they are divided: in braces, "and" belongs to a name.
    elif name not in _NOT_DECODED and name not in ("author", "editor"):
        value = from_latex(value)
    if value.strip():
        values.setdefault(name, []).append(" ".join(value.split()))


def _fields(key: str, values: Values) -> dict[str, Any]:
    own = _OWN_ID.fullmatch(values.get("annotation", [""])[0])
    fields: dict[str, Any] = {
        **tagged_fields(values, "bibtex"),
        "number": own[1] if own else key,
        "title": _titled(values),
        "language": _languages(values),
        "authors": _names(values.get("author", [])),
        "editors": _names(values.get("editor", [])),
        "keywords": _keywords(values.get("keywords") or values.get("keyword") or []),
        "year": _date(values),
        # Without the look-behind, a long run of blanks would take quadratic time.
        "pages": re.sub(r"(?:(?<!\s)\s+)?(?:-+|–)\s*", "-", values.get("pages", [""])[0]),
    }
    published = values.get("howpublished", [""])[0]
    if found := re.search(r"https?://\S+", published):
        fields.setdefault("url", found[0])
    elif published:
        fields.setdefault("venue", published)
    return fields


def _titled(values: Values) -> str:
    title, below = values.get("title", [""])[0], values.get("subtitle", [""])[0]
    return f"{title}: {below}" if title and below else title or below


def _languages(values: Values) -> list[str]:
    given = values.get("language") or values.get("langid") or []
    return [_OF_BABEL.get(one.casefold(), one) for one in given]


def _names(authors: list[str]) -> list[str]:
    names: list[str] = []
    for one in authors:
        try:
            names += split_multiple_persons_names(one)
        except Exception:  # braces that do not close
            names += re.split(r"\s+and\s+", one)
    written = (" ".join(from_latex(name).split()) for name in names)
    return [name for name in written if name.casefold() not in ("others", "et al", "et al.")]


def _keywords(given: list[str]) -> list[str]:
    mark = ";" if any(";" in one for one in given) else ","
    return [word.strip() for one in given for word in one.split(mark) if word.strip()]


def _date(values: Values) -> str:
    date, year = values.get("date", [""])[0], values.get("year", [""])[0]
    month = values.get("month", [""])[0]
    if date and (not year or date.startswith(year)):
        return date
    if re.fullmatch(r"\d{4}", year) and month:
        if month.isdecimal():
            return f"{year}-{int(month):02d}" if 1 <= int(month) <= 12 else year
        return read_date(f"{month} {year}") or year
    return year
