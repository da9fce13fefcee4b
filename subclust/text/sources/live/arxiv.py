"""arXiv: its query interface, which answers with an Atom feed."""

import re

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.live.answers import count, xml_parts
from subclust.text.sources.live.base import LiveSource, Page, offset_of
from subclust.text.sources.record import document
from subclust.text.sources.xml_records import children, first_text, found, text_of

MOST_RECORDS = 30_000
"""Of one query; arXiv gives no more, whatever the start."""

_OWN_QUERY = re.compile(r"\b(ti|au|abs|co|jr|cat|rn|id|all):|\b(AND|OR|ANDNOT)\b|[()]")
_WORDS = re.compile(r'"[^"]+"|[^\s"]+')


class Arxiv(LiveSource):
    """Records of arXiv, best first.

    Plain words must all be in a record; a query with arXiv's own prefixes (``ti:``, ``cat:``) or
    operators is sent as it is.
    """

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page of the feed."""
        start = offset_of(place, self.card.label)
        parameters = {
            "search_query": _arxiv_query(self.query()),
            "start": str(start),
            "max_results": str(min(n_records, self.card.page_size, MOST_RECORDS - start)),
            "sortBy": "relevance",
            "sortOrder": "descending",
        }
        answer = self.transport.ask(
            self.url, parameters, lambda content: self._read(content, start)
        )
        items, total = answer.value
        end = start + len(items)
        reachable = min(total if total is not None else end, MOST_RECORDS)
        following = str(end) if items and end < reachable else None
        if following is None and total is not None and total > MOST_RECORDS <= end:
            items.append(
                Refusal(
                    Message("records after {number:,}", number=MOST_RECORDS),
                    Message(
                        "arXiv finds {total:,}, but returns no more than {most:,} for a query.",
                        total=total,
                        most=MOST_RECORDS,
                    ),
                    Message("Ask several narrower questions, such as one for each category."),
                )
            )
        return Page(tuple(items), following, total, answer.asked_at, answer.from_cache)

    def _read(self, content: bytes, start: int) -> tuple[list[Document | Refusal], int | None]:
        items: list[Document | Refusal] = []
        total = None
        for part in xml_parts(content, "feed", {"entry", "totalResults"}, self.card.label):
            if isinstance(part, Refusal):
                items.append(part)
            elif part.tag == "totalResults":
                total = count(text_of(part.element))
            else:
                items.append(self._entry(part.element, start + len(items) + 1))
        # arXiv sends an empty page now and then; after a ValueError it is asked again.
        if total is not None and start < min(total, MOST_RECORDS) and not items:
            raise ValueError(Message("an empty page where there are more records"))
        return items, total

    def _entry(self, entry: object, number: int) -> Document | Refusal:
        address = first_text(entry, "id")
        # arXiv reports an error as an entry of an ordinary feed.
        if "/api/errors" in address:
            raise LiveSourceError(
                "arXiv did not understand the query ({why}); change it.",
                why=first_text(entry, "summary"),
            )
        id_ = re.sub(r"v\d+$", "", address.rpartition("/abs/")[2])
        pages = [link.get("href", "") for link in children(entry, "link")]
        terms = [one.get("term", "") for one in children(entry, "category")]
        record = {
            "id": id_,
            "title": first_text(entry, "title"),
            "text": first_text(entry, "summary"),
            "authors": [text_of(name) for name in found(entry, "author", "name")],
            "year": first_text(entry, "published")[:10],
            "venue": first_text(entry, "journal_ref"),
            "doi": first_text(entry, "doi"),
            "url": f"https://arxiv.org/abs/{id_}" if id_ else next(iter(pages), ""),
            "keywords": terms,
            "source": self.card.label,
        }
        place = (
            Message("record {number}", number=f"{number} ({id_})")
            if id_
            else Message("record {number} (without id)", number=number)
        )
        return document(record, place, self.collection)


def _arxiv_query(words: str) -> str:
    """Write plain words in arXiv's language; what is in it already is left as it is."""
    if _OWN_QUERY.search(words):
        return words
    found_words = (word.strip("\"'.,;:!?[]{}") for word in _WORDS.findall(words))
    return " AND ".join(f'all:"{w}"' if " " in w else f"all:{w}" for w in found_words if w)
