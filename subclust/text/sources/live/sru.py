"""Any library catalogue that speaks SRU: records as Dublin Core, MARCXML, MODS or PICA+."""

import re
from dataclasses import dataclass
from typing import Any

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.catalogue_xml import catalogue_document
from subclust.text.sources.live.answers import count, xml_parts
from subclust.text.sources.live.base import LiveSource, Page, offset_of
from subclust.text.sources.xml_records import found, local_name, text_of

_OWN_QUERY = re.compile(r'["=<>()/]|\b(and|or|not|prox|any|all|exact|within)\b', re.I)


@dataclass(frozen=True)
class _Read:
    items: list[Document | Refusal]
    total: int | None
    next: int | None


class Sru(LiveSource):
    """Records that a catalogue finds.

    Plain words must all be in a record; a query in CQL is sent as it is. The format is the
    catalogue's name for it: ``dc`` unless another is asked for.
    """

    @property
    def url(self) -> str:
        """The catalogue's address."""
        return self.request.url or super().url

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page of what the catalogue finds."""
        start = offset_of(place, self.card.label) if place is not None else 1
        parameters = {
            "operation": "searchRetrieve",
            "version": "1.1",
            "query": _cql(self.query()),
            "startRecord": str(start),
            "maximumRecords": str(min(n_records, self.card.page_size)),
            "recordSchema": self.request.format or "dc",
        }
        answer = self.transport.ask(
            self.url, parameters, lambda content: self._read(content, start)
        )
        read = answer.value
        end = start + len(read.items)
        following = read.next if read.next is not None else end
        more = bool(read.items) and following > start
        if read.total is not None:
            more = more and following <= read.total
        elif read.next is None:
            more = False
        return Page(
            tuple(read.items),
            str(following) if more else None,
            read.total,
            answer.asked_at,
            answer.from_cache,
        )

    def _read(self, content: bytes, start: int) -> _Read:
        items: list[Document | Refusal] = []
        total, following = None, None
        tags = {"record", "numberOfRecords", "nextRecordPosition", "diagnostics"}
        for part in xml_parts(content, "searchRetrieveResponse", tags, self.card.label):
            if isinstance(part, Refusal):
                items.append(part)
            elif part.tag == "numberOfRecords":
                total = count(text_of(part.element))
            elif part.tag == "nextRecordPosition":
                following = count(text_of(part.element))
            elif part.tag == "diagnostics":
                self._refuse(part.element, start)
            else:
                items.append(self._record(part.element, start + len(items)))
        if total is None and not items:
            raise ValueError(Message("SRU without a number of records"))
        return _Read(items, total, following)

    def _refuse(self, diagnostics: Any, start: int) -> None:
        said = _diagnostic(diagnostics)
        # Diagnostic 61: the first record asked for is beyond the last one.
        if start > 1 and "diagnostic/1/61" in said:
            return
        raise LiveSourceError(
            "{source} rejected the query ({why}); change it, or choose another format by the "
            "source's own name for it, such as dc, oai_dc or marcxml.",
            source=self.url,
            why=said[:200] or Message("no reason given"),
        )

    def _record(self, element: Any, number: int) -> Document | Refusal:
        place = Message("record {number}", number=number)
        if not found(element, "recordData"):
            return Refusal(
                place,
                Message("It has no data."),
                Message("Tell whoever looks after the catalogue."),
            )
        return catalogue_document(element, place, self.collection)


def _cql(words: str) -> str:
    """Write plain words in CQL, all of them wanted; what is in CQL already is left as it is."""
    if _OWN_QUERY.search(words):
        return words
    return " and ".join(
        word if re.fullmatch(r"\w+", word) else f'"{word}"' for word in words.split()
    )


def _diagnostic(element: Any) -> str:
    words = [
        text_of(one)
        for one in element.iter()
        if local_name(one) in ("message", "details", "uri") and text_of(one)
    ]
    return "; ".join(dict.fromkeys(words))
