"""Records in lines that begin with a tag: what RIS, MEDLINE, Web of Science and others share.

rispy, which writes our RIS, is not used to read it: it finds no record behind a byte order mark,
drops one whose end mark is missing and every abstract but the first, and tells nothing of it.
"""

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.text.sources.base import DAMAGES, Document, Refusal, Source, cut_off, too_long
from subclust.text.sources.record import clean, document, excerpt, original
from subclust.text.sources.tagged_record import MOST_CHARACTERS, OpenRecord
from subclust.text.sources.textfile import TextFile

_UNTIL_NEXT = N_("It had no end mark ({mark}); it was taken to end where the next one begins.")
_UNTIL_END = N_("It had no end mark ({mark}); it was taken to end where the file does.")
_TITLES = frozenset({"TI", "T1", "CT", "BT", "ST", "AB", "N2"})
_DOS_END = "\x1a"

Values = Mapping[str, list[str]]
"""The values of each tag of a record, in order."""


class Tagged(Source):
    """A file of tagged records. Subclasses know its tags and name the fields.

    A record begins with its format's first tag; where that is missing or stands further down,
    with a tag that it can have but once, if that is repeated after an empty line or was the first.

    Attributes
    ----------
    line : re.Pattern
        A line with a tag: the tag, and its value.
    begin_tag : str
        The tag that begins a record.
    begin_sign : str
    begin_line : re.Pattern
        What begins a record, also where it was overlooked: these places are counted, to compare.
        The sign is quicker to look for.
    end_mark : str
        The tag that ends a record; empty where the next one's beginning does.
    once : frozenset of str
        Tags that a record has but once.
    apart : frozenset of str
        Tags of which each further line is another value.
    is_continued_by_indent : bool
        Whether a line that is set in goes on with the value above it all the same.
    outside : re.Pattern
        Lines outside of records that are part of the format.
    """

    line: ClassVar[re.Pattern[str]]
    begin_tag: ClassVar[str]
    begin_sign: ClassVar[str]
    begin_line: ClassVar[re.Pattern[str]]
    end_mark: ClassVar[str] = ""
    once: ClassVar[frozenset[str]] = frozenset()
    apart: ClassVar[frozenset[str]] = frozenset()
    is_continued_by_indent: ClassVar[bool] = False
    outside: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    def parse(self, line: str, last: str = "") -> tuple[str, str] | None:
        """Split a line into tag and value; None if it begins with no tag.

        Parameters
        ----------
        line : str
        last : str
            The tag above it, in the same record.
        """
        match = self.line.match(line)
        return (match[1], (match[2] or "").strip()) if match else None

    def is_apart(self, tag: str, line: str) -> bool:
        """Return whether a line without a tag is another value of the tag above it."""
        return tag in self.apart and not (self.is_continued_by_indent and line[0].isspace())

    @abstractmethod
    def fields(self, values: Values) -> dict[str, Any]:
        """Return a record's fields by our names."""

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the records in order; last, compare how many the file says that it has.

        Raises
        ------
        FileFormatError
            If the file is no text, or has no record.
        """
        looked = TextFile.of(self)
        reader = _Reader(self)
        try:
            for number, line in _lines(looked):
                if (record := reader.read(number, line)) is not None:
                    yield self._document(record, reader.n_given)
        except DAMAGES as error:
            if reader.ended is not None:
                yield self._document(reader.ended, reader.n_given + 1)
            place = Message("after record {number}", number=reader.n_read)
            yield cut_off(place, error)
            return
        for record in reader.finish():
            yield self._document(record, reader.n_given)
        if not reader.n_read:
            raise FileFormatError(
                "{file} holds no record of {format}; choose another format or file.",
                file=self.path.name,
                format=self.label,
            )
        if reader.n_told > reader.n_read:
            yield Refusal(
                Message("the whole file"),
                Message(
                    "{told} records begin ({mark}), but {read} were read.",
                    told=reader.n_told,
                    mark=self.begin_sign.strip(),
                    read=reader.n_read,
                ),
                Message("Compare what was imported with your list, or export it again."),
            )

    def _document(self, record: OpenRecord, number: int) -> Document | Refusal:
        place = Message("record {number} (line {line})", number=number, line=record.line)
        if record.n_characters > MOST_CHARACTERS:
            return Refusal(
                place,
                too_long(MOST_CHARACTERS),
                Message("Look for where its end mark is missing, or choose another format."),
                record.last,
                excerpt(record.values),
            )
        values = record.values
        item = document(self.fields(values), place, self.collection, record.mended)
        if isinstance(item, Refusal):
            kept = original({**item.original, **self._others(values)})
            return replace(item, field="", excerpt=excerpt(values), original=kept)
        return item

    def _others(self, values: Values) -> dict[str, str]:
        """Return what stands under tags that no field is made of."""
        # Found by trial: a tag that changes nothing when it stands alone is read by no field.
        nothing = self.fields({})
        return {
            tag: clean(held) for tag, held in values.items() if self.fields({tag: held}) == nothing
        }


class _Reader:
    """Finds the borders of records, a line at a time.

    A record that has ended is held until the next one ends: lines behind its end mark are its own.
    """

    def __init__(self, source: Tagged) -> None:
        self.source = source
        self.record: OpenRecord | None = None
        self.ended: OpenRecord | None = None
        self.is_blank = True
        self.n_read = self.n_given = self.n_told = 0

    def read(self, number: int, line: str) -> OpenRecord | None:
        """Read a line; return a record that is complete now."""
        source, record = self.source, self.record
        if not line or line.isspace():
            self.is_blank = True
            if record is not None:
                record.part(number)
            return None
        if source.begin_sign in line:
            self.n_told += len(source.begin_line.findall(line))
        pair = source.parse(line, record.last if record is not None else "")
        if pair is None:
            self._continue(line)
            self.is_blank = False
            return None
        tag, value = pair
        given = None
        if record is None and self._goes_on(tag):
            record = self.record
        if record is not None and tag != source.end_mark:
            given = self._part(record, tag, number)
            record = self.record
        if source.end_mark and tag == source.end_mark:
            if record is not None:
                record.end = value
                given = self._close(None)
            if (glued := source.parse(value)) and glued[0] == source.begin_tag:  # joined files
                self.record = OpenRecord(number)
                self.record.add(*glued)
        elif record is not None:
            record.add(tag, value)
        elif tag == source.begin_tag or not source.outside.match(line):
            self.record = OpenRecord(number)
            self.record.add(tag, value)
        self.is_blank = False
        return given

    def finish(self) -> Iterator[OpenRecord]:
        """Return what is left at the end of the file."""
        record = self.record
        if record is not None and not self._is_tail(record):
            if (given := self._close(_UNTIL_END)) is not None:
                yield given
        elif record is not None:
            self._adopt(record)
        if self.ended is not None:
            self.n_given += 1
            yield self.ended

    def _continue(self, line: str) -> None:
        """Place a line without a tag."""
        source, record = self.source, self.record
        if record is not None and record.gap >= 0:
            if self._is_tail(record) and not line[0].isspace():
                self._adopt(record)
                record = None
            elif self.is_blank and source.outside.match(line):
                return
        # An end mark with words behind it was a line of text, and this line goes on with it.
        if record is None and self.ended is not None and len(self.ended.end.split()) > 1:
            if not self.is_blank and not source.outside.match(line):
                record = self._reopen(self.ended)
        if record is not None:
            record.extend(line.strip(), apart=source.is_apart(record.last, line))
        elif self.ended is not None and not source.outside.match(line):
            self._remark(self.ended, _LEFT)

    def _part(self, record: OpenRecord, tag: str, number: int) -> OpenRecord | None:
        """Close a record if a tag belongs to the next one; return the one before it."""
        source, begin = self.source, self.source.begin_tag
        if tag == begin and tag not in record.tags:
            # What stands before its first tag may be a record of its own; a repeated tag will tell.
            if record.gap < 0:
                record.part(number)
            elif self._is_tail(record):
                self._adopt(record)
            return None
        is_sorted = record.first == begin
        is_again = tag in source.once or tag == begin
        if record.gap >= 0 and is_again and tag in record.before:
            # A record that began as it should goes on to its end mark, whatever stands behind an
            # empty line.
            if not (is_sorted and (tag == begin or source.end_mark)):
                rest = record.rest()
                given = self._close(_UNTIL_NEXT)
                self.record = rest
                return given
        if tag == begin or not is_sorted and tag == record.first and (is_again or self.is_blank):
            return self._close(_UNTIL_NEXT)
        return None

    def _is_tail(self, record: OpenRecord) -> bool:
        """Return whether lines without beginning and title are what follows an end mark."""
        begin, ended = self.source.begin_tag, self.ended
        return (
            ended is not None
            and bool(self.source.end_mark)
            and begin in ended.tags
            and begin not in record.tags
            and record.tags.isdisjoint(_TITLES)
            and not record.tags <= ended.tags  # which every record of the file has above its first
        )

    def _goes_on(self, tag: str) -> bool:
        """Reopen a record whose end mark was a line of text, as "ER  - visits were rare"."""
        ended = self.ended
        if ended is None or self.is_blank or len(ended.end.split()) < 2:
            return False
        if tag in (self.source.begin_tag, self.source.end_mark):
            return False
        self._reopen(ended)
        return True

    def _reopen(self, ended: OpenRecord) -> OpenRecord:
        ended.extend(f"{self.source.end_mark} - {ended.end}", apart=False)
        ended.end = ""
        self.record, self.ended = ended, None
        self.n_read -= 1
        return ended

    def _adopt(self, record: OpenRecord) -> None:
        """Let lines that follow an end mark be part of the record that it ends."""
        self.record = None
        if self.ended is not None:
            known = set(self.ended.tags)
            for tag, parts in record.lines:
                if tag not in known:
                    self.ended.add(tag, " ".join(parts))
            self._remark(self.ended, _ADOPTED)

    def _remark(self, record: OpenRecord, template: str) -> None:
        remark = Message(template, mark=self.source.end_mark)
        if remark not in record.mended:
            record.mended.append(remark)

    def _close(self, template: str | None) -> OpenRecord | None:
        """End the record; return the one before it."""
        record, source = self.record, self.source
        if record is None:
            return None
        if source.end_mark and source.begin_tag not in record.tags:
            told = Message(
                "It began with {tag}; the tag that begins a record was missing.", tag=record.first
            )
            record.mended.insert(0, told)
        if source.end_mark and template:
            self._remark(record, template)
        given, self.ended, self.record = self.ended, record, None
        self.n_read += 1
        self.n_given += given is not None
        return given


_ADOPTED = N_("Lines after its end mark ({mark}) were read as part of it.")
_LEFT = N_("Lines after its end mark ({mark}) that have no tag were left out.")


def _lines(looked: TextFile) -> Iterator[tuple[int, str]]:
    """Read lines with their numbers; behind what ends a text of DOS, another file begins."""
    for number, raw in enumerate(looked.lines(), start=1):
        if _DOS_END in raw:
            for at, part in enumerate(raw.split(_DOS_END)):
                if at:
                    yield number, ""
                yield number, part.rstrip()
        else:
            yield number, raw.rstrip()


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
    return "-".join(dict.fromkeys(filter(None, (first(values, tag) for tag in tags))))
