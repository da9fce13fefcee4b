"""What stands before pages and API alike, whichever of them a server serves."""

import re
import secrets
import time
from collections.abc import Callable, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust import __version__
from subclust.core import logs
from subclust.core.access import STRANGER, forbid_changes, identify_by
from subclust.core.accounts import Accounts, serve_accounts
from subclust.core.logs import note, request_id
from subclust.core.rates import RateLimit, bearer_or_address
from subclust.core.settings import Settings
from subclust.core.storage.presence import watch
from subclust.core.storage.version import check_version
from subclust.serving.door import MOST_UPLOADED, Door
from subclust.serving.health import CountedResponses

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_UNTOLD = re.compile(r"(/_stcore/upload_file|/media|/_stcore/component[^/]*|/component)/.*")
"""Places whose rest names a visitor's session or file."""
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*/?")


def begin(settings: Settings) -> Accounts | None:
    """Have this process keep to the settings, and return the accounts that they name.

    Where there are accounts, whoever was not identified may change nothing from now on.

    Raises
    ------
    SettingsError
        If the data folder is of a newer version, or the accounts cannot be used.
    """
    logs.begin(settings.log)
    check_version(settings.data_dir, __version__)
    watch(settings.data_dir)
    if settings.read_only:
        forbid_changes()
    if settings.accounts is None:
        return None
    identify_by(lambda: STRANGER)
    return serve_accounts(
        settings.accounts,
        audit_log=settings.audit_dir / "audit.jsonl",
        libraries=settings.library_dir,
    )


def middleware(
    settings: Settings, accounts: Accounts | None, held: Callable[[], int] = lambda: 0
) -> list[Middleware]:
    """Return what every request passes, in order.

    Parameters
    ----------
    held : callable
        Returns how many bytes of uploads are held for all visitors.
    """
    # From the outside in: what the door rejects is still logged and counted.
    passed = [
        Middleware(RequestLog),
        Middleware(CountedResponses),
        Middleware(
            Door,
            hosts=settings.hosts,
            embed_in=settings.embed_in,
            api_origins=settings.api_origins,
            most_uploaded=0 if settings.read_only else MOST_UPLOADED,
            held=held,
        ),
    ]
    if accounts is not None:
        passed += [
            Middleware(RateLimit, per_minute=30, burst=30, applies=_is_signing_in),
            # Two limits for the API: the narrow one goes by token, and anybody can make up tokens,
            # so the wide one goes by address.
            Middleware(RateLimit, per_minute=3000, burst=1000, applies=_is_api),
            Middleware(
                RateLimit, per_minute=600, burst=300, applies=_is_api, key=bearer_or_address
            ),
        ]
    if accounts is not None and accounts.header is not None:
        header = accounts.header
        passed.append(Middleware(TrustedProxies, name=header.name, proxies=header.proxies))
    return passed


def _is_api(path: str) -> bool:
    return "/api/" in path


def _is_signing_in(path: str) -> bool:
    return path.rstrip("/").endswith(("/auth/login", "/oauth2callback"))


class TrustedProxies:
    """ASGI middleware: takes a header away unless it came once and from a proxy that is believed.

    Parameters
    ----------
    app : ASGI application
    name : str
        Of the header.
    proxies : sequence of str
        Their addresses.
    """

    def __init__(self, app: ASGIApp, *, name: str, proxies: Sequence[str]) -> None:
        self.app = app
        self.name = name
        self.proxies = frozenset(proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] in ("http", "websocket"):
            address = (scope.get("client") or ("",))[0]
            told = Headers(scope=scope).getlist(self.name)
            if told and (address not in self.proxies or len(told) > 1):
                scope = {**scope, "headers": list(scope["headers"])}
                del MutableHeaders(scope=scope)[self.name]
        await self.app(scope, receive, send)


class RequestLog:
    """ASGI middleware: gives each request an id, its answer the same in a header, and notes both.

    A proxy's ``X-Request-ID`` is taken where it is a plain word. What follows the ``?`` of an
    address holds questions, so it is not noted; neither is a path that is none of a program's.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        id_ = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        status = 0

        async def say(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = id_
                status = message.get("status", 101)
            # A websocket that is closed before it was accepted is answered with 403.
            elif message["type"] == "websocket.close" and not status:
                status = 403
            await send(message)

        token, began = request_id.set(id_), time.monotonic()
        try:
            await self.app(scope, receive, say)
        finally:
            fields = {
                "method": scope.get("method", "WEBSOCKET"),
                "path": _told_path(scope["path"]),
                "status": status or 500,
                "ms": round(1000 * (time.monotonic() - began), 1),
            }
            note("request", fields)
            request_id.reset(token)


def _told_path(path: str) -> str:
    """Return a path as it may be noted: without what names a session, and none that is a text."""
    if hidden := _UNTOLD.fullmatch(path):
        return f"{hidden[1]}/…"
    return path if len(path) <= 200 and _PATH.fullmatch(path) else "…"
