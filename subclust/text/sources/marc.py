"""MARC 21 in its binary form (ISO 2709), also where leader, directory or encoding are wrong."""

import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import BinaryIO

from pymarc import Record

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.text.sources.base import (
    DAMAGES,
    Document,
    Refusal,
    Source,
    absent,
    cut_off,
    too_long,
    unreadable,
)
from subclust.text.sources.marc_letters import MarcLetters
from subclust.text.sources.marcxml import fields_of_marc
from subclust.text.sources.record import document, excerpt
from subclust.text.sources.unpacking import opened

END_OF_RECORD = b"\x1d"
END_OF_FIELD = b"\x1e"
MOST_BYTES = 1 << 20
"""Of one record; the format ends at 99,999, and some systems write longer ones."""

_LEADER = 24
_ENTRY = 12
_CHUNK = 1 << 20
_TAG = re.compile(rb"[0-9A-Za-z]{3}")
# pymarc logs what the report lists as rejected.
logging.getLogger("pymarc").setLevel(logging.CRITICAL)

_AGAIN = Message("Export it again, in UTF-8 if you may choose.")


class Marc(Source):
    """A file of MARC 21 records (.mrc, .marc).

    Records are divided where they end and not by the lengths they declare, so that one with a wrong
    leader costs no other. The encoding is the one that the bytes are in, whatever the leader says:
    UTF-8 where fields are valid UTF-8, else MARC-8 where the letters are such, else an old one.
    """

    label = "MARC 21"

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the records in order.

        Raises
        ------
        FileFormatError
            If nothing in the file is a MARC record.
        """
        if not self.path.is_file():
            raise absent(self.path)
        number, n_documents, refusals = 0, 0, list[Refusal]()
        letters = MarcLetters(self.encoding)
        try:
            with opened(self.path) as stream:
                for number, (start, data) in enumerate(_records(stream), start=1):
                    where = N_("record {number} (byte {byte:,})")
                    place = Message(where, number=number, byte=start + 1)
                    item = _document(data, place, self.collection, letters)
                    self.decoding = letters.decoding
                    if isinstance(item, Document):
                        n_documents += 1
                    if not n_documents and number <= 3:
                        # If the first ones are no records, this is another kind of file.
                        assert isinstance(item, Refusal)
                        refusals.append(item)
                        continue
                    yield from refusals
                    refusals = []
                    yield item
        except DAMAGES as error:
            if not number:
                raise unreadable(self.path, error) from error
            yield from refusals
            yield cut_off(Message("after record {number}", number=number), error)
            return
        if not number or refusals and not any(one.field for one in refusals):
            raise FileFormatError(
                "{file} holds no MARC record; choose another format or file.", file=self.path.name
            )
        yield from refusals


def _document(data: bytes, place: str, collection: str, letters: MarcLetters) -> Document | Refusal:
    """Make a document of the bytes of one record, with or without the mark that ends it."""
    if len(data) > MOST_BYTES:
        return Refusal(place, too_long(MOST_BYTES), _AGAIN)
    mended = _mended(data.lstrip(b"\r\n\x00").rstrip(b"\r\n\x00 " + END_OF_RECORD), letters)
    if mended is None:
        return Refusal(place, Message("It has no leader and directory of MARC 21."), _AGAIN)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # pymarc goes by position 9 of the leader, which `_mended` has set: UTF-8 or
            # MARC-8.
            record = Record(
                data=mended.data,
                to_unicode=True,
                hide_utf8_warnings=True,
                utf8_handling="replace",
            )
            fields = fields_of_marc(record)
    except Exception as error:  # anything at all from a damaged record
        return Refusal(
            place,
            Message(
                "It is damaged and cannot be parsed ({error}).",
                error=Message("letters where none belong")
                if isinstance(error, UnicodeError)
                else excerpt(str(error) or type(error).__name__),
            ),
            _AGAIN,
            "directory",
            excerpt(data[_LEADER : _LEADER + 400].decode("utf-8", "replace")),
        )
    return document(fields, place, collection, mended.remarks)


def _records(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Return each record's first byte and its bytes; of one that is too long only the beginning."""
    held, start, n_left_out = b"", 0, 0
    while chunk := stream.read(_CHUNK):
        *whole, held_next = chunk.split(END_OF_RECORD)
        for part in whole:
            data = held + part if len(held) <= MOST_BYTES else held
            if data.strip():
                yield start, data
            start += len(held) + n_left_out + len(part) + 1
            held, n_left_out = b"", 0
        if len(held) <= MOST_BYTES:
            held += held_next
        else:
            n_left_out += len(held_next)
    if held.strip():
        yield start, held


@dataclass(frozen=True)
class _Mended:
    data: bytes
    encoding: str
    remarks: tuple[str, ...]


def _listed(
    tags: Sequence[bytes], fields: Sequence[bytes], remarks: list[str]
) -> tuple[bytes, bytes]:
    """Return the directory of fields, and the fields."""
    directory, body, at = list[bytes](), list[bytes](), 0
    for tag, field in zip(tags, fields, strict=False):
        length = len(field) + 1
        # A directory has four digits for a length and five for a place. What does not fit is left
        # out: no document is made of fields that long.
        if length > 9999 or at > 99_999:
            left_out = N_("Field {tag} is too long for MARC 21 and was left out.")
            remarks.append(Message(left_out, tag=tag.decode()))
            continue
        directory.append(b"%s%04d%05d" % (tag, length, at))
        body.append(field + END_OF_FIELD)
        at += length
    return b"".join(directory), b"".join(body)


def _mended(data: bytes, letters: MarcLetters) -> _Mended | None:
    """Write leader and directory anew where they do not fit the fields."""
    head, *fields = data.split(END_OF_FIELD)
    if len(head) < _LEADER + _ENTRY or not fields:
        return None
    tags = [head[at : at + 3] for at in range(_LEADER, len(head), _ENTRY)]
    if len(tags) > 1 and len(head[_LEADER:]) % _ENTRY:
        tags.pop()  # what is left of an entry
    if not tags or not all(map(_TAG.fullmatch, tags)):
        return None
    if fields and not fields[-1].strip():
        fields.pop()
    remarks: list[str] = []
    given = fields
    fields, encoding = letters.read(tags, fields, head[9:10], remarks)
    encoding_remarks, remarks = remarks, []
    if fields is not given:
        lengths = [len(field) + 1 for field in given]
        listed = b"".join(
            b"%s%04d%05d" % entry
            for entry in zip(tags, lengths, accumulate(lengths, initial=0), strict=False)
        )
    directory, body = _listed(tags, fields, remarks)
    if len(fields) != len(tags):
        remarks.append(
            Message(
                "Its directory lists {listed} fields, but it has {count}; they were read in "
                "the order they appear in.",
                listed=len(tags),
                count=len(fields),
            )
        )
    elif (directory if fields is given else listed) != head[_LEADER:] and not remarks:
        remarks.append(
            Message("Its directory was wrong; the fields were read in the order they appear in.")
        )
    base = _LEADER + len(directory) + 1
    mark = b"a" if encoding == "utf-8" else b" "
    # pymarc decodes the leader as ASCII and fails on anything else.
    kept = head[5:9].translate(None, bytes(range(128, 256))).ljust(4)[:4]
    # The length may be capped: pymarc only rejects data that is shorter than the leader says.
    leader = b"%05d%s%s22%05d   4500" % (
        min(base + len(body) + 1, 99_999), kept, mark, min(base, 99_999),
    )  # fmt: skip
    declared = head[:5], head[12:17]
    if declared != (b"%05d" % (len(data) + 1), b"%05d" % (len(head) + 1)) and not remarks:
        remarks.append(
            Message("Its leader had wrong lengths; it was read by the field separators.")
        )
    return _Mended(
        leader + directory + END_OF_FIELD + body + END_OF_RECORD,
        encoding,
        (*remarks, *encoding_remarks),
    )
