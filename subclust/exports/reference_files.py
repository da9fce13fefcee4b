"""Records as RIS, BibTeX, CSL JSON and MARCXML, written as the table of fields has them."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pymarc

from subclust.exports.reference import ISO_DATE, Reference, divided
from subclust.text.sources.fields import FIELDS
from subclust.text.sources.kinds import MARC_KINDS

_KEY = re.compile(r"[^\s,{}()=#%\"'~\\]+")
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
_LIGATURE = re.compile(r"(['`-])(?=\1)")
"""Two of these become a quotation mark or a dash."""

_VERBATIM = frozenset({"doi", "url"})
_IN_BOOKS = frozenset({"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"})
_RANGE = re.compile(r"([^-\s,;]+)-([^-\s,;]+)")
_LEADERS = {kind: code for code, kind in reversed(MARC_KINDS.items())}


def write_ris(references: Iterable[Reference], stream: BinaryIO) -> None:
    """Write a record for each reference."""
    for one in references:
        lines = [("TY", one.kind.ris[0]), ("ID", one.id), *_ris(one), ("ER", "")]
        stream.write("".join(f"{tag}  - {value}\r\n" for tag, value in lines).encode())
        stream.write(b"\r\n")


def _ris(one: Reference) -> Iterator[tuple[str, str]]:
    for field in FIELDS:
        tag = "SN" if field.name == "isbn" else next(iter(field.ris), "")
        for value in one.fields.get(field.name, ()) if tag not in ("", "TY", "ID") else ():
            if field.name == "date" and ISO_DATE.fullmatch(value):
                # RIS writes dates with slashes.
                yield tag, value.replace("-", "/")
            elif field.name == "pages" and (ends := _RANGE.fullmatch(value)):
                yield from (("SP", ends[1]), ("EP", ends[2]))
            else:
                yield tag, value


def write_bibtex(references: Iterable[Reference], stream: BinaryIO) -> None:
    """Write an entry for each reference; types and fields are those of biblatex.

    Programs divide keywords at commas, so that in an answer's file a comma in a group's name is
    written as " / "; the note has the name as it is.
    """
    keys: set[str] = set()
    for one in references:
        key = one.id if one.group is None and _KEY.fullmatch(one.id) else _entry_key(one)
        if key in keys:  # the same record in two collections; LaTeX reads the first alone
            key = f"{key}-{len(keys)}"
        keys.add(key)
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _bibtex(one, key))
        type_ = next(iter(one.kind.bibtex), "misc")
        stream.write(f"@{type_}{{{key},\n{fields}}}\n\n".encode())


def _bibtex(one: Reference, key: str) -> Iterator[tuple[str, str]]:
    for field in FIELDS:
        values = one.fields.get(field.name, ()) if field.bibtex else ()
        if not values or field.name in ("number", "type"):
            continue
        name, value = field.bibtex[0], "; ".join(values)
        if field.name in ("authors", "editors"):
            yield name, " and ".join(_bibtex_name(*divided(person)) for person in values)
        elif field.name == "keywords":
            yield name, _latex(_joined_keywords(one))
        elif field.name == "venue" and one.kind.name in _IN_BOOKS:
            yield "booktitle", _latex(value)
        elif field.name == "year" and one.get("date") and not ISO_DATE.fullmatch(one.get("date")):
            yield name, _latex(one.get("date"))
        elif field.name == "date" and not ISO_DATE.fullmatch(value):
            continue  # in words, which the year may be
        else:
            yield name, _verbatim(value) if field.name in _VERBATIM else _latex(value)
    if key != one.id:
        yield "annotation", _latex(f"id: {one.id}")


def write_csl(references: Iterable[Reference], stream: BinaryIO) -> None:
    """Write a list with an item for each reference; its keywords are categories, too."""
    before = "[\n"
    for one in references:
        stream.write((before + json.dumps(_item(one), ensure_ascii=False)).encode())
        before = ",\n"
    stream.write(b"[]\n" if before == "[\n" else b"\n]\n")


def _item(one: Reference) -> dict[str, Any]:
    item: dict[str, Any] = {"id": one.id, "type": one.kind.name}
    for field in FIELDS:
        values = one.fields.get(field.name, ()) if field.csl else ()
        if not values or field.name in ("number", "type", "year"):
            continue
        name = field.csl[0]
        if field.name in ("authors", "editors"):
            item[name] = [_csl_name(*divided(person)) for person in values]
        elif field.name == "keywords":
            item |= {name: _joined_keywords(one), "categories": list(values)}
        else:
            item[name] = "; ".join(values)
    date = one.get("date") or one.get("year")
    if ISO_DATE.fullmatch(date):
        item["issued"] = {"date-parts": [[int(part) for part in date.split("-")]]}
    elif date:
        item["issued"] = {"literal": date}
    return item


def _csl_name(family: str, given: str) -> dict[str, str]:
    return {"family": family, "given": given} if given else {"literal": family}


def write_marcxml(references: Iterable[Reference], stream: BinaryIO) -> None:
    """Write a record for each reference in MARCXML; the exact date goes to field 046."""
    writer = pymarc.XMLWriter(stream)
    for one in references:
        record = pymarc.Record()
        code = _LEADERS.get(one.kind.name if "type" in one.fields else "")
        code = code or ("aa" if "venue" in one.fields else "am")
        record.leader = pymarc.Leader(f"00000n{code} a2200000 i 4500")
        controls = [("001", one.id), *(("003", value) for value in one.fields.get("source", ()))]
        record.fields += [pymarc.Field(tag=tag, data=value) for tag, value in controls]
        record.fields += sorted(
            (_data_field(tag, *rest) for tag, *rest in _marc(one)), key=lambda field: field.tag
        )
        writer.write(record)
    writer.close(close_fh=False)


def _marc(one: Reference) -> Iterator[tuple[Any, ...]]:
    """Yield tag, indicators, and code and value of each subfield."""
    hosted = not {"venue", "volume", "issue"}.isdisjoint(one.fields)
    for number, name in enumerate(one.fields.get("authors", ())):
        tag, first = ("700" if number else "100"), "1" if "," in name else "0"
        yield tag, f"{first} ", ("a", name)
    for name in one.fields.get("editors", ()):
        yield "700", "1 " if "," in name else "0 ", ("a", name), ("e", "editor"), ("4", "edt")
    if one.kind.name not in _LEADERS and "type" in one.fields:
        yield "655", " 4", ("a", one.kind.refer)
    date = one.get("date")
    if is_exact := bool(ISO_DATE.fullmatch(date)):
        told = date.replace("-", "") if len(date) > 7 else date  # six digits would be no month
        yield "046", "  ", ("k", told), ("2", "iso8601")
    dated = one.get("year") if is_exact or not date else date
    for tag, parts in {
        "264": (("a", one.get("place")), ("b", one.get("publisher")), ("c", dated)),
        "773": (
            *(("g", f"{word}:{one.get(name)}") for name, word in _ENUMERATION.items()
              if one.get(name) and hosted),
            ("t", one.get("venue")),
            *(("x", issn) for issn in one.fields.get("issn", ()) if hosted),
        ),
        "300": (("a", "" if hosted else one.get("pages")),),
    }.items():  # fmt: skip
        if kept := [(code, value) for code, value in parts if value]:
            yield tag, _INDICATORS.get(tag, "  "), *kept
    for field in FIELDS:
        if field.name in _WRITTEN or not field.marc or (field.name == "issn" and hosted):
            continue
        tag, code = field.marc[-1 if field.name == "issn" else 0].split()
        for value in one.fields.get(field.name, ()):
            scheme = (("2", field.name),) if tag == "024" else ()
            yield tag, _INDICATORS.get(tag, "  "), (code, value), *scheme


_ENUMERATION = {"volume": "volume", "issue": "number", "pages": "pages"}
_WRITTEN = frozenset(
    {"number", "authors", "editors", "year", "date", "place", "publisher", "venue", "source",
     *_ENUMERATION}
)  # fmt: skip
_INDICATORS = {"024": "7 ", "245": "00", "264": " 1", "490": "0 ", "520": "3 ", "773": "0 ",
               "856": "40"}  # fmt: skip


def _data_field(tag: str, indicators: str, *subfields: tuple[str, str]) -> pymarc.Field:
    return pymarc.Field(
        tag=tag,
        indicators=pymarc.Indicators(*indicators),
        subfields=[pymarc.Subfield(code, value) for code, value in subfields],
    )


def _joined_keywords(one: Reference) -> str:
    """Join keywords at commas, or where one of them has a comma at semicolons."""
    words = one.fields.get("keywords", ())
    if one.group is not None:
        words = tuple(re.sub(r"(?:(?<!\s)\s+)?[,;]\s*", " / ", word) for word in words)
    if not any("," in word for word in words):
        return ", ".join(words)
    # A trailing semicolon keeps readers from splitting a single keyword at its comma.
    return "; ".join(words) + (";" if len(words) == 1 else "")


def _latex(text: str) -> str:
    """Escape the signs that mean something to LaTeX."""
    return _LIGATURE.sub(r"\1{}", text.translate(_SIGNS))


def _verbatim(address: str) -> str:
    """Leave an address as it is, which these fields are made for, but for what ends the field."""
    for sign, code in (("{", "%7B"), ("}", "%7D"), ("\\", "%5C")):
        address = address.replace(sign, code)
    return address


def _bibtex_name(family: str, given: str) -> str:
    """Write a person's name so that BibTeX divides it as it is divided here."""
    # In braces a name is not divided, and "and" in it is not the next author's beginning.
    return f"{_undivided(family)}, {_undivided(given)}" if given else f"{{{_latex(family)}}}"


def _undivided(part: str) -> str:
    return f"{{{_latex(part)}}}" if re.search(r"\band\b", part, re.IGNORECASE) else _latex(part)


def _entry_key(one: Reference) -> str:
    """Name an entry by its first author or title, its year, and a digest of its id.

    The same passage has the same key in every export.
    """
    begin = one.people[0][0] if one.people else one.get("title")
    plain = unicodedata.normalize("NFKD", begin).encode("ascii", "ignore").decode()
    word = re.sub(r"[^A-Za-z0-9]", "", plain.split(" ")[0] if plain else "") or "passage"
    digest = hashlib.sha256(one.id.encode()).hexdigest()[:8]
    return f"{word[:24].lower()}{one.get('year')[:4]}-{digest}"
