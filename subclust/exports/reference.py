"""A record as reference managers see it, and what their formats have no place for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from subclust.core.messages import Message, joined
from subclust.core.records import Passage
from subclust.core.records.links import web_address
from subclust.figures.wrapping import printable
from subclust.text.sources.fields import AS_GIVEN, BY_NAME
from subclust.text.sources.kinds import KIND_BY_NAME, Kind
from subclust.text.sources.record import OWN, OWN_PREFIX, carried, identity

COLUMN_OF = {".ris": "ris", ".bib": "bibtex", ".json": "csl", ".csl.json": "csl", ".xml": "marc"}
"""The column of the table of fields by the endings of files of references."""

NAMES = {"ris": "RIS", "bibtex": "BibTeX", "csl": "CSL JSON", "marc": "MARCXML"}

NOT_WRITTEN = frozenset({"description", "position", "characters", "merged"})
"""Of the document that a passage is cut from, and of how it came to be what it is."""

ISO_DATE = re.compile(r"\d{4}(-\d{2}){0,2}")
_PLACE = ("position", "characters")
_PART = re.compile(r"\s*;\s*")
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
_DOI = re.compile(r"10\.\d{4,9}/\S+")


@dataclass(frozen=True)
class Reference:
    """A record for a file of references; every value is on one line.

    Parameters
    ----------
    id : str
        What it is called in the file, without blanks at its ends.
    kind : Kind
    fields : mapping of str to tuple of str
        Values by our names, none empty.
    group : str or None
        Name of its group in an answer, empty for a passage that belongs to none; None for a record
        of a library.
    rank : int
    strength : float
    """

    id: str
    kind: Kind
    fields: Mapping[str, tuple[str, ...]]
    group: str | None = None
    rank: int = 0
    strength: float = 0.0

    def get(self, name: str) -> str:
        """Return the values of a field as one text."""
        return "; ".join(self.fields.get(name, ()))

    @property
    def people(self) -> list[tuple[str, str]]:
        """Return family and given names of the authors."""
        return [divided(name) for name in self.fields.get("authors", ())]


def reference(passage: Passage, column: str) -> Reference:
    """Return a record of a library for a file.

    Its texts are those that its own file had, so that they are read again as they were. It keeps
    the number that its file gave it; where it has none, or an id that could not be computed
    again from what is written, the id takes its place.

    Parameters
    ----------
    passage : Passage
    column : str
        The format, as the table of fields calls it.
    """
    given = passage.metadata
    texts = {"title": passage.title, "text": passage.text}
    texts |= {name: given[key] for name, key in AS_GIVEN.items() if given.get(key)}
    if passage.text == passage.title:  # it stands for a text that is not there
        del texts["text"]
    made = _made({**given, **texts})
    return replace(made, id=one_line(_number(passage, made.kind, column)))


def references(passages: Iterable[Passage], column: str) -> Iterator[Reference]:
    """Return records of a library for a file in which none has the number of another one.

    Of records with one number, as lists that count from 1 have, the first alone keeps it.
    """
    seen: set[str] = set()
    for passage in passages:
        one = reference(passage, column)
        if one.id in seen:
            one = replace(one, id=one_line(_own(passage)))
        seen.add(one.id)
        yield one


def of_passage(passage: Passage) -> Reference:
    """Return a passage of an answer under its id, with the text that readers see."""
    made = _made(
        {**passage.metadata, "title": passage.title, "text": passage.text}
        | ({"section": passage.path} if passage.path else {})
    )
    own = {
        "doi": _found(_DOI, made.get("doi")),
        "url": web_address({"url": made.get("url")}),
        "year": _found(_YEAR, made.get("year")),
        "title": made.get("title") or made.get("text")[:80],
    }
    fields = {**made.fields, **{name: (value,) for name, value in own.items()}}
    kept = {name: values for name, values in fields.items() if any(values)}
    return replace(made, id=one_line(passage.id), fields=kept)


def whole_records(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Put passages that were cut from one long record together again.

    Parameters
    ----------
    passages : iterable of Passage

    Yields
    ------
    Passage
        In the order of their first parts. Passages that do not follow one another, or that differ
        in more than where they stand, stay as they are.
    """
    records: dict[str, list[Passage]] = {}
    for passage in passages:
        is_part = "position" in passage.metadata
        records.setdefault(passage.id.rpartition("#")[0] if is_part else passage.id, []).append(
            passage
        )
    for root, parts in records.items():
        yield from [parts[0]] if root == parts[0].id else _together(root, parts)


def left_out(passages: Iterable[Passage], file: str, known: Iterable[str] = ()) -> list[str]:
    """Return those fields of passages that a file has no place for.

    Parameters
    ----------
    passages : iterable of Passage
    file : str
        Its name; tables and JSON Lines have a place for all.
    known : iterable of str
        Fields that are written elsewhere, as in a note.
    """
    column = _column(file)
    if column is None:
        return []
    names: dict[str, None] = {}
    kinds: set[str] = set()
    for passage in passages:
        names |= dict.fromkeys(name for name, value in passage.metadata.items() if value)
        if passage.path:
            names["path"] = None
        if passage.label and passage.label != passage.path:
            names["label"] = None
        kinds.add(passage.metadata.get("type", ""))
    kept = {*NOT_WRITTEN, *AS_GIVEN.values(), *known, "also", "number", "date", "type"}
    kept |= {"isbn"} if column == "ris" else set()  # written as an ISSN is
    missing = _unplaced((name for name in names if name not in kept), column)
    if any(kind and not _has_kind(kind, column) for kind in kinds):
        missing.append("type")
    order = list(BY_NAME)
    return sorted(missing, key=lambda name: (order.index(name) if name in BY_NAME else 99, name))


def left_out_told(names: Iterable[str], *files: str) -> Message | None:
    """Return a sentence on what `left_out` found in each of some files; None for nothing."""
    named = [BY_NAME[name].meaning if name in BY_NAME else name for name in names]
    if not named:
        return None
    return Message(
        "These fields have no place in {formats}: {names}. CSV, Excel and JSON Lines keep all.",
        formats=", ".join(NAMES[_column(file) or ""] for file in files),
        names=joined(named, "; "),
    )


def _column(file: str) -> str | None:
    return next((name for ending, name in COLUMN_OF.items() if file.lower().endswith(ending)), None)


def one_line(text: str) -> str:
    """Take out line ends and control characters: a second line could be a field of its own."""
    return " ".join(printable(text).split())


def divided(name: str) -> tuple[str, str]:
    """Divide "Family, Given"; another name stays whole, since only its bearer knows its parts."""
    family, comma, given = name.partition(",")
    return (family.strip(), given.strip()) if comma and given.strip() else (name.strip(" ,"), "")


def _made(given: Mapping[str, str]) -> Reference:
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in given.items():
        if name not in BY_NAME or not (plain := one_line(value)):
            continue
        # The semicolons of a text separate nothing.
        many = BY_NAME[name].many and name != "text"
        fields[name] = tuple(p for p in _PART.split(plain) if p) if many else (plain,)
    return Reference("", _kind(fields), fields)


def _kind(fields: Mapping[str, tuple[str, ...]]) -> Kind:
    known = KIND_BY_NAME.get("; ".join(fields.get("type", ())))
    if known is not None:
        return known
    if fields.get("venue"):
        return KIND_BY_NAME["article-journal"]
    if "wiki" in "; ".join(fields.get("source", ())).casefold():
        return KIND_BY_NAME["entry-encyclopedia"]
    return KIND_BY_NAME["webpage" if fields.get("url") and not fields.get("doi") else "document"]


def _has_kind(name: str, column: str) -> bool:
    kind = KIND_BY_NAME.get(name)
    return kind is not None and (column in ("csl", "marc") or bool(getattr(kind, column)))


def _number(passage: Passage, kind: Kind, column: str) -> str:
    own = passage.id.removeprefix(f"{passage.collection}:")
    number = passage.metadata.get("number", "")
    if number and not OWN.match(number):
        lost = {*_unplaced(passage.metadata, column)} - {"isbn"}  # which RIS writes as an ISSN
        fields = {name: value for name, value in passage.metadata.items() if name not in lost}
        fields |= {"title": passage.title, "text": passage.text}
        if column == "marc" and fields.get("source"):
            fields["control"] = f"{fields['source']}:{number}"
        if identity({**fields, "type": kind.name}) == own:
            return number
    return _own(passage)


def _own(passage: Passage) -> str:
    own = passage.id.removeprefix(f"{passage.collection}:")
    return own if OWN.match(own) else OWN_PREFIX + own


def _together(root: str, parts: list[Passage]) -> list[Passage]:
    placed = {_span(part): part for part in parts}
    (start, end), *_ = spans = sorted(placed)
    first = placed[spans[0]]
    whole = {
        (part.label, part.path, *(pair for pair in fields.items() if pair[0] not in _PLACE))
        for part, fields in ((part, carried(part.metadata)) for part in parts)
    }
    numbers = [placed[span].metadata["position"] for span in spans]
    if len(whole) > 1 or start != 0 or numbers != [str(n + 1) for n in range(len(parts))]:
        return parts
    text = first.text
    for span in spans[1:]:
        gap, part = span[0] - end, placed[span].text
        # Parts may overlap where the record was cut; a gap of two characters was a blank line.
        text += part[-gap:] if gap < 0 else ("\n\n" if gap == 2 else " " * gap) + part
        end = span[1]
    metadata = {name: value for name, value in first.metadata.items() if name not in _PLACE}
    return [replace(first, id=root, text=text, metadata=metadata)]


def _span(passage: Passage) -> tuple[int, int]:
    start, _, end = passage.metadata.get("characters", "").partition("-")
    return (int(start), int(end)) if start.isdecimal() and end.isdecimal() else (-1, -1)


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""


def _unplaced(names: Iterable[str], format_: str) -> list[str]:
    """Return those fields that a format, one of the table's, has no place for."""
    return [name for name in names if name not in BY_NAME or not getattr(BY_NAME[name], format_)]
