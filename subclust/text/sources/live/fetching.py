"""One request over the network: bounded in time and size, redirected only to the same host.

Nothing else in Subclust's live sources touches the network. httpx2 is asked asynchronously because
only so one clock can be held over a whole request: name look-up, connection, headers and body, also
where each comes a byte at a time.
"""

import asyncio
import logging
import ssl
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 3

# It writes the whole address of each request, and with it query and key, into any log that listens.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


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


class TryAgain(Exception):
    """An attempt that failed and may succeed later.

    Parameters
    ----------
    reason : str
        What the service did, such as ``"did not answer within 60 seconds"``.
    after : float
        Seconds that it wants to be left alone for; 0 where it does not say.
    """

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


@dataclass(frozen=True)
class Response:
    """What came back.

    Parameters
    ----------
    status : int
    headers : mapping of str to str
        Names in lower case.
    content : bytes
    """

    status: int
    headers: Mapping[str, str]
    content: bytes


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
    try:
        return _awaited(_fetch(url, headers, limits, label))
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise TryAgain(
            Message("did not answer in time ({allowed})", allowed=_allowed(error, limits))
        ) from error
    except httpx2.ConnectError as error:
        raise TryAgain(Message("cannot be reached ({short})", short=_short(error))) from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise LiveSourceError(
            "The address of {source} cannot be used ({why}); correct it.",
            source=label,
            why=_short(error),
        ) from error
    except (httpx2.HTTPError, OSError) as error:
        raise TryAgain(Message("broke off ({error})", error=type(error).__name__)) from error


def _awaited(asked: Coroutine[Any, Any, Response]) -> Response:
    """Wait for an answer, in a thread of its own where this one has an event loop (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(asked)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, asked).result()


async def _fetch(url: str, headers: Mapping[str, str], limits: Limits, label: str) -> Response:
    waits = httpx2.Timeout(limits.silence, connect=limits.connect)
    async with (
        asyncio.timeout(limits.seconds),
        httpx2.AsyncClient(
            timeout=waits, headers=dict(headers), follow_redirects=False, verify=_certificates()
        ) as client,
    ):
        here = httpx2.URL(url)
        for _ in range(_MOST_REDIRECTS + 1):
            async with client.stream("GET", here) as response:
                if response.status_code not in _REDIRECTS:
                    content = await _content(response, limits, label)
                    found = {name.lower(): value for name, value in response.headers.items()}
                    return Response(response.status_code, found, content)
                here = _next_address(here, response.headers.get("location", ""), label)
    raise LiveSourceError(
        "{source} sends us round in circles; see whether its address is right.", source=label
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Read the machine's certificates, which takes a third of a second, once."""
    return httpx2.create_ssl_context()


async def _content(response: httpx2.Response, limits: Limits, label: str) -> bytes:
    pieces, n_bytes = [], 0
    async for piece in response.aiter_bytes():
        pieces.append(piece)
        n_bytes += len(piece)
        if n_bytes > limits.n_bytes:
            raise LiveSourceError(
                "{source} sent more than {size:.3g} MB for one answer, which was not read on; see "
                "whether its address is right, or ask for less.",
                source=label,
                size=limits.n_bytes / (1 << 20),
            )
    return b"".join(pieces)


def _next_address(here: httpx2.URL, location: str, label: str) -> httpx2.URL:
    """Follow a redirect within the host: query and key go where the librarian said, only."""
    there = here.join(location)
    safe = there.scheme == here.scheme or (here.scheme, there.scheme) == ("http", "https")
    if not location or _host(there) != _host(here) or not safe:
        raise LiveSourceError(
            "{label} sends us on to another address, {scheme}://{host}, and only addresses that "
            "you have named are asked; name that one if it is right.",
            label=label,
            scheme=there.scheme,
            host=there.host,
        )
    return there


def _host(url: httpx2.URL) -> str:
    return url.host.lower().removeprefix("www.")


def _allowed(error: BaseException, limits: Limits) -> str:
    if isinstance(error, httpx2.ConnectTimeout):
        return Message("no connection in {count:g} seconds", count=limits.connect)
    if isinstance(error, httpx2.TimeoutException):
        return Message("silent for {count:g} seconds", count=limits.silence)
    return Message("not done in {count:g} seconds", count=limits.seconds)


def _short(error: Exception) -> str:
    words = " ".join(str(error).split())
    return words[:120] or type(error).__name__
