"""One question to a service, within `Limits`, redirected only to the same host."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.core.web import Response, TimedOut, TryAgain, UnusableAddressError, send

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 3


@dataclass(frozen=True)
class Limits:
    """Bounds of one question to a service.

    Parameters
    ----------
    connect : float
        Seconds until a connection stands.
    silence : float
        Seconds that nothing may come.
    seconds : float
        Of one attempt in all, so that an answer that drips is cut off too.
    n_bytes : int
        Of one answer, unpacked.
    n_retries : int
        Times that it is asked again when it is busy, breaks off or answers nonsense.
    patience : float
        Seconds that may be waited in all, for the service's sake or for another process of ours.
    """

    connect: float = 10.0
    silence: float = 30.0
    seconds: float = 60.0
    n_bytes: int = 32 << 20
    n_retries: int = 3
    patience: float = 60.0


SEARCH = Limits()
"""Somebody is waiting."""

HARVEST = Limits(connect=20.0, silence=120.0, seconds=600.0, n_retries=6, patience=1800.0)
"""Nobody is; repositories may take minutes for a page."""


def fetch(url: str, headers: Mapping[str, str], limits: Limits, label: str) -> Response:
    """Ask once.

    Parameters
    ----------
    url : str
    headers : mapping of str to str
    limits : Limits
    label : str
        Of the service, for people.

    Raises
    ------
    TryAgain
        If it cannot be reached, breaks off, or takes too long.
    LiveSourceError
        If it sends too much, or sends us to another host.
    """
    # One limit for all redirects together.
    until = time.monotonic() + limits.seconds
    here = url
    for _ in range(_MOST_REDIRECTS + 1):
        try:
            response = send(
                here,
                headers,
                seconds=until - time.monotonic(),
                n_bytes=limits.n_bytes,
                connect=limits.connect,
                silence=limits.silence,
            )
        except TimedOut as error:
            raise TryAgain(
                Message("did not answer in time ({allowed})", allowed=_allowed(error, limits))
            ) from error
        except UnusableAddressError as error:
            raise LiveSourceError(
                "The address of {source} cannot be used ({why}); correct it.",
                source=label,
                why=error,
            ) from error
        if not response.is_whole:
            raise LiveSourceError(
                "{source} sent more than {size:.3g} MB for one answer, so the rest was not "
                "read; check whether its address is right, or ask for less.",
                source=label,
                size=limits.n_bytes / (1 << 20),
            )
        if response.status not in _REDIRECTS:
            return response
        here = _next_address(here, response.headers.get("location", ""), label)
    raise LiveSourceError(
        "{source} redirects in circles; check whether its address is right.", source=label
    )


def _next_address(before: str, location: str, label: str) -> str:
    """Follow a redirect within the host: query and key go where the librarian said, only."""
    here = httpx2.URL(before)
    there = here.join(location)
    safe = there.scheme == here.scheme or (here.scheme, there.scheme) == ("http", "https")
    if not location or _host(there) != _host(here) or not safe:
        raise LiveSourceError(
            "{label} redirects to another address, {scheme}://{host}, and only addresses that "
            "you have named are contacted; name that one if it is right.",
            label=label,
            scheme=there.scheme,
            host=there.host,
        )
    return str(there)


def _host(url: httpx2.URL) -> str:
    return url.host.lower().removeprefix("www.")


def _allowed(error: TimedOut, limits: Limits) -> str:
    match error.bound:
        case "connect":
            return Message("no connection in {count:g} seconds", count=limits.connect)
        case "silence":
            return Message("silent for {count:g} seconds", count=limits.silence)
    return Message("not done in {count:g} seconds", count=limits.seconds)
