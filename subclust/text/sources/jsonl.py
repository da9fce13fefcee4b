"""JSON Lines: one document, or one labelled query with its passages, a line."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.core.records import Passage
from subclust.text.sources.base import Document, Refusal, Source, too_long
from subclust.text.sources.json_fields import objects, record_fields
from subclust.text.sources.record import clean, digest, document
from subclust.text.sources.textfile import TextFile, whole_lines
from subclust.text.sources.unpacking import LONGEST_RECORD, MOST_DEPTH, is_nested_deeply

_AGAIN = Message("Correct the line and import the file again.")


class JsonLines(Source):
    """Documents (``id, title, text, ...``), clustering instances (``query, passages``), or answers.

    Of an answer that Subclust exported as JSON, the grouped passages are read.
    """

    label = "JSON Lines"

    @cached_property
    def _file(self) -> TextFile:
        return TextFile.of(self)

    def estimate(self) -> int | None:
        """Count the lines."""
        return max(1, self._file.n_lines)

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the lines in order.

        Raises
        ------
        FileFormatError
            If the file is not text, has no records, or is one JSON array.
        """
        first = True
        with self._file.text() as text:
            for number, line in enumerate(whole_lines(text), start=1):
                if line is None:
                    first = False
                    place = Message("line {line}", line=number)
                    yield Refusal(place, too_long(LONGEST_RECORD), _AGAIN)
                    continue
                if not line.strip():
                    continue
                if first and line.lstrip().startswith("["):
                    raise FileFormatError(
                        "{file} is one JSON list, not JSON Lines; save it with one object a line, "
                        "without the outer brackets.",
                        file=self.path.name,
                    )
                first = False
                yield from self._line(Message("line {line}", line=number), line)
        if first:
            raise FileFormatError(
                "{file} has no records; choose another file.", file=self.path.name
            )

    def _line(self, place: str, line: str) -> Iterator[Document | Refusal]:
        if is_nested_deeply(line):
            deep = N_("It is nested more than {count} levels deep, which is too deep for a record.")
            yield Refusal(place, Message(deep, count=MOST_DEPTH), _AGAIN)
            return
        try:
            record = json.loads(line)
        except ValueError as error:
            yield Refusal(place, Message("It is not JSON ({error}).", error=error), _AGAIN)
            return
        if not isinstance(record, dict):
            reason = Message("It is JSON, but not an object with named fields.")
            yield Refusal(place, reason, _AGAIN)
        elif "passages" in record:
            yield from self._instance(place, record)
        elif answered := [one for one in objects(record.get("subtopics")) if "passages" in one]:
            for group in answered:  # an answer that Subclust exported
                for passage in objects(group["passages"]):
                    yield document(record_fields(passage), place, self.collection)
        else:
            yield document(record_fields(record), place, self.collection)

    def _instance(self, place: str, record: dict[str, Any]) -> Iterator[Document | Refusal]:
        query = clean(record.get("query"))
        if not query or not isinstance(record["passages"], list) or not record["passages"]:
            missing = "query" if not query else "passages"
            yield Refusal(place, Message("It has no {missing}.", missing=missing), _AGAIN)
            return
        description = clean(record.get("description")) or None
        passages = []
        for number, given in enumerate(record["passages"], start=1):
            made = self._passage(query, description, given)
            if made is None:
                which = Message("{place}, passage {passage}", place=place, passage=number)
                yield Refusal(which, Message("It has no text."), _AGAIN)
            else:
                passages.append(made)
        if passages:
            yield Document(query, query, tuple(passages), description)

    def _passage(self, query: str, description: str | None, given: Any) -> Passage | None:
        text = clean(given.get("text")) if isinstance(given, dict) else ""
        if not text:
            return None
        label = clean(given.get("label")) or None
        id_ = clean(given.get("id")) or "sha256-" + digest(query, text)
        return Passage(
            id=f"{self.collection}:{id_}",
            text=text,
            title=query,
            collection=self.collection,
            label=label,
            path=clean(given.get("path")) or label,
            metadata={"description": description} if description else {},
        )
