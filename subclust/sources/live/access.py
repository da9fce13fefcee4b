"""The door: who may ask a live source, and what to say where nobody may."""

from typing import Literal

from subclust.exceptions import LiveSourceOffError
from subclust.settings import LiveAccess, Settings
from subclust.sources.live.card import LiveCard

Obstacle = Literal["off", "offline", "contact", "key", "address"]
"""What can keep a live source from being asked; the first that applies counts."""


def access_to(settings: Settings, card: LiveCard) -> LiveAccess:
    """Give how a live source is asked, or refuse. Nothing is sent here.

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
            return (
                f"{card.label} is not switched on, and nothing was sent; to switch it on, put "
                f"{card.name} into SUBCLUST_LIVE and start again."
            )
        case "offline":
            return (
                f"Subclust is set to work offline, so {card.label} is not asked; set "
                "SUBCLUST_OFFLINE to 0 and start again."
            )
        case "contact":
            return (
                f"{card.label} wants to know whom it may write to; set SUBCLUST_CONTACT to an "
                "e-mail address and start again."
            )
        case "key":
            return (
                f"{card.label} needs a key, which is had at {card.key_page}; put it into "
                f"SUBCLUST_KEY_{card.variable} and start again."
            )
        case "address":
            return (
                f"No {card.label} is named; put its address into SUBCLUST_URL_{card.variable} and "
                "start again."
            )
    return ""
