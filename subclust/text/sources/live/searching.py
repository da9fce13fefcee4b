"""The first hits of a live source, over as many pages as they need."""

import re
from dataclasses import dataclass, replace

from subclust.core.exceptions import InputError
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.live.base import LiveSource

MOST_HITS = 1000
"""Of one search; more is a harvest."""


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
            "An OAI-PMH repository cannot be searched, it gives all of its records: harvest it "
            "with 'python -m subclust harvest oai-pmh', then search the library."
        )
    if not 1 <= top_k <= MOST_HITS:
        raise InputError(
            "A search gives 1 to {most} hits, but {count} were asked for; harvest the source if "
            "you need more.",
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
