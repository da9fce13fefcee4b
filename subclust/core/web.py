"""One request over the network, bounded in time and size, which follows no redirect.

httpx2 is asked asynchronously because only so one clock can be held over a whole request: name
look-up, connection, headers and body, also where each comes a byte at a time.
"""

import asyncio
import logging
import ssl
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from subclust.core.messages import Message

# It writes the whole address of each request, and with it query and key, into any log that listens.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class TryAgain(Exception):
    """An attempt that failed and may succeed later.

    Parameters
    ----------
    reason : str
        What the server did, such as ``"cannot be reached (…)"``.
    after : float
        Seconds that it wants to be left alone for; 0 where it does not say.
    """

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class TimedOut(TryAgain):
    """An attempt that took too long.

    Parameters
    ----------
    bound : {"connect", "silence", "seconds"}
        Of `send`, which it passed.
    """

    def __init__(self, bound: Literal["connect", "silence", "seconds"]) -> None:
        super().__init__("did not answer in time")
        self.bound = bound


class UnusableAddressError(Exception):
    """The address is none that can be asked."""


@dataclass(frozen=True)
class Response:
    """What came back.

    Parameters
    ----------
    headers : mapping of str to str
        Names in lower case.
    content : bytes
        Unpacked; empty with a redirect.
    is_whole : bool
        False where there was more content than was to be read.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    is_whole: bool = True


def send(
    url: str,
    headers: Mapping[str, str],
    content: bytes | None = None,
    *,
    seconds: float,
    n_bytes: int,
    connect: float | None = None,
    silence: float | None = None,
) -> Response:
    """Send one request: POST where there is content, else GET.

    Parameters
    ----------
    headers : mapping of str to str
    seconds : float
        Of all of it, from the look-up of the name to the last byte.
    n_bytes : int
        Of the answer, unpacked, that are read.
    connect, silence : float, optional
        Seconds until a connection stands, and that nothing may come.

    Raises
    ------
    TimedOut
        If it takes too long.
    TryAgain
        If the server cannot be reached, or breaks off.
    UnusableAddressError
    """
    import httpx2  # takes its time, and most processes ask nobody

    async def asked() -> Response:
        waits = httpx2.Timeout(silence, connect=connect)
        async with (
            asyncio.timeout(seconds),
            httpx2.AsyncClient(
                timeout=waits, headers=dict(headers), follow_redirects=False, verify=_certificates()
            ) as client,
            client.stream("GET" if content is None else "POST", url, content=content) as response,
        ):
            found = {name.lower(): value for name, value in response.headers.items()}
            pieces, size = [], 0
            if not 300 <= response.status_code < 400:
                async for piece in response.aiter_bytes():
                    pieces.append(piece)
                    size += len(piece)
                    if size > n_bytes:
                        break
            whole = b"".join(pieces)
            return Response(response.status_code, found, whole[:n_bytes], size <= n_bytes)

    try:
        return _awaited(asked())
    except httpx2.ConnectTimeout as error:
        raise TimedOut("connect") from error
    except httpx2.TimeoutException as error:
        raise TimedOut("silence") from error
    except TimeoutError as error:
        raise TimedOut("seconds") from error
    except httpx2.ConnectError as error:
        raise TryAgain(Message("cannot be reached ({short})", short=_short(error))) from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise UnusableAddressError(_short(error)) from error
    except (httpx2.HTTPError, OSError) as error:
        raise TryAgain(
            Message("closed the connection ({error})", error=type(error).__name__)
        ) from error


def _awaited(asked: Coroutine[Any, Any, Response]) -> Response:
    """Wait for an answer, in a thread of its own where this one has an event loop (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(asked)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(_run, asked).result()


def _run(asked: Coroutine[Any, Any, Response]) -> Response:
    # Not asyncio.run, which waits at its end for the look-up of a name, however long that takes.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(asked)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


@cache
def _certificates() -> ssl.SSLContext:
    """Read the machine's certificates, which takes a third of a second, once."""
    import httpx2

    return httpx2.create_ssl_context()


def _short(error: Exception) -> str:
    words = " ".join(str(error).split())
    return words[:120] or type(error).__name__
