"""MARC-in-JSON: one record, a list of them, or one a line."""

from collections.abc import Iterator
from typing import Any

import ijson
from pymarc import Field, Indicators, Leader, Record, Subfield

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal, Source, too_long
from subclust.text.sources.json_lists import Encoded, broken_json
from subclust.text.sources.marcxml import LEADER_LENGTH, fields_of_marc
from subclust.text.sources.record import clean, document, excerpt
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.unpacking import LONGEST_RECORD, Metered, TooLongError

_AGAIN = Message("Export the file again and import it once more; nothing is imported twice.")


class MarcJson(Source):
    """Records of any MARC, in JSON as most programs write it, or with lists of field objects."""

    label = "MARC-in-JSON"

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the records in order.

        Raises
        ------
        FileFormatError
            If the file is no text, or nothing in it is a record.
        """
        number, n_documents = 0, 0
        for number, given in enumerate(self._items(), start=1):
            item = given if isinstance(given, Refusal) else self._item(number, given)
            n_documents += isinstance(item, Document)
            yield item
        if not number:
            raise FileFormatError(
                "{file} holds no MARC record; choose another format or file.", file=self.path.name
            )

    def _item(self, number: int, given: Any) -> Document | Refusal:
        place = Message("record {number}", number=number)
        record = _marc_of_json(given) if isinstance(given, dict) else Record()
        if not record.fields:
            reason = Message("It has no MARC fields.")
            advice = Message("Choose another format, or export it as MARCXML.")
            return Refusal(place, reason, advice, "fields", excerpt(given))
        return document(fields_of_marc(record), place, self.collection)

    def _items(self) -> Iterator[Any]:
        looked = TextFile.of(self)
        number = 0
        with looked.text() as text:
            prefix = "item" if text.read(1 << 12).lstrip("\ufeff \r\n\t")[:1] == "[" else ""
            text.seek(0)
            metered = Metered(Encoded(text))
            try:
                for one in ijson.items(metered, prefix, use_float=True, multiple_values=not prefix):
                    number += 1
                    yield from self._held(one)
                    metered.n_bytes = 0
            except TooLongError:
                place = Message("record {number}", number=number + 1)
                yield Refusal(place, too_long(LONGEST_RECORD), _AGAIN)
            except (ijson.JSONError, ValueError, OverflowError) as error:
                after = Message("after record {number}", number=number) if number else None
                yield broken_json(self.path, after, error)

    @staticmethod
    def _held(given: Any) -> Iterator[Any]:
        """Yield the records of an object that only wraps them."""
        if isinstance(given, dict) and not {"fields", "datafield", "leader"} & given.keys():
            for name in ("records", "record", "items", "collection"):
                if isinstance(given.get(name), list):
                    yield from given[name]
                    return
        yield given


def _marc_of_json(given: dict[str, Any]) -> Record:
    """Make pymarc's record of an object; what is no field in it is passed over."""
    record = Record()
    leader = clean(given.get("leader"))
    if len(str(given.get("leader") or "")) == LEADER_LENGTH:
        record.leader = Leader(str(given["leader"]))
    elif leader and len(leader) < LEADER_LENGTH:
        record.leader = Leader(leader.ljust(LEADER_LENGTH))
    for name in ("fields", "controlfield", "controlfields", "datafield", "datafields"):
        listed = given.get(name)
        for one in listed if isinstance(listed, list) else ():
            record.fields.extend(_fields(one))
    return record


def _fields(given: Any) -> Iterator[Field]:
    if not isinstance(given, dict):
        return
    if isinstance(tag := given.get("tag"), str):
        pairs = [(tag, given if "data" not in given else given["data"])]
    else:
        pairs = list(given.items())
    for tag, value in pairs:
        if isinstance(value, dict):
            listed = value.get("subfields", value.get("subfield"))
            given_marks = value.get("ind")
            marks = given_marks if isinstance(given_marks, str) else "  "
            first = clean(value.get("ind1"))[:1] or marks[:1] or " "
            second = clean(value.get("ind2"))[:1] or marks[1:2] or " "
            yield Field(
                tag=tag, indicators=Indicators(first, second), subfields=list(_subfields(listed))
            )
        elif isinstance(value, str) and tag.isdecimal() and int(tag) < 10:
            yield Field(tag=tag, data=value)


def _subfields(given: Any) -> Iterator[Subfield]:
    if isinstance(given, dict):  # a code each
        given = [{code: value} for code, value in given.items()]
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and isinstance(one.get("code"), str):
            yield Subfield(one["code"][:1], clean(one.get("data", one.get("value"))))
        elif isinstance(one, dict):
            for code, value in one.items():
                for text in value if isinstance(value, list) else [value]:
                    yield Subfield(code[:1], clean(text))
