"""What every request, upload and websocket passes before Streamlit sees it."""

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
"""Names under which a machine reaches itself."""

ALL_ADDRESSES = ("0.0.0.0", "::")
"""What ``--host`` says to listen on every address of the machine."""

MOST_UPLOADED = 1000 * 1024**2
"""Bytes of all files together that visitors have uploaded and not yet given up."""

_CLOSED = ("/_stcore/metrics", "/_stcore/agent")
_UPLOADS = "/_stcore/upload_file/"

_UNKNOWN_HOST = (
    "Subclust does not answer to the name by which this page was asked for. Open it by the address "
    "that it was given, or ask whoever runs it to add this name to SUBCLUST_HOSTS.\n"
)
_OTHER_SITE = "Subclust takes nothing from a page of another site.\n"
_CLOSED_HERE = "There is nothing here.\n"
_TOO_MUCH = (
    "There is no room for this file now: visitors have uploaded as much as this server holds. Try "
    "again in some minutes.\n"
)


class Door:
    """ASGI middleware: lets in who asks by a name of ours, and says what browsers may do.

    A page of another site can have its name resolve to this machine (DNS rebinding); its requests
    then come with its own name as their host, and that is how they are told.

    Parameters
    ----------
    app : ASGI application
    hosts : sequence of str
        Names besides those of the machine itself, without ports; ``"0.0.0.0"`` or ``"::"`` lets in
        every IP address, which no name can resolve to in a browser's eyes.
    embed_in : sequence of str
        Addresses of sites whose pages may show the app in a frame, such as
        ``"https://catalogue.example.org"``.
    api_origins : sequence of str
        Addresses of sites whose pages may ask the API.
    most_uploaded : int
        Bytes of all uploads together.
    held : callable
        Returns how many bytes of uploads are held for all visitors.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Sequence[str] = (),
        embed_in: Sequence[str] = (),
        api_origins: Sequence[str] = (),
        most_uploaded: int = MOST_UPLOADED,
        held: Callable[[], int] = lambda: 0,
    ) -> None:
        self.app = app
        self.hosts = frozenset(_plain(host) for host in (*LOCAL_HOSTS, *hosts))
        self.names = self.hosts.difference(ALL_ADDRESSES)
        self.any_address = self.names != self.hosts
        self.api_origins = frozenset(api_origins)
        self.most_uploaded = most_uploaded
        self.held = held
        self._coming = 0
        self._policy = _content_policy(embed_in)
        self._headers = {
            "X-Content-Type-Options": "nosniff",
            # The address of a page holds the question.
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                # The API's own page has a stricter policy.
                headers.setdefault("Content-Security-Policy", self._policy)
            await send(message)

        refusal = self._refusal(scope)
        size = _upload_size(scope)
        # `held` walks through Streamlit's upload statistics, so it is asked for uploads only.
        if refusal is None and self._coming + size > self.most_uploaded - (size and self.held()):
            refusal = 413, _TOO_MUCH
        if refusal is not None:
            await _refuse(*refusal, scope, receive, say)
            return
        self._coming += size
        try:
            await self.app(scope, receive, say)
        finally:
            self._coming -= size

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return 421, _UNKNOWN_HOST
        # Doubled slashes must not lead around the checks below.
        path = re.sub(r"/+", "/", scope["path"])
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        may_ask = path.startswith("/api/") and headers.get("origin") in self.api_origins
        if changes and not may_ask and self._is_foreign(headers, hosts[0]):
            return 403, _OTHER_SITE
        if any(path == closed or path.startswith(f"{closed}/") for closed in _CLOSED):
            return 404, _CLOSED_HERE
        return None

    def _is_ours(self, netloc: str) -> bool:
        host = _host_of(netloc)
        return host in self.names or (self.any_address and _is_address(host))

    def _is_foreign(self, headers: Headers, asked_for: str) -> bool:
        """Return whether a browser says that a page of another site asks; programs say nothing."""
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return True
        told = headers.get("origin", headers.get("referer"))
        if told is None:
            return False
        # An address that is not the one asked for is another's, also where any opens this server.
        host = _host_of(_netloc(told))
        return host == "" or (host not in self.names and host != _host_of(asked_for))


def _host_of(netloc: str) -> str:
    """Return the host of a Host header, in lower case and without its port; ``""`` for nonsense."""
    try:
        parts = urlsplit(f"//{netloc}")
        parts.port  # noqa: B018 - raises where it is none
    except ValueError:
        return ""
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        return ""
    return _plain(parts.hostname or "")


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _plain(host: str) -> str:
    # A trailing dot names the same host, and IPv6 addresses come in brackets.
    return host.strip().strip("[]").rstrip(".").lower()


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _upload_size(scope: Scope) -> int:
    """Return how many bytes an upload says it has; 0 for any other request."""
    if scope["type"] != "http" or scope["method"] != "PUT" or _UPLOADS not in scope["path"]:
        return 0
    size = Headers(scope=scope).get("content-length", "")
    # An upload that states no usable length counts as the largest possible.
    return int(size) if size.isascii() and size.isdecimal() and len(size) < 16 else MOST_UPLOADED


async def _refuse(status: int, told: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        # ASGI: the connect event has to be received before a websocket can be closed.
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": told.strip()[:120]})
        return
    await PlainTextResponse(told, status_code=status)(scope, receive, send)


_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _content_policy(embed_in: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy of the pages."""
    # Streamlit runs components of ours as blobs and writes styles into the page; maps of thousands
    # of marks compile their WebGL programs with eval. Only a script that runs already can do so.
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(("'self'", "blob:", "'unsafe-eval'", *_own_scripts())),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(("'self'", *embed_in)),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


@cache
def _own_scripts() -> tuple[str, ...]:
    """Return the hashes of the scripts within Streamlit's page."""
    page = files("streamlit") / "static" / "index.html"
    found = _INLINE.findall(page.read_text(encoding="utf-8"))
    return tuple(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found)
