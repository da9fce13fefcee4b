"""From the name of a live source to the object that asks it, through the door of `access_to`."""

import importlib
import time
from collections.abc import Callable

from subclust.core.exceptions import InputError
from subclust.core.settings import Settings, is_address
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.access import access_to
from subclust.text.sources.live.base import LiveRequest, LiveSource
from subclust.text.sources.live.card import LiveCard
from subclust.text.sources.live.limits import HARVEST, SEARCH
from subclust.text.sources.live.transport import Transport


def open_live(
    settings: Settings,
    name: str,
    request: LiveRequest,
    collection: str,
    *,
    deep: bool = False,
    fresh: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> LiveSource:
    """Choose the reader of a live source. Nothing is asked yet.

    Parameters
    ----------
    settings : Settings
    name : str
        A key of `LIVE`.
    request : LiveRequest
    collection : str
        Name that the passages carry.
    deep : bool
        Whether everything is wanted: then answers are neither kept nor taken from those that are,
        and the service may take its time.
    fresh : bool
        Whether to ask although the same was asked a short while ago.
    sleep : callable
        ``time.sleep``.

    Raises
    ------
    InputError
        If there is no such source, or the address cannot be used.
    LiveSourceOffError
        If it may not be asked.
    """
    card = card_of(name)
    access = access_to(settings, card)
    if request.url and not is_address(request.url):
        raise InputError(
            "An address is like https://example.org/oai, but {url!r} is none.", url=request.url
        )
    transport = Transport(
        card,
        access,
        settings.live_dir,
        limits=HARVEST if deep else SEARCH,
        cache_hours=0.0 if deep else settings.live_cache_hours,
        fresh=fresh,
        sleep=sleep,
    )
    module, _, attribute = card.loader.partition(":")
    reader: type[LiveSource] = getattr(importlib.import_module(module), attribute)
    return reader(transport, request, collection, deep=deep)


def card_of(name: str) -> LiveCard:
    """Return the card of a live source.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in LIVE:
        raise InputError(
            "A live source is one of {sources}, but not {name!r}.",
            sources=", ".join(LIVE),
            name=name,
        )
    return LIVE[name]
