"""How often somebody may ask: a bucket of tokens for each person or address."""

import hashlib
import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from subclust.core.messages import N_, Message
from subclust.core.translation import language_of, translated

_MOST_KNOWN = 10_000
_TOLD = N_("Too many requests came from you; wait {seconds} seconds and try again.")


class Buckets:
    """One bucket of tokens a key: each request takes one, and time fills them again.

    The buckets of the last 10,000 keys are kept, in this process alone.

    Parameters
    ----------
    per_minute : float
        How many come back in a minute.
    burst : int
        How many a full bucket holds.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second = per_minute / 60
        self.burst = burst
        self.clock = clock
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take a token; return 0, or after how many seconds there will be one."""
        now = self.clock()
        # Popping and inserting again keeps the keys in order of last use, so that the one forgotten
        # below is the one that has been unused for longest.
        left, last = self._known.pop(key, (float(self.burst), now))
        left = min(self.burst, left + (now - last) * self.per_second)
        wait = 0.0 if left >= 1 else (1 - left) / self.per_second
        self._known[key] = (left if wait else left - 1, now)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return wait

    def forget(self, key: str) -> None:
        """Forget the bucket of a key."""
        self._known.pop(key, None)


class RateLimit:
    """ASGI middleware: answers 429 with ``Retry-After`` to whoever asks too often.

    Parameters
    ----------
    app : ASGI application
    burst : int
        As for `Buckets`.
    applies : callable
        From a path to whether requests for it are counted; by default all are.
    key : callable
        From a request's scope to whom it counts for; by default its address. Who asks by a token
        is told apart by `bearer_or_address`, where whatever checks the token limits the address.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        per_minute: float,
        burst: int,
        applies: Callable[[str], bool] = lambda path: True,
        key: Callable[[Scope], str] | None = None,
    ) -> None:
        self.app = app
        self.applies = applies
        self.key = key or _address_of
        self.buckets = Buckets(per_minute, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or not self.applies(scope["path"]):
            await self.app(scope, receive, send)
            return
        wait = self.buckets.take(self.key(scope))
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        accepted = Headers(scope=scope).get("accept-language", "")
        problem = {
            "type": "about:blank",
            "title": "Too Many Requests",
            "status": 429,
            "detail": translated(Message(_TOLD, seconds=seconds), language_of(accepted)),
        }
        headers = [
            (b"content-type", b"application/problem+json"),
            (b"retry-after", str(seconds).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 429, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(problem).encode()})


def _address_of(scope: Scope) -> str:
    """Return the address that a request comes from."""
    return str((scope.get("client") or ("",))[0])


def bearer_or_address(scope: Scope) -> str:
    """Return a hash of the token that a request brings, or where it comes from."""
    for name, value in scope.get("headers", ()):
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return hashlib.sha256(value[7:]).hexdigest()
    return _address_of(scope)
