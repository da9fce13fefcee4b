"""The door: who may ask a live source, and what to say where nobody may."""

from typing import Literal

from subclust.core.exceptions import LiveSourceOffError
from subclust.core.messages import Message
from subclust.core.settings import LiveAccess, Settings
from subclust.text.sources.live.card import LiveCard

Obstacle = Literal["off", "offline", "contact", "key", "address"]
"""What can keep a live source from being asked; the first that applies counts."""


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
    """Tell in a word what keeps a live source from being asked; None where nothing does."""
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
    """Say in a sentence why a live source cannot be asked; ``""`` where it can."""
    match obstacle(settings, card):
        case "off":
            return Message(
                "{source} is not switched on, and nothing was sent; to switch it on, put "
                "{name} into SUBCLUST_LIVE and start again.",
                source=card.label,
                name=card.name,
            )
        case "offline":
            return Message(
                "Subclust is set to work offline, so {source} is not asked; set "
                "SUBCLUST_OFFLINE to 0 and start again.",
                source=card.label,
            )
        case "contact":
            return Message(
                "{source} wants to know whom it may write to; set SUBCLUST_CONTACT to an "
                "e-mail address and start again.",
                source=card.label,
            )
        case "key":
            return Message(
                "{source} needs a key, which is had at {page}; put it into "
                "SUBCLUST_KEY_{variable} and start again.",
                source=card.label,
                page=card.key_page,
                variable=card.variable,
            )
        case "address":
            return Message(
                "No {source} is named; put its address into SUBCLUST_URL_{variable} and start "
                "again.",
                source=card.label,
                variable=card.variable,
            )
    return ""
