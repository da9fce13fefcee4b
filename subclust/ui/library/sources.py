"""The import formats and the live sources, in the visitor's language."""

from subclust.core.settings import Settings
from subclust.text.sources import SOURCES
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.opening import obstacle
from subclust.ui.i18n.language import _, said


def format_label(label: str) -> str:
    """Return what a reader calls its format, in the visitor's language."""
    return said(label)


def formats() -> list[str]:
    """Return the import formats, each with the endings of its files."""
    return [f"{said(card.label)} ({', '.join(card.extensions)})" for card in SOURCES.values()]


def live_label(name: str) -> str:
    """Return the label of a live source; an unknown one keeps its name."""
    return said(LIVE[name].label) if name in LIVE else name


def live_sources(settings: Settings) -> list[tuple[str, str, str]]:
    """Return of each live source its label, what it has, and whether it is on."""
    return [
        (live_label(name), said(card.summary), _state(settings, card))
        for name, card in LIVE.items()
    ]


def _state(settings: Settings, card: LiveCard) -> str:
    """Return whether a source is on, and what is missing where it is not."""
    match obstacle(settings, card):
        case None:
            return _("On") if card.searchable else _("On, for harvests only")
        case "offline":
            return _("Off: Subclust works offline (SUBCLUST_OFFLINE)")
        case "contact":
            return _("Off: no contact is set (SUBCLUST_CONTACT)")
        case "key":
            variable = f"SUBCLUST_KEY_{card.variable}"
            return _("Off: no key is set ({variable})").format(variable=variable)
        case "address":
            variable = f"SUBCLUST_URL_{card.variable}"
            return _("Off: no address is set ({variable})").format(variable=variable)
    return _("Off")
