"""Crossref: works as JSON, abstracts in JATS where publishers deposit them."""

from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.json_fields import at, objects
from subclust.text.sources.live.answers import count, json_object, plain, text
from subclust.text.sources.live.base import LiveSource, Page, offset_of
from subclust.text.sources.record import document

MOST_BY_OFFSET = 10_000
"""Records that can be reached in order of relevance; further ones need a cursor."""

FIELDS = "DOI,title,subtitle,abstract,author,issued,container-title,URL,license,type,publisher"


class Crossref(LiveSource):
    """Works that Crossref finds: best first, or with a cursor where all of them are wanted."""

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page."""
        rows = min(n_records, self.card.page_size)
        parameters = {"query": self.query(), "rows": str(rows), "select": FIELDS}
        start = 0
        if self.deep:
            parameters["cursor"] = place or "*"
        else:
            start = offset_of(place, self.card.label)
            parameters["offset"] = str(start)
        if "@" in self.transport.access.contact:
            parameters["mailto"] = self.transport.access.contact
        key = self.transport.access.key
        answer = self.transport.ask(
            self.url,
            parameters,
            _read,
            headers={"Crossref-Plus-API-Token": f"Bearer {key}"} if key else None,
        )
        works, total, cursor = answer.value
        items = tuple(self._work(work, start + n) for n, work in enumerate(works, start=1))
        following = None
        if works and self.deep:
            # Crossref's cursor may stay the same from page to page, so only a short page tells the
            # end.
            following = cursor if len(works) >= rows else None
        elif works and start + len(works) < min(total or 0, MOST_BY_OFFSET - rows):
            following = str(start + len(works))
        return Page(items, following, total, answer.asked_at, answer.from_cache)

    def _work(self, work: dict[str, Any], number: int) -> Document | Refusal:
        doi = text(work, "DOI")
        titles = [plain(at(work, key, 0)) for key in ("title", "subtitle")]
        record = {
            "id": doi,
            "title": ": ".join(title for title in titles if title),
            "text": plain(at(work, "abstract")),
            "authors": [_name(author) for author in objects(at(work, "author"))],
            "year": text(work, "issued", "date-parts", 0, 0),
            "venue": plain(at(work, "container-title", 0)),
            "doi": doi,
            "url": text(work, "URL"),
            "publisher": text(work, "publisher"),
            "licence": text(work, "license", 0, "URL"),
            "type": text(work, "type"),
            "source": self.card.label,
        }
        return document(record, f"work {doi or number}", self.collection)


def _name(author: dict[str, Any]) -> str:
    family, given = text(author, "family"), text(author, "given")
    return ", ".join(part for part in (family, given) if part) or text(author, "name")


def _read(content: bytes) -> tuple[list[dict[str, Any]], int | None, str | None]:
    message = at(json_object(content), "message")
    works = at(message, "items")
    if not isinstance(works, list):
        raise ValueError(Message("JSON without items"))
    cursor = at(message, "next-cursor")
    return (
        objects(works),
        count(at(message, "total-results")),
        cursor if isinstance(cursor, str) and cursor else None,
    )
