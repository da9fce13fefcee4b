"""Counts over passages: by collection, language, year and source, and their documents.

The metadata of a passage is one JSON object in the table, written by `json.dumps`. A quotation mark
within a value has a backslash before it there, so what looks like a field is one.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from subclust.core.records.languages import language_codes

UNKNOWN = "unknown"
"""Stands for what a passage's record does not say."""

OTHERS = "others"
"""Stands for all values beyond the first `MOST_VALUES` that came."""

MOST_VALUES = 1000
"""Different values of a field that are counted one by one."""

YEAR = r'"year": "[^"\\]*?(?P<value>(?:1[0-9]|20)[0-9]{2})'
"""The first year from 1000 to 2099 in the field."""

PART = r"#[0-9]+$"
"""End of the id of a passage that is one of several of its document."""

SAMPLE = 400
"""Passages whose record says no language that are read, to recognise it, where there are more."""

ARTICLE = r"wiki:[0-9]+#[0-9]+$"
POSITION = '"position": "'


def field_start(name: str) -> str:
    """Write how a field begins, if there is one."""
    return f'"{name}": "'


def field_value(name: str, value: str) -> str:
    """Write a field of a value as it stands in the metadata."""
    return f"{json.dumps(name)}: {json.dumps(value)}"


def _pattern(name: str) -> str:
    return field_start(name) + r'(?P<value>(?:[^"\\]|\\.)+)"'


@dataclass
class Facets:
    """Counts over passages, batch by batch.

    Attributes
    ----------
    n_passages, n_documents : int
    collections, languages, years, sources : Counter
        Passages by value; `UNKNOWN` where a record says nothing.
    unspoken : list of str
        Ids of passages whose record says no language, `SAMPLE` of them at most, always the same.
    """

    n_passages: int = 0
    collections: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    years: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    unspoken: list[str] = field(default_factory=list)
    _documents: list[npt.NDArray[np.int64]] = field(default_factory=list, repr=False)

    columns = ("id", "collection", "metadata")

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch that has `columns`."""
        self.n_passages += len(batch)
        metadata = batch.column("metadata")
        _count(self.collections, batch.column("collection"), len(batch), quoted=False)
        for counts, pattern in (
            (self.languages, _pattern("language")),
            (self.years, YEAR),
            (self.sources, _pattern("source")),
        ):
            found = pc.struct_field(pc.extract_regex(metadata, pattern), "value")
            _count(counts, found, len(batch), quoted=True)
            if counts is self.languages:
                self._draw(batch.column("id").filter(pc.is_null(found)).to_pylist())
        self._documents.append(_document_keys(batch))

    def _draw(self, ids: list[str]) -> None:
        """Keep some ids by lot; which, neither order nor batches decide."""
        self.unspoken = [*self.unspoken, *ids]
        if len(self.unspoken) > SAMPLE:
            self.unspoken.sort(key=lambda id_: crc32(id_.encode()))
            del self.unspoken[SAMPLE:]

    @property
    def n_documents(self) -> int:
        """Documents that the passages belong to."""
        if not self._documents:
            return 0
        self._documents = [np.unique(np.concatenate(self._documents))]
        return len(self._documents[0])


def _document_keys(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    """Return a number for each passage's document, equal for equal ones, in this process.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        With the columns ``id`` and ``metadata``.
    """
    ids, metadata = batch.column("id"), batch.column("metadata")
    is_part = pc.or_(
        pc.and_(pc.match_substring_regex(ids, PART), pc.match_substring(metadata, POSITION)),
        pc.match_substring_regex(ids, ARTICLE),
    )
    documents = pc.if_else(is_part, pc.replace_substring_regex(ids, PART, ""), ids)
    return np.fromiter(map(hash, documents.to_pylist()), np.int64, len(batch))


def by_language(counts: Counter[str]) -> Counter[str]:
    """Count languages by one code each, however records write them; one of two counts for both."""
    found: Counter[str] = Counter()
    for said, n in counts.items():
        codes = [said] if said in (OTHERS, UNKNOWN) else language_codes(said) or [UNKNOWN]
        for code in codes:
            found[code] += n
    return found


def ordered(counts: Counter[str], *, by_value: bool = False) -> dict[str, int]:
    """Put counts in order, most first or by value, and what is unknown or left at the end."""
    last = (OTHERS, UNKNOWN)
    named = [(value, n) for value, n in counts.items() if value not in last]
    named.sort(key=lambda one: one[0] if by_value else (-one[1], one[0]))
    return dict([*named, *((value, counts[value]) for value in last if counts[value])])


def _count(counts: Counter[str], values: pa.Array, n_rows: int, *, quoted: bool) -> None:
    there = values.drop_null()
    for one in pc.value_counts(there):
        value = one["values"].as_py()
        if quoted and "\\" in value:
            value = json.loads(f'"{value}"')
        value = value or UNKNOWN
        known = value in counts or len(counts) < MOST_VALUES
        counts[value if known else OTHERS] += one["counts"].as_py()
    if len(there) < n_rows:
        counts[UNKNOWN] += n_rows - len(there)
