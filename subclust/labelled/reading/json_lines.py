"""The passages of a labelled set in JSON Lines, one query a line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.labelled.reading.decoding import read_text
from subclust.labelled.reading.labelled import LabelledFile, LabelledPassage, suggestion
from subclust.labelled.reading.problems import Problem, Sink, quoted


def line_file(path: Path, sink: Sink, names: Mapping[str, str], *, labelled: bool) -> LabelledFile:
    """Open a labelled set in JSON Lines; see `open_labelled`."""
    text = read_text(path, sink)
    file = LabelledFile(in_lines=True, sure=text.sure)
    file.passages = _Lines(path.name, names, labelled, sink, file).passages(text.lines())
    return file


class _Lines:
    """Makes passages of lines."""

    def __init__(
        self, name: str, names: Mapping[str, str], labelled: bool, sink: Sink, file: LabelledFile
    ) -> None:
        self.name = name
        self.names = names
        self.required = ("text", "label") if labelled else ("text",)
        self.sink = sink
        self.file = file
        self.unseen = {names[name]: name for name in names if names[name] != name}

    def passages(self, lines: Iterable[str]) -> Iterator[LabelledPassage]:
        n_lines = 0
        for number, ended in enumerate(lines, start=1):
            line = ended.removesuffix("\n")
            if not line.strip():
                continue
            n_lines += 1
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                if n_lines == 1 and (line.lstrip()[0] == "[" or line.strip() == "{"):
                    shape = Message("list") if line.lstrip()[0] == "[" else Message("object")
                    self.sink(Problem("json-not-lines", self.name, other=shape))
                    self.file.sure = False
                    return
                self.file.n_rows += 1
                self._report("not-json", number, found=quoted(line), other=_reason(error))
                continue
            yield from self._line(number, line, record)
        if not n_lines and self.file.sure:
            self.sink(Problem("empty-file", self.name))
        for theirs, ours in self.unseen.items():
            self.sink(Problem("no-such-field", self.name, column=ours, other=quoted(theirs)[1:-1]))

    def _line(self, number: int, line: str, record: Any) -> Iterator[LabelledPassage]:
        self._see(record)
        query = record.get(self.names["query"]) if isinstance(record, dict) else None
        passages = record.get("passages") if isinstance(record, dict) else None
        self.file.n_rows += len(passages) if isinstance(passages, list) and passages else 1
        if not isinstance(query, str):
            self._missing_query(number, line, record)
            return
        if not isinstance(passages, list) or not passages:
            self._report("no-passages", number, column="passages", query=query)
            return
        if not query.strip():
            self._report("empty-query", number, column="query", query=query)
        description = record.get(self.names["description"])
        if description is not None and not isinstance(description, str):
            told = _told(description)
            self._report("odd-field", number, column="description", found=told, query=query)
            description = None
        for position, fields in enumerate(passages, start=1):
            passage = self._passage(number, position, query, fields)
            if passage is not None:
                has_id = bool(fields.get(self.names["id"]))
                yield LabelledPassage(number, position, query, description, passage, has_id)

    def _missing_query(self, number: int, line: str, record: Any) -> None:
        if isinstance(record, dict) and self.names["query"] not in record:
            strings = [key for key, value in record.items() if isinstance(value, str)]
            likely = suggestion("query", strings)
            if likely is not None:
                self._report("near-field", number, column="query", other=quoted(likely)[1:-1])
                return
        self._report("wrong-query", number, column="query", found=quoted(line))

    def _passage(self, number: int, position: int, query: str, fields: Any) -> Passage | None:
        if not isinstance(fields, dict):
            told = _told(fields)
            self._report("no-object", number, position, found=told, query=query)
            return None
        self._see(fields)
        broken = False
        for name in self.required:
            value = fields.get(self.names[name])
            if isinstance(value, str) and value.strip():
                continue
            broken = True
            self._missing(number, position, name, query, fields)
        if broken:
            return None
        for name in ("title", "path"):
            value = fields.get(self.names[name])
            if value and not isinstance(value, str):
                told = _told(value)
                self._report("odd-field", number, position, name, told, query=query)
        label = fields.get(self.names["label"])
        return Passage(
            id=_text(fields.get(self.names["id"]) or f"{number}#{position}"),
            text=fields[self.names["text"]],
            title=_text(fields.get(self.names["title"]) or ""),
            label=_text(label) if label else None,
            path=_text(fields.get(self.names["path"]) or label) if label else None,
        )

    def _missing(
        self, number: int, position: int, name: str, query: str, fields: Mapping[str, Any]
    ) -> None:
        value = fields.get(self.names[name])
        if value is not None and not isinstance(value, str):
            told = _told(value)
            self._report("wrong-type", number, position, name, told, query=query)
            return
        if self.names[name] not in fields:
            strings = [
                key
                for key, other in fields.items()
                if isinstance(other, str) and key not in self.names.values()
            ]
            likely = suggestion(name, strings)
            if likely is not None:
                other = quoted(likely)[1:-1]
                self._report("near-field", number, position, name, other=other, query=query)
                return
        self._report("empty-field", number, position, name, query=query)

    def _see(self, fields: Any) -> None:
        """Cross off the field names that somebody gave and that are there."""
        if self.unseen and isinstance(fields, dict):
            self.unseen = {k: v for k, v in self.unseen.items() if k not in fields}

    def _report(
        self,
        kind: str,
        line: int,
        position: int | None = None,
        column: str = "",
        found: str = "",
        *,
        other: str = "",
        query: str | None = None,
    ) -> None:
        self.sink(
            Problem(kind, self.name, line, position, column, found, other, query, in_lines=True)
        )


def _told(value: Any) -> str:
    try:
        return quoted(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return Message("something nested deeply")


def _text(value: Any) -> str:
    try:
        return value if isinstance(value, str) else str(value)
    except RecursionError:
        return ""


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}"
        return Message("{reason} at character {place}", reason=reason, place=error.colno)
    return (
        Message("nested too deeply")
        if isinstance(error, RecursionError)
        else Message("a number too long")
    )
