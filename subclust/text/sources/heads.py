"""The head of a table: which row it is, and what its columns mean."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError
from subclust.text.sources.base import collection_of
from subclust.text.sources.citations import take_apart
from subclust.text.sources.fields import BY_NAME, field_of, rank_of, tag_heads
from subclust.text.sources.mended_tables import own_names, telling_places
from subclust.text.sources.record import TEXT_COLUMNS, clean, original
from subclust.text.sources.values import is_given_first, values_of

MOST_ABOVE = 20
"""Rows among which the head is looked for."""

_OPENALEX = re.compile(r"https?://openalex\.org/W\d+")
_DATABASES = re.compile(
    r"(?:elsevier\W+)?(?:scopus|web of science|wos|isi|pubmed|medline|embase|cinahl|psyc?info|eric|"
    r"openalex|crossref|ieee|google scholar|dimensions|the lens|lens\.org|proquest|ebsco|cochrane"
    r"|jstor|arxiv|zotero|worldcat|dblp|econlit|scielo|ovid|dimdi|livivo|wikipedia|academic search"
    r"|business source|k10plus|gbv|dnb|base|core|doaj|europe pmc|hal|sociological abstracts)\b"
    r"(?![^,;]*\d{4})",
    re.IGNORECASE,
)


class Head:
    """What each column of a table means.

    Parameters
    ----------
    names : sequence of str
        The heads; columns of one meaning are read together.
    columns : mapping of str to str
        Our field and the head, or the number from 1, that has it, where the owner says so.

    Attributes
    ----------
    names : list of str
    meanings : list of str
        Our field of each column, or what else the column is called.
    telling : mapping of str to int
        The columns that tell why a record was rejected, where the table is one of such records.
    given_first : bool
        Whether people between commas are as in "Ada Alm, Bo Berg"; see `look`.
    """

    def __init__(self, names: Sequence[str], columns: Mapping[str, str] | None = None) -> None:
        self.names = list(names)
        chosen = {place: ours for ours, place in _places(self.names, columns or {}).items()}
        self.telling = telling_places(self.names)
        tags = tag_heads(
            name for place, name in enumerate(self.names) if place not in self.telling.values()
        )
        self.meanings = [
            chosen.get(place) or tags.get(name.strip().upper()) or field_of(name)
            for place, name in enumerate(self.names)
        ]
        # Beside a volume, "Number" is the issue; elsewhere it is the number of the record.
        if "issue" not in self.meanings and "volume" in self.meanings and "Number" in self.names:
            self.meanings[self.names.index("Number")] = "issue"
        # In a list of one's own, the first column counts its rows.
        first = next((at for at in range(len(self.names)) if at not in self.telling.values()), 0)
        if first not in chosen and not tags and self.meanings[first] == "issue":
            if self.names[first].strip(" .").casefold() in ("no", "nr"):
                self.meanings[first] = "number"
        ranked = sorted(
            (
                place
                for place, name in enumerate(self.names)
                if (name or place in chosen) and place not in self.telling.values()
            ),
            key=lambda place: (place not in chosen, self._rank(place, tags)),
        )
        self._columns: dict[str, list[int]] = {}
        for place in ranked:
            self._columns.setdefault(self.meanings[place], []).append(place)
        self.n_known = len(self._columns.keys() & BY_NAME.keys())
        self.year = next(iter(self._columns.get("year", [])), None)
        self.given_first = False

    def _rank(self, place: int, tags: Mapping[str, str]) -> int:
        """Return which of several columns of a field counts; lists are in the table's order."""
        field = BY_NAME.get(self.meanings[place])
        if field is not None and field.many and field.name not in ("authors", "text"):
            return 0
        name = self.names[place].strip()
        return [*tags].index(name.upper()) if name.upper() in tags else rank_of(name)

    @property
    def has_text(self) -> bool:
        """Whether a record can be made of a row."""
        return bool(self._columns.keys() & set(TEXT_COLUMNS))

    def look(self, rows: Sequence[Sequence[Any]]) -> None:
        """Learn from some rows how names are written: two of them alone can be one, inverted."""
        self.given_first = any(
            is_given_first(meaning, cell)
            for row in rows
            for meaning, cell in zip(self.meanings, row, strict=False)
        )

    def record(self, cells: Sequence[Any]) -> dict[str, Any]:
        """Return a row's values by our names of its columns."""
        fields: dict[str, Any] = {}
        for field, places in self._columns.items():
            values: list[Any] = []
            used = -1
            for at in places:
                if at >= len(cells):
                    continue
                if values and field == "authors" and rank_of(self.names[at]) != used:
                    break  # the same people in other words
                used = rank_of(self.names[at])
                values += values_of(field, self.names[at], cells[at], self.given_first)
            if values:
                fields[field] = values
        return settle_columns(fields)

    def original(self, cells: Sequence[Any]) -> dict[str, str]:
        """Return a row's cells by the heads, to be mended."""
        n_more = max(0, len(cells) - len(self.names))
        heads = [*self.names, *[""] * n_more]
        values = [*map(clean, cells), *[""] * (len(heads) - len(cells))]
        told = self.telling.values()
        return original(
            {
                name: value
                for at, (name, value) in enumerate(zip(own_names(heads), values, strict=True))
                if at not in told and (value or heads[at])
            }
        )

    def collection(self, cells: Sequence[Any]) -> str:
        """Return the collection of a mended record: that of its file; empty for any other row."""
        at = self.telling.get("file", len(cells))
        return collection_of(Path(clean(cells[at]))) if at < len(cells) else ""


def settle_columns(fields: dict[str, Any]) -> dict[str, Any]:
    """Put parts of a field together, and take apart what several fields share.

    Parameters
    ----------
    fields : dict of str to list
        By our names and those of parts; changed in place and returned.
    """
    if full := fields.pop("full names", None):
        fields["authors"] = full
    if bodies := fields.pop("corporate authors", None):
        fields["authors"] = [*fields.get("authors", []), *bodies]
    if _OPENALEX.fullmatch(first := clean(next(iter(fields.get("id", [])), ""))):
        del fields["id"]
        fields.setdefault("openalex", [first])
    if below := [one for one in fields.pop("subtitle", []) if clean(one)]:
        title = clean(next(iter(fields.get("title", [])), ""))
        if clean(below[0]).casefold() not in title.casefold():
            fields["title"] = [": ".join(filter(None, (title.rstrip(" :/"), clean(below[0]))))]
    for name in ("source", "citation"):
        if name not in fields:
            continue
        given = clean(fields[name][0])
        if _DATABASES.match(given) or (name == "source" and {"id", "text"} <= fields.keys()):
            continue  # the latter in a table that was exported from here
        parts = take_apart(given)
        if name == "source" and (parts or not fields.get("venue")):
            del fields["source"]
            if parts:
                fields.setdefault("citation", [given])
            parts = parts or {"venue": given}
        for part, value in parts.items():
            fields.setdefault(part, [value])
    return fields


def find_head(
    rows: Sequence[Sequence[Any] | None], columns: Mapping[str, str] | None = None
) -> tuple[int, Head] | None:
    """Find the row that names the columns: the first of those with the most known heads.

    Parameters
    ----------
    rows : sequence of (sequence of value or None)
        The first ones of the table; None for one that cannot be read.
    columns : mapping of str to str, optional
        Our fields and the heads that the owner says they have.

    Returns
    -------
    (int, Head) or None
        None where no row names a title or a text. Of a table without heads, of which columns
        are known by their numbers, the row is -1.
    """
    best: tuple[int, Head] | None = None
    by_number = bool(columns) and all(one.isdecimal() for one in (columns or {}).values())
    n_above = 0
    for number, cells in enumerate(rows[:MOST_ABOVE]):
        names = [clean(cell) for cell in cells or ()]
        while names and not names[-1]:
            names.pop()
        if not names or names[0].startswith("sep="):
            n_above += 1
            continue
        try:
            head = Head(names, columns)
        except InputError:
            continue
        if not head.has_text or (by_number and not Head(names).has_text):
            continue
        # Below the first row, one known word alone may be a cell.
        if (head.n_known > (best[1].n_known if best else 0)) and (
            head.n_known > 1 or number == n_above
        ):
            best = number, head
    if best is None and by_number and columns:
        n_cells = max((len(cells) for cells in rows if cells), default=0)
        if all(0 < int(one) <= n_cells for one in columns.values()):
            return -1, Head([f"column {place}" for place in range(1, n_cells + 1)], columns)
    return best


def _places(names: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    folded = [name.strip().casefold() for name in names]
    places: dict[str, int] = {}
    for ours, theirs in columns.items():
        if theirs.strip().casefold() in folded:
            places[ours] = folded.index(theirs.strip().casefold())
        elif theirs.strip().isdecimal() and 0 < int(theirs) <= len(names):
            places[ours] = int(theirs) - 1
        else:
            raise InputError("There is no column {name!r}.", name=theirs)
    return places


def checked_columns(given: Sequence[str]) -> dict[str, str]:
    """Read what ``--column`` says.

    Parameters
    ----------
    given : sequence of str
        ``"title=Überschrift"``; the second may be the number of a column in a table without heads.

    Raises
    ------
    InputError
        If one is not so written, or no field is called like the first.
    """
    columns: dict[str, str] = {}
    for one in given:
        ours, mark, theirs = one.partition("=")
        if not mark or not theirs.strip():
            raise InputError("--column needs OURS=THEIRS, but got {given!r}.", given=one)
        if (field := field_of(ours.strip())) not in BY_NAME:
            raise InputError(
                "There is no field {name!r}; fields are {names}.",
                name=ours,
                names=", ".join(BY_NAME),
            )
        columns[field] = theirs.strip()
    return columns
