"""PICA+, the format of union catalogues in Germany and the Netherlands, plain and from XML."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import DAMAGES, Document, Refusal, Source, cut_off, too_long
from subclust.text.sources.record import document
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.xml_records import children, text_of

PICA_TAG = re.compile(r"[012]\d\d[A-Z@]")

_LINE = re.compile(r"(?P<tag>[012]\d\d[A-Z@])(?:/\d{1,3})?\s*(?P<rest>[$ƒ\x1f].*)")
_PACKED = re.compile(r"(?P<tag>[012]\d\d[A-Z@])(?:/\d{1,3})? ?(?P<rest>\x1f.*)", re.DOTALL)
_SORTED_FROM = re.compile(r"(^|[\s'’])@(?=\w)")
_MOST_FIELDS = 20_000
"""Of one record; those with all their copies have some thousand."""

_EDITOR = re.compile(r"edt|hrsg|herausg|editor|ed\.", re.IGNORECASE)
_KINDS = {"K": "map", "M": "song", "G": "song", "B": "motion_picture", "H": "manuscript",
          "L": "manuscript", "I": "graphic"}  # fmt: skip
_LEVELS = {"a": "book", "f": "book", "F": "book", "c": "book", "b": "periodical",
           "d": "periodical", "s": "article-journal", "o": "article-journal"}  # fmt: skip

Subfields = Sequence[tuple[str, str]]
Values = Mapping[str, list[Subfields]]
"""The subfields of each field of a tag."""


def pica_values(element: Any) -> dict[str, list[Subfields]]:
    """Return the fields of a ``record`` element of PICA+ XML."""
    values: dict[str, list[Subfields]] = {}
    for field in children(element, "datafield"):
        subfields = [(one.get("code", ""), text_of(one)) for one in children(field, "subfield")]
        values.setdefault(field.get("tag", ""), []).append(subfields)
    return values


def fields_of_pica(values: Values) -> dict[str, Any]:
    """Return the fields of a record of PICA+.

    Title from 021A, names from 028A to 030F, year from 011@, publisher from 033A, what it stands in
    from 039B and 031A, subjects from 041A and 044A to 044N, abstract from 047I.

    Returns
    -------
    dict
        By our names; lists where there can be several values.
    """
    ppn = _first(values, "003@", "0")
    code = _first(values, "002@", "0")
    part = values.get("036C", [])
    return {
        "number": ppn,
        "control": f"PPN:{ppn}" if ppn else "",
        "title": _title(values, part),
        "text": _all(values, ("047I",), "a"),
        **_people(values),
        "year": _first(values, "011@", "a") or _first(values, "031A", "j"),
        "type": "thesis" if "037C" in values
        else _KINDS.get(code[:1], _LEVELS.get(code[1:2], "")),
        "venue": _plain(_first(values, "039B", "t", "a") or _first(values, "027D", "a")),
        "volume": _first(values, "031A", "d") or (_first(values, "036C", "l") if part else ""),
        "issue": _first(values, "031A", "e"),
        "pages": _first(values, "031A", "h") or _first(values, "034D", "a"),
        "issn": _first(values, "039B", "I") or _all(values, ("005A",), "0", "A"),
        "isbn": _all(values, ("004A",), "A", "0"),
        "edition": _first(values, "032@", "a"),
        "publisher": _first(values, "033A", "n"),
        "place": _first(values, "033A", "p"),
        "series": _plain(_first(values, "036E", "a") or _first(values, "036F", "a")),
        "doi": _first(values, "004V", "0"),
        "url": next(iter(_all(values, ("017C", "009Q", "009P"), "u", "a")), ""),
        "keywords": list(_subjects(values)),
        "language": _all(values, ("010@",), "a"),
        "notes": [
            *(" ".join(text for code, text in one if code in "abdef")
              for tag in ("037A", "037C", "046L") for one in values.get(tag, ())),
            *_all(values, ("047C",), "a"),
        ],
    }  # fmt: skip


def _all(values: Values, tags: Sequence[str], *codes: str) -> list[str]:
    return [
        text for tag in tags for field in values.get(tag, ()) for code, text in field
        if code in codes and text
    ]  # fmt: skip


def _first(values: Values, tag: str, *codes: str) -> str:
    return next((text for code in codes for text in _all(values, (tag,), code)), "")


def _plain(text: str) -> str:
    """Return a text without the sign before the word that it is sorted by."""
    return _SORTED_FROM.sub(r"\1", text)


def _title(values: Values, whole: Sequence[Subfields]) -> str:
    """Return the title, of a volume behind that of its whole."""
    own = next(iter(values.get("021A", ())), ())
    if whole and not any(code == "a" and text.strip("@ .") for code, text in own):
        parts = [_of_title(whole[0]), _first(values, "036C", "l"), _of_title(own)]
        return ". ".join(filter(None, parts))
    return _of_title(own) or _plain(_first(values, "027A", "a"))


def _of_title(field: Subfields) -> str:
    title = ""
    for code, text in field:
        if code in "ad" and text.strip("@ "):
            title += (" : " if title and code == "d" else " ; " if title else "") + text
    return _plain(title)


def _people(values: Values) -> dict[str, list[str]]:
    people: dict[str, list[str]] = {}
    for tag in ("028A", "028B", "028C", "028D", "029A", "029F", "029K", "030F"):
        for field in values.get(tag, ()):
            roles = [text for code, text in field if code in "4B"]
            # Reversed, so that the first counts of subfields that are repeated.
            name = _person(dict(reversed(field)), tag)
            if name and any(map(_EDITOR.match, roles)):
                people.setdefault("editors", []).append(name)
            elif name:
                helps = tag in ("028C", "028D") and not any(
                    "aut" in one.casefold() for one in roles
                )
                people.setdefault("other contributors" if helps else "authors", []).append(name)
    if "authors" not in people and "editors" not in people and "other contributors" in people:
        people["authors"] = people.pop("other contributors")
    return people


def _person(held: dict[str, str], tag: str = "028A") -> str:
    family, given = (held.get(one.upper(), held.get(one, "")) for one in "ad")
    own = held.get("P") or held.get("5", "")
    if tag == "030F":
        told = [one for code in "jpk" if (one := held.get(code, ""))]
        return f"{held.get('a', '')} ({' : '.join(told)})" if told else held.get("a", "")
    if tag[:3] == "029":
        parts = [held.get(code, "") for code in ("a", "b")]
        return ". ".join(filter(None, parts)) or held.get("8", "")
    if family and given:
        return f"{family}, {given}"
    return family or own or given or held.get("8", "")


def _subjects(values: Values) -> Iterator[str]:
    for tag in ("041A", "044A", "044C", "044F", "044G", "044H", "044K", "044L", "044M", "044N",
                "044S", "013D", "013F"):  # fmt: skip
        for field in values.get(tag, ()):
            held = dict(reversed(field))
            name = held.get("a", "") or held.get("8", "")
            if "D" in held or "A" in held or "d" in held:
                name = _person(held)
            elif "x" in held and held.get("a"):
                name = " -- ".join([name, *(text for code, text in field if code == "x")])
            if name:
                yield _plain(name)


class PicaPlain(Source):
    """A file of PICA+ as text: a field a line, or a record a line with control characters."""

    label = "PICA+"

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the records in order.

        Raises
        ------
        FileFormatError
            If the file is no text, or has no record.
        """
        looked = TextFile.of(self)
        number = 0
        try:
            for number, (line, values) in enumerate(_records(looked), start=1):
                place = Message("record {number} (line {line})", number=number, line=line)
                if sum(map(len, values.values())) > _MOST_FIELDS:
                    advice = Message("Export it again without its copies.")
                    yield Refusal(place, too_long(1 << 20), advice)
                else:
                    yield document(fields_of_pica(values), place, self.collection)
        except DAMAGES as error:
            yield cut_off(Message("after record {number}", number=number), error)
            return
        if not number:
            raise FileFormatError(
                "{file} holds no record of {format}; choose another format or file.",
                file=self.path.name,
                format=self.label,
            )


def _records(looked: TextFile) -> Iterator[tuple[int, dict[str, list[Subfields]]]]:
    values: dict[str, list[Subfields]] = {}
    start = 1
    for number, line in enumerate(looked.lines("\n"), start=1):
        packed = line.count("\x1e") > 1
        for field in line.split("\x1e") if packed else [line]:
            found = (_PACKED if packed else _LINE).match(field.strip("\r\n\x1d "))
            if not found:
                continue
            tag, rest = found["tag"], found["rest"]
            # These stand at the beginning of a record, and in no record twice.
            if values and (tag in ("001A", "001@", "002@", "003@") and tag in values):
                yield start, values
                values = {}
            if not values:
                start = number
            values.setdefault(tag, []).append(_subfields(rest))
        if values and (packed or not line.strip()):
            yield start, values
            values = {}
    if values:
        yield start, values


def _subfields(text: str) -> list[tuple[str, str]]:
    mark = text[0]
    # The mark itself is written twice within a value.
    parts = text.replace(mark * 2, "\x00").split(mark)[1:]
    return [(one[:1], one[1:].replace("\x00", mark).strip()) for one in parts if one]
