"""From the name of a live source to the object that asks it, where it may be asked."""

import importlib
import time
from collections.abc import Callable
from typing import Literal

from subclust.core.exceptions import InputError, LiveSourceOffError
from subclust.core.live import LiveAccess, is_address
from subclust.core.messages import N_, Message
from subclust.core.settings import Settings
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.base import LiveRequest, LiveSource
from subclust.text.sources.live.fetching import HARVEST, SEARCH
from subclust.text.sources.live.transport import Transport

Obstacle = Literal["off", "offline", "contact", "key", "address"]
"""What can keep a live source from being asked; the first that applies counts."""

_WHY_OFF: dict[Obstacle, str] = {
    "off": N_(
        "{source} is not switched on, and nothing was sent; to switch it on, put {name} into "
        "SUBCLUST_LIVE and start again."
    ),
    "offline": N_(
        "Subclust is set to work offline, so {source} is not asked; set SUBCLUST_OFFLINE to 0 and "
        "start again."
    ),
    "contact": N_(
        "{source} asks for a contact address; set SUBCLUST_CONTACT to an e-mail address and "
        "start again."
    ),
    "key": N_(
        "{source} needs a key, which you get at {page}; put it into SUBCLUST_KEY_{variable} "
        "and start again."
    ),
    "address": N_(
        "No {source} is named; put its address into SUBCLUST_URL_{variable} and start again."
    ),
}


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
            "An address looks like https://example.org/oai; {url!r} does not.", url=request.url
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
            "Live sources are {sources}; {name!r} is not one of them.",
            sources=", ".join(LIVE),
            name=name,
        )
    return LIVE[name]


def access_to(settings: Settings, card: LiveCard) -> LiveAccess:
    """Return how a live source is asked, or refuse. Nothing is sent here.

    Raises
    ------
    LiveSourceOffError
        If the source is not switched on, if the machine is to work offline, if nobody is named whom
        the service may write to, or if it needs a key and none is set.
    """
    why = why_off(settings, card)
    access = settings.live_access(card.name)
    if why or access is None:
        raise LiveSourceOffError(why)
    return access


def obstacle(settings: Settings, card: LiveCard) -> Obstacle | None:
    """Return what keeps a live source from being asked; None where nothing does."""
    access = settings.live_access(card.name)
    if access is None:
        return "off"
    if settings.offline:
        return "offline"
    if not access.contact:
        return "contact"
    if card.key == "needed" and not access.key:
        return "key"
    return "address" if not card.url and not access.urls else None


def why_off(settings: Settings, card: LiveCard) -> str:
    """Return in a sentence why a live source cannot be asked; ``""`` where it can."""
    why = obstacle(settings, card)
    if why is None:
        return ""
    return Message(
        _WHY_OFF[why], source=card.label, name=card.name, page=card.key_page, variable=card.variable
    )
