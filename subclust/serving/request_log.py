"""An id for each request, and a line in the log when it is answered."""

import re
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust.core.logs import note, request_id

HEADER = "X-Request-ID"

_GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")

_UNTOLD = re.compile(r"(/_stcore/upload_file|/media|/_stcore/component[^/]*|/component)/.*")
"""Places whose rest names a visitor's session or file."""

_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*/?")


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
