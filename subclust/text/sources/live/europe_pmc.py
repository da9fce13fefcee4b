"""Europe PMC: abstracts of the life sciences as JSON."""

from typing import Any

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.json_fields import at, objects
from subclust.text.sources.live.answers import count, json_object, plain, text
from subclust.text.sources.live.base import LiveSource, Page
from subclust.text.sources.record import document


class EuropePmc(LiveSource):
    """Records that Europe PMC finds, best first; queries may be in its own language."""

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page, which Europe PMC marks with a cursor."""
        parameters = {
            "query": self.query(),
            "format": "json",
            "resultType": "core",
            "pageSize": str(min(n_records, self.card.page_size)),
            "cursorMark": place or "*",
        }
        answer = self.transport.ask(self.url, parameters, self._read)
        records, total, following = answer.value
        items = tuple(self._record(record, number) for number, record in enumerate(records, 1))
        # After its last page Europe PMC returns the cursor that it was asked with.
        if not records or following == (place or "*"):
            following = None
        return Page(items, following, total, answer.asked_at, answer.from_cache)

    def _record(self, found: dict[str, Any], number: int) -> Document | Refusal:
        source, id_ = text(found, "source"), text(found, "id")
        name = f"{source}:{id_}" if source and id_ else id_
        headings = objects(at(found, "meshHeadingList", "meshHeading"))
        keywords = at(found, "keywordList", "keyword")
        record = {
            "id": name,
            "title": plain(at(found, "title")),
            "text": plain(at(found, "abstractText")),
            "authors": _authors(found),
            "year": text(found, "pubYear"),
            "venue": text(found, "journalInfo", "journal", "title"),
            "doi": text(found, "doi"),
            "pmid": text(found, "pmid"),
            "url": f"https://europepmc.org/article/{source}/{id_}" if source and id_ else "",
            "keywords": [
                *(keywords if isinstance(keywords, list) else []),
                *(text(heading, "descriptorName") for heading in headings),
            ],
            "language": text(found, "language"),
            "licence": text(found, "license"),
            "source": self.card.label,
        }
        return document(record, Message("record {number}", number=name or number), self.collection)

    def _read(self, content: bytes) -> tuple[list[dict[str, Any]], int | None, str | None]:
        answer = json_object(content)
        said = text(answer, "errMsg")
        if said:
            raise LiveSourceError(
                "{source} rejected the query ({why}); change it.",
                source=self.card.label,
                why=said[:200],
            )
        records = at(answer, "resultList", "result")
        if not isinstance(records, list):
            raise ValueError(Message("JSON without results"))
        return (
            objects(records),
            count(answer.get("hitCount")),
            text(answer, "nextCursorMark") or None,
        )


def _authors(found: dict[str, Any]) -> list[str]:
    listed = objects(at(found, "authorList", "author"))
    names = [text(one, "fullName") or text(one, "collectiveName") for one in listed]
    return names or [name.strip() for name in text(found, "authorString").rstrip(".").split(",")]
