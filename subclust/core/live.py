"""Services on the network that documents can be asked of, and how each is asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from subclust.core.exceptions import SettingsError

LIVE_SOURCES = ("arxiv", "openalex", "crossref", "europe-pmc", "wikipedia", "oai-pmh", "sru")
"""Services on the network that documents can be asked of, each off until it is switched on."""


@dataclass(frozen=True)
class LiveAccess:
    """How a live source that is switched on is asked.

    Parameters
    ----------
    name : str
        One of `LIVE_SOURCES`.
    contact : str
        E-mail or web address that the service may write to; it goes into the User-Agent.
    key : str
        The service's key, ``""`` for none; it goes to the service and nowhere else.
    urls : tuple of str
        Addresses that may be asked instead of the service's own; of an OAI-PMH repository or an
        SRU catalogue, the ones that there are.
    """

    name: str
    contact: str = ""
    key: str = field(default="", repr=False)
    urls: tuple[str, ...] = ()


def live_sources(value: str, environ: Mapping[str, str]) -> tuple[LiveAccess, ...]:
    """Read which live sources are switched on, and how each is asked.

    Parameters
    ----------
    value : str
        Of ``SUBCLUST_LIVE``: names with spaces or commas between them.
    environ : mapping of str to str
        The environment, with contacts, keys and addresses.

    Raises
    ------
    SettingsError
        If one of them cannot be used; the sentence names the variable.
    """
    names = dict.fromkeys(value.replace(",", " ").split())
    for name in names:
        if name not in LIVE_SOURCES:
            raise SettingsError(
                "SUBCLUST_LIVE must name live sources out of {names}, but names {name!r}.",
                names=", ".join(LIVE_SOURCES),
                name=name,
            )
    return tuple(_live_access(name, environ) for name in names)


def _live_access(name: str, environ: Mapping[str, str]) -> LiveAccess:
    ending = name.upper().replace("-", "_")
    contact = environ.get(f"SUBCLUST_CONTACT_{ending}") or environ.get("SUBCLUST_CONTACT", "")
    if contact and not re.fullmatch(r"[^\s@()<>]+@[^\s@()<>]+|https?://[^\s()<>]+", contact):
        raise SettingsError(
            "SUBCLUST_CONTACT must be an e-mail or web address, but is {contact!r}.",
            contact=contact,
        )
    key = environ.get(f"SUBCLUST_KEY_{ending}", "")
    if not re.fullmatch(r"[!-~]*", key):
        raise SettingsError(
            "SUBCLUST_KEY_{ending} must be a key without spaces; copy it again.", ending=ending
        )
    urls = environ.get(f"SUBCLUST_URL_{ending}", "").split()
    for url in urls:
        if not is_address(url):
            raise SettingsError(
                "SUBCLUST_URL_{ending} must be an address such as https://example.org/oai, or "
                "several with spaces between them, but has {url!r}.",
                ending=ending,
                url=url,
            )
    return LiveAccess(name, contact, key, tuple(urls))


def is_address(url: str) -> bool:
    """Return whether a text is a web address without name, password or fragment."""
    return re.fullmatch(r"https?://[^/\s@#?]+(/[^\s#]*)?(\?[^\s#]*)?", url) is not None
