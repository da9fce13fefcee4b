"""The interface of live sources: what is asked, pages of what comes back, and its first hits."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from subclust.core.exceptions import InputError, LiveSourceError
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.live import LiveCard
from subclust.text.sources.live.transport import Transport

SINCE = r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?"
"""How a date is written that records are asked from or until."""


MOST_NAME = 60
"""Characters of a collection's name that is made of a query."""

MOST_HITS = 1000
"""Of one search; more is a harvest."""


@dataclass(frozen=True)
class LiveRequest:
    """What a live source is asked for; each takes the fields it knows.

    Parameters
    ----------
    query : str
        Words, or a query in the service's own language.
    url : str
        Which repository or catalogue; ``""`` for the first that the settings name.
    set : str
        Of an OAI-PMH repository.
    since, until : str
        Dates between which an OAI-PMH record was last changed, ``""`` for none.
    format : str
        Of the records of a repository or catalogue, such as ``"oai_dc"`` or ``"marcxml"``; ``""``
        for Dublin Core.
    language : str
        Of Wikipedia, such as ``"de"``.
    """

    query: str = ""
    url: str = ""
    set: str = ""
    since: str = ""
    until: str = ""
    format: str = ""
    language: str = "en"


@dataclass(frozen=True)
class Page:
    """What one request brought.

    Parameters
    ----------
    items : tuple of Document and Refusal
        In the service's order.
    next : str or None
        What the next page is asked with; None after the last one.
    total : int or None
        How many records there are in all, where the service says.
    asked_at : float
        When the service answered, in seconds since 1970.
    from_cache : bool
        Whether the answer was kept from an earlier time.
    """

    items: tuple[Document | Refusal, ...]
    next: str | None
    total: int | None = None
    asked_at: float = 0.0
    from_cache: bool = False


class PlaceLostError(LiveSourceError):
    """The service does not know any more where the next page begins."""


class LiveSource(ABC):
    """Gives pages of documents that answer a request; asks nothing until the first one.

    Parameters
    ----------
    transport : Transport
    request : LiveRequest
    collection : str
        Name that the passages carry.
    deep : bool
        Whether everything is wanted, and not only what answers the query best.
    """

    card: LiveCard

    def __init__(
        self, transport: Transport, request: LiveRequest, collection: str, *, deep: bool = False
    ) -> None:
        self.transport = transport
        self.card = transport.card
        self.request = request
        self.collection = collection
        self.deep = deep

    @abstractmethod
    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for a page.

        Parameters
        ----------
        place : str or None
            `Page.next` of the page before; None for the first one.
        n_records : int
            How many records are wanted, at least 1; more or fewer may come.

        Raises
        ------
        InputError
            If the request lacks what the service must be told.
        PlaceLostError
            If the service does not know the place any more.
        LiveSourceError
            If there is no answer in the end; its sentence says why.
        """

    @property
    def url(self) -> str:
        """Where the service is asked."""
        return next(iter(self.transport.access.urls), "") or self.card.url

    def query(self) -> str:
        """Return the query, in one line.

        Raises
        ------
        InputError
            If there is none.
        """
        words = " ".join(self.request.query.split())
        if not words:
            raise InputError("Type a query for {source}.", source=self.card.label)
        return words


def offset_of(place: str | None, label: str) -> int:
    """Read a place that is a number.

    Raises
    ------
    PlaceLostError
        If it is none.
    """
    if place is None:
        return 0
    if not (place.isascii() and place.isdecimal() and len(place) < 12):
        raise PlaceLostError(
            "{source} cannot continue from {place!r}; start from the beginning.",
            place=place[:40],
            source=label,
        )
    return int(place)


def collection_name(card: LiveCard, request: LiveRequest) -> str:
    """Make a collection's name of source and question, such as ``arXiv: sparse retrieval``."""
    host = urlsplit(request.url).hostname or ""
    asked = " ".join(" ".join([request.query, host, request.set]).split())
    whole = f"{card.label}: {asked}" if asked else card.label
    return whole if len(whole) <= MOST_NAME else f"{whole[: MOST_NAME - 1]}…"


@dataclass(frozen=True)
class LiveHits:
    """What a search of a live source found.

    Parameters
    ----------
    documents : tuple of Document
        In the service's order, best first.
    refusals : tuple of Refusal
        Records that could not be read.
    total : int or None
        How many there are in all, where the service says.
    asked_at : float
        When the oldest of the answers was given, in seconds since 1970.
    from_cache : bool
        Whether any of them was kept from an earlier time.
    """

    documents: tuple[Document, ...]
    refusals: tuple[Refusal, ...]
    total: int | None
    asked_at: float
    from_cache: bool

    def named(self, collection: str) -> "LiveHits":
        """Return the same hits with passages of another collection."""
        return replace(self, documents=tuple(_named(one, collection) for one in self.documents))

    @property
    def items(self) -> tuple[Document | Refusal, ...]:
        """Documents, then refusals: what an import takes."""
        return self.documents + self.refusals


def search_live(source: LiveSource, top_k: int) -> LiveHits:
    """Ask a live source for the best hits.

    Parameters
    ----------
    source : LiveSource
    top_k : int
        1 to `MOST_HITS`.

    Raises
    ------
    InputError
        If the source cannot be searched, or the number cannot be used.
    LiveSourceError
        If there is no answer in the end; its sentence says why.
    """
    if not source.card.searchable:
        raise InputError(
            "An OAI-PMH repository cannot be searched, only harvested: run 'python -m subclust "
            "harvest oai-pmh', then search the library."
        )
    if not 1 <= top_k <= MOST_HITS:
        raise InputError(
            "A search returns 1 to {most} hits, but {count} were asked for; harvest the source "
            "if you need more.",
            most=MOST_HITS,
            count=top_k,
        )
    documents: dict[str, Document] = {}
    refusals: list[Refusal] = []
    place: str | None = None
    moments, from_cache, total = [], False, None
    while True:
        # Pages are of one size, so that the place of the next one is the same whatever is wanted.
        page = source.page(place, min(top_k, source.card.page_size))
        moments.append(page.asked_at)
        from_cache = from_cache or page.from_cache
        total = page.total if total is None else total
        n_before = len(documents)
        for item in page.items:
            if isinstance(item, Refusal):
                refusals.append(item)
            else:
                documents.setdefault(item.id, item)
        place = page.next
        # A page that brings nothing new means that the service turns in circles.
        if place is None or len(documents) >= top_k or len(documents) == n_before:
            break
    chosen = tuple(documents.values())[:top_k]
    return LiveHits(chosen, tuple(refusals), total, min(moments), from_cache)


def _named(document: Document, collection: str) -> Document:
    passages = tuple(
        replace(
            passage,
            # A record's passages are named after their collection, those of an article are not.
            id=re.sub(
                rf"\A{re.escape(passage.collection)}:", lambda _: f"{collection}:", passage.id
            ),
            collection=collection,
        )
        for passage in document.passages
    )
    return replace(document, passages=passages)
