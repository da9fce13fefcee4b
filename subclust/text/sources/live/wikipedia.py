"""Wikipedia: the articles that its search finds, paragraph by paragraph, in any language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from subclust.core.exceptions import InputError, LiveSourceError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.core.web import TryAgain
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.json_fields import at, objects
from subclust.text.sources.live.answers import json_object, text
from subclust.text.sources.live.base import LiveSource, Page, offset_of
from subclust.text.sources.wikitext import Section, paragraphs

LICENCE = "CC BY-SA 4.0"

_BUSY = {"maxlag", "ratelimited", "readonly", "internal_api_error_DBQueryTimeoutError"}
_LAG = 5.0
"""Seconds; a wiki whose servers are further behind wants to be left alone."""


@dataclass(frozen=True)
class _Found:
    pages: list[dict[str, Any]]
    next: str | None


class Wikipedia(LiveSource):
    """Articles that Wikipedia's own search finds, best first, with their text."""

    @property
    def url(self) -> str:
        """Where the Wikipedia of the request's language is asked."""
        language = self.request.language or "en"
        if not re.fullmatch(r"[a-z]{2,12}(-[a-z]{2,12}){0,3}", language):
            raise InputError(
                "A Wikipedia is named by its language code, such as en, de or simple; {name!r} "
                "is not one.",
                name=language,
            )
        return super().url.replace("{language}", language)

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for the next articles."""
        start = offset_of(place, self.card.label)
        parameters = {
            "action": "query",
            "format": "json",
            "formatversion": "2",
            "generator": "search",
            "gsrsearch": self.query(),
            "gsrnamespace": "0",
            "gsrlimit": str(min(n_records, self.card.page_size)),
            "gsroffset": str(start),
            "prop": "revisions|info|pageprops",
            "rvprop": "ids|timestamp|content",
            "rvslots": "main",
            "inprop": "url",
            "ppprop": "disambiguation",
            "maxlag": f"{_LAG:.0f}",
        }
        answer = self.transport.ask(self.url, parameters, self._read)
        # MediaWiki lists the pages by number; their rank in the search is in `index`.
        pages = sorted(answer.value.pages, key=_rank)
        items = tuple(item for page in pages for item in self._article(page))
        following = answer.value.next
        if following is not None and offset_of(following, self.card.label) <= start:
            following = None
        return Page(items, following, None, answer.asked_at, answer.from_cache)

    def _read(self, content: bytes) -> _Found:
        answer = json_object(content)
        code, said = text(answer, "error", "code"), text(answer, "error", "info")
        if code in _BUSY:
            raise TryAgain(Message("is busy ({reason})", reason=said[:200] or code), _LAG)
        if code:
            raise LiveSourceError(
                "{source} rejected the query ({why}); change it.",
                source=self.card.label,
                why=said[:200] or code,
            )
        # Where nothing was found, the answer has "batchcomplete" alone.
        if "batchcomplete" not in answer and "query" not in answer:
            raise ValueError(Message("JSON that is not an answer of a wiki"))
        following = text(answer, "continue", "gsroffset")
        return _Found(objects(at(answer, "query", "pages")), following or None)

    def _article(self, page: dict[str, Any]) -> Iterator[Document | Refusal]:
        title, number = text(page, "title"), text(page, "pageid")
        if at(page, "pageprops", "disambiguation") is not None:
            return
        wikitext = at(page, "revisions", 0, "slots", "main", "content")
        place = Message("article {title}", title=title or number or "without title")
        if not isinstance(wikitext, str) or not number:
            yield Refusal(
                place,
                Message("It came without its text."),
                Message("Ask again, for fewer articles."),
            )
            return
        read = list(paragraphs(wikitext))
        if not read:
            yield Refusal(
                place,
                Message("It has no paragraph of running text."),
                Message("Nothing needs to be done."),
            )
            return
        yield self._document(page, title, number, read)

    def _document(
        self, page: dict[str, Any], title: str, number: str, read: list[Section]
    ) -> Document:
        language = self.request.language or "en"
        id_ = f"{language.replace('-', '_')}wiki:{number}"
        lead = "\n\n".join(section.text for section in read if not section.path)
        metadata = {
            "url": text(page, "fullurl"),
            "licence": LICENCE,
            "language": language,
            "source": self.card.label,
            "revision": text(page, "revisions", 0, "revid"),
            "date": text(page, "revisions", 0, "timestamp")[:10],
        }
        metadata = {name: value for name, value in metadata.items() if value}
        with_lead = {**metadata, "description": lead} if lead else metadata
        # The lead says what the whole is about and is no passage, unless there is nothing else.
        sections = [section for section in read if section.path] or read
        passages = tuple(
            Passage(
                id=f"{id_}#{n}",
                text=section.text,
                title=title,
                collection=self.collection,
                label=section.path[0] if section.path else None,
                path=" / ".join(section.path) or None,
                metadata=with_lead,
            )
            for n, section in enumerate(sections)
        )
        return Document(id_, title, passages, lead or None, metadata)


def _rank(page: dict[str, Any]) -> int:
    index = page.get("index")
    return index if isinstance(index, int) else 1 << 30
