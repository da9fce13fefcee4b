"""OpenAlex: works as JSON, abstracts as an index of words."""

from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.json_fields import abstract, at, objects
from subclust.text.sources.live.answers import count, json_object, plain, text
from subclust.text.sources.live.base import LiveSource, Page
from subclust.text.sources.record import document

FIELDS = (
    "id,doi,display_name,publication_year,language,authorships,primary_location,"
    "abstract_inverted_index,keywords,type"
)


class OpenAlex(LiveSource):
    """Works that OpenAlex finds, best first; it asks for a key."""

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page, which OpenAlex marks with a cursor."""
        parameters = {
            "search": self.query(),
            "per_page": str(min(n_records, self.card.page_size)),
            "cursor": place or "*",
            "select": FIELDS,
        }
        answer = self.transport.ask(
            self.url, parameters, _read, secrets={"api_key": self.transport.access.key}
        )
        works, total, following = answer.value
        items = tuple(self._work(work, number) for number, work in enumerate(works, start=1))
        if not works or following == place:
            following = None
        return Page(items, following, total, answer.asked_at, answer.from_cache)

    def _work(self, work: dict[str, Any], number: int) -> Document | Refusal:
        id_ = text(work, "id").rpartition("/")[2]
        record = {
            "id": id_,
            "title": plain(at(work, "display_name")),
            "text": plain(abstract(at(work, "abstract_inverted_index"))),
            "authors": [
                text(one, "author", "display_name") for one in objects(at(work, "authorships"))
            ],
            "year": text(work, "publication_year"),
            "venue": text(work, "primary_location", "source", "display_name"),
            "doi": text(work, "doi"),
            "url": text(work, "primary_location", "landing_page_url") or text(work, "id"),
            "keywords": [text(one, "display_name") for one in objects(at(work, "keywords"))],
            "language": text(work, "language"),
            "licence": text(work, "primary_location", "license"),
            "type": text(work, "type"),
            "source": self.card.label,
        }
        return document(record, f"work {id_ or number}", self.collection)


def _read(content: bytes) -> tuple[list[dict[str, Any]], int | None, str | None]:
    answer = json_object(content)
    works = answer.get("results")
    if not isinstance(works, list):
        raise ValueError(Message("JSON without results"))
    following = at(answer, "meta", "next_cursor")
    cursor = following if isinstance(following, str) and following else None
    return objects(works), count(at(answer, "meta", "count")), cursor
