"""Records in lines that begin with a tag: what RIS, MEDLINE, Web of Science and others share.

rispy, which writes our RIS, is not used to read it: it finds no record behind a byte order mark,
drops one whose end mark is missing and every abstract but the first, and tells nothing of it.
"""

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.text.sources.base import DAMAGES, Document, Refusal, Source, cut_off, too_long
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.textfile import TextFile

MOST_CHARACTERS = 4 << 20
"""Of one record."""

_UNTIL_NEXT = N_("It had no end mark ({mark}); it was taken to end where the next one begins.")
_UNTIL_END = N_("It had no end mark ({mark}); it was taken to end where the file does.")

Values = Mapping[str, list[str]]
"""The values of each tag of a record, in order."""


@dataclass
class _Open:
    """A record that is being read."""

    line: int
    parts: dict[str, list[list[str]]] = field(default_factory=dict)
    last: str = ""
    n_characters: int = 0
    mended: list[str] = field(default_factory=list)

    def add(self, tag: str, value: str) -> None:
        self.n_characters += len(value) + 1
        if self.n_characters <= MOST_CHARACTERS:
            self.parts.setdefault(tag, []).append([value])
        self.last = tag

    def extend(self, value: str, *, apart: bool) -> None:
        """Add a line to the last tag's value, or as one more value of it."""
        if apart:
            self.add(self.last, value)
            return
        self.n_characters += len(value) + 1
        if self.n_characters <= MOST_CHARACTERS and self.last in self.parts:
            self.parts[self.last][-1].append(value)

    @property
    def values(self) -> dict[str, list[str]]:
        return {tag: [_joined(parts) for parts in held] for tag, held in self.parts.items()}


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else " ".join(parts).strip()


class Tagged(Source):
    """A file of tagged records. Subclasses know its tags and name the fields.

    Attributes
    ----------
    line : re.Pattern
        A line with a tag: the tag, and its value.
    begin_tag : str
        The tag that begins a record.
    end_mark : str
        The tag that ends a record; empty where the next one's beginning does.
    apart : frozenset of str
        Tags of which each further line is another value.
    outside : re.Pattern
        Lines outside of records that are part of the format.
    """

    line: ClassVar[re.Pattern[str]]
    begin_tag: ClassVar[str]
    end_mark: ClassVar[str] = ""
    apart: ClassVar[frozenset[str]] = frozenset()
    outside: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    def parse(self, line: str) -> tuple[str, str] | None:
        """Split a line into tag and value; None if it begins with no tag."""
        match = self.line.match(line)
        return (match[1], (match[2] or "").strip()) if match else None

    def begins(self, tag: str, after_blank: bool) -> bool:
        """Return whether a line with this tag begins a record."""
        return tag == self.begin_tag

    @abstractmethod
    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""

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
            for item in self._read(looked):
                number += 1
                yield item
        except DAMAGES as error:
            yield cut_off(Message("after record {number}", number=number), error)
            return
        if not number:
            raise FileFormatError(
                "{file} holds no record of {format}; choose another format or file.",
                file=self.path.name,
                format=self.label,
            )

    def _read(self, looked: TextFile) -> Iterator[Document | Refusal]:
        record: _Open | None = None
        stray: list[str] = []
        stray_line = n_records = 0
        blank = True
        for number, raw in enumerate(looked.lines(), start=1):
            line = raw.rstrip()
            if not line.strip():
                blank = True
                continue
            pair = self.parse(line)
            if pair is None:
                if record is not None and record.last:
                    record.extend(line.strip(), apart=record.last in self.apart)
                elif n_records and not self.outside.match(line):
                    stray_line = stray_line or number
                    stray = [*stray[:2], line.strip()]
                blank = False
                continue
            if stray:
                yield _stray(stray, stray_line)
                stray, stray_line = [], 0
            tag, value = pair
            if record is not None and self.begins(tag, blank):
                n_records += 1
                yield self._document(record, n_records, self._unended(_UNTIL_NEXT))
                record = None
            if tag == self.end_mark and self.end_mark:
                if record is not None:
                    n_records += 1
                    yield self._document(record, n_records, None)
                record = None
            elif record is not None:
                record.add(tag, value)
            elif not self.outside.match(line):
                record = _Open(number)
                if not self.begins(tag, True):
                    record.mended.append(
                        Message("It began with {tag} and had no beginning of its own.", tag=tag)
                    )
                record.add(tag, value)
            blank = False
        if record is not None:
            n_records += 1
            yield self._document(record, n_records, self._unended(_UNTIL_END))
        if stray:
            yield _stray(stray, stray_line)

    def _unended(self, template: str) -> str | None:
        return Message(template, mark=self.end_mark) if self.end_mark else None

    def _document(self, record: _Open, number: int, remark: str | None) -> Document | Refusal:
        place = Message("record {number} (line {line})", number=number, line=record.line)
        if record.n_characters > MOST_CHARACTERS:
            return Refusal(
                place,
                too_long(MOST_CHARACTERS),
                Message("Look for where its end mark is missing, or choose another format."),
                record.last,
                excerpt(record.values),
            )
        mended = [*record.mended, remark] if remark else record.mended
        item = document(self.fields(record.values), place, self.collection, mended)
        if isinstance(item, Refusal):
            return Refusal(place, item.reason, item.advice, "", excerpt(record.values))
        return item


def first(values: Values, *tags: str) -> str:
    """Return the first value of the first of these tags that has one."""
    return next((value for tag in tags for value in values.get(tag, ()) if value.strip()), "")


def every(values: Values, *tags: str) -> list[str]:
    """Return all values of these tags."""
    return [value for tag in tags for value in values.get(tag, ()) if value.strip()]


def any_of(values: Values, *tags: str) -> list[str]:
    """Return all values of the first of these tags that has some."""
    return next((found for tag in tags if (found := every(values, tag))), [])


def joined(values: Values, *tags: str) -> str:
    """Return the first values of these tags as a range, such as of pages."""
    return "-".join(filter(None, (first(values, tag) for tag in tags)))


def _stray(lines: list[str], line: int) -> Refusal:
    return Refusal(
        Message("line {line}", line=line),
        Message("It stands between two records and belongs to none."),
        Message("Look whether the record above it ends too early."),
        "",
        excerpt(" ".join(lines)),
    )
