"""Passages of a library by what they are, page by page; and taking some of them out."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.core.records.languages import language_spellings
from subclust.core.records.names import counting_key
from subclust.text.library.facets import (
    ARTICLE,
    PART,
    POSITION,
    UNKNOWN,
    YEAR,
    Facets,
    field_start,
    field_value,
)
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.schema import STORED, passages_of
from subclust.text.library.search import all_of, one_of, quoted, scan

MOST_COUNTED = 20_000
"""Ids of so many passages are put in the order of the numbers in them; more, in that of letters."""


@dataclass(frozen=True)
class PassageFilter:
    """What passages are meant: those that meet all of it.

    Parameters
    ----------
    words : str
        Each must stand in title or text, perhaps within a word; capitals do not matter.
    collection : str or None
    language, source : str or None
        As `LibraryEntry` counts them; ``"unknown"`` means those whose records do not say.
    year_from, year_to : int or None
        Both included.
    without_year : bool
        Only those whose records say no year.
    ids, documents : tuple of str
        Of passages, and of documents (a passage's id without its final ``#n``); those of either.
    """

    words: str = ""
    collection: str | None = None
    language: str | None = None
    source: str | None = None
    year_from: int | None = None
    year_to: int | None = None
    without_year: bool = False
    ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it means every passage."""
        return self.condition is None

    @property
    def condition(self) -> str | None:
        """The SQL condition; None where there is none.

        Raises
        ------
        InputError
            If the years cannot be.
        """
        return all_of(
            *(_holds(word) for word in self.words.split()),
            None if self.collection is None else f"collection = {quoted(self.collection)}",
            _says("language", self.language, language_spellings),
            _says("source", self.source),
            self._years,
            self._named,
        )

    @property
    def _years(self) -> str | None:
        bounds = (self.year_from, self.year_to)
        if self.without_year:
            if bounds != (None, None):
                raise InputError("Ask for some years, or for passages without one, not for both.")
            return f"NOT regexp_like(metadata, {quoted(_plain(YEAR))})"
        if bounds == (None, None):
            return None
        first = 1000 if self.year_from is None else self.year_from
        last = 2099 if self.year_to is None else self.year_to
        if first > last:
            raise InputError(
                "The years must go from the earlier to the later, not {first}-{last}.",
                first=first,
                last=last,
            )
        return within_years(first, last)

    @property
    def _named(self) -> str | None:
        parts = [one_of("id", self.ids)] if self.ids else []
        if self.documents:
            parts.append(one_of("id", self.documents))
        for document in self.documents:
            is_part = (
                f"(contains(metadata, {quoted(POSITION)}) OR regexp_like(id, {quoted(ARTICLE)}))"
            )
            pattern = f"^{re.escape(document)}{PART}"
            parts.append(f"(regexp_like(id, {quoted(pattern)}) AND {is_part})")
        return f"({' OR '.join(parts)})" if parts else None


@dataclass(frozen=True)
class Listing:
    """A page of passages.

    Parameters
    ----------
    n_passages : int
        That match, in all.
    passages : tuple of Passage
        Of this page, in order of id.
    offset : int
        Of those that match, how many come before this page.
    """

    n_passages: int
    passages: tuple[Passage, ...]
    offset: int


@dataclass(frozen=True)
class Matching:
    """How many passages match, and of how many documents."""

    n_passages: int
    n_documents: int


def browse(
    library: PassageLibrary, which: PassageFilter, *, offset: int = 0, limit: int = 50
) -> Listing:
    """Read a page of the passages that match, in order of id; see `MOST_COUNTED`.

    Parameters
    ----------
    library : PassageLibrary
    which : PassageFilter
    offset : int
        At least 0; beyond the last passage the page is empty.
    limit : int
        At least 1.

    Raises
    ------
    InputError
        If the page or the filter cannot be.
    """
    from lancedb.query import ColumnOrdering

    if offset < 0 or limit < 1:
        raise InputError(
            "A page begins at 0 or later and has at least 1 passage, not {offset} and {limit}.",
            offset=offset,
            limit=limit,
        )
    table: Any = library.table
    condition = which.condition
    with library.told():
        n_passages = int(table.count_rows(condition))
        if offset >= n_passages:
            return Listing(n_passages, (), offset)
        query = table.search()
        if condition is not None:
            query = query.where(condition, prefilter=True)
        # Only ids are sorted, and the page is read by them: a million ids are little, whole rows
        # are not.
        query = query.select(["id"])
        if n_passages <= MOST_COUNTED:
            ids = query.limit(n_passages).to_arrow().column("id").to_pylist()
            ids = sorted(ids, key=counting_key)[offset : offset + limit]
        else:
            query = query.order_by([ColumnOrdering(column_name="id")])
            ids = query.limit(limit).offset(offset).to_arrow().column("id").to_pylist()
        place = {id_: place for place, id_ in enumerate(ids)}
        found = [
            passage
            for batch in scan(table, STORED[:-1], one_of("id", ids))
            for passage in passages_of(batch)
        ]
    return Listing(n_passages, tuple(sorted(found, key=lambda passage: place[passage.id])), offset)


def count_matching(library: PassageLibrary, which: PassageFilter) -> Matching:
    """Count what matches: what deleting with this filter would remove."""
    facets = Facets()
    with library.told():
        for batch in scan(library.table, facets.columns, which.condition):
            facets.add(batch)
    return Matching(facets.n_passages, facets.n_documents)


def within_years(first: int | None, last: int | None) -> str:
    """Make the SQL condition that a record's year is one of these; null where it says none.

    Parameters
    ----------
    first, last : int or None
        Both included; without one there is no bound.
    """
    # Four digits each, so that texts compare like numbers.
    year = f"regexp_match(metadata, {quoted(_plain(YEAR))})[1]"
    return f"{year} BETWEEN '{max(first or 0, 0):04}' AND '{min(last or 9999, 9999):04}'"


def _holds(word: str) -> str:
    return f"strpos(lower(searched_text), {quoted(word.lower())}) > 0"


def _says(
    name: str, value: str | None, spellings: Callable[[str], list[str]] = lambda value: [value]
) -> str | None:
    """Write that a field is a value, or has it among others, in any of its spellings."""
    if value is None:
        return None
    start = quoted(field_start(name))
    if value == UNKNOWN:
        said = f"contains(metadata, {quoted(field_value(name, value))})"
        empty = quoted(field_value(name, ""))
        return f"({said} OR NOT contains(metadata, {start}) OR contains(metadata, {empty}))"
    given = spellings(value)
    if given == [value]:
        return f"contains(metadata, {quoted(field_value(name, value))})"
    ways = "|".join(re.escape(json.dumps(one)[1:-1]) for one in given)
    pattern = rf'(?i){field_start(name)}([^"]*; )?({ways})(-[a-z]+)?(;[^"]*)?"'
    return f"regexp_like(metadata, {quoted(pattern)})"


def _plain(pattern: str) -> str:
    return pattern.replace("?P<value>", "")
