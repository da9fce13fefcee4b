"""The number by which a browser is known again."""

import re
import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust.core.storage.ageing import DRAFT_DAYS

COOKIE = "subclust-visitor"

_NUMBER = re.compile(r"[0-9a-f]{32}")


class VisitorCookie:
    """ASGI middleware: gives each browser a number with the page, and the same one ever after.

    The number says nothing about anybody, no script of a page can read it, and a browser forgets it
    when no page was opened for as long as drafts are kept.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the cookie where a page comes back."""
        asked = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "text/html" not in asked.get("accept", ""):
            await self.app(scope, receive, send)
            return
        number = known_visitor(cookie_parser(asked.get("cookie", ""))) or secrets.token_hex(16)

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", _cookie(number))
            await send(message)

        await self.app(scope, receive, say)


def known_visitor(cookies: Mapping[str, str]) -> str:
    """Return the number among a browser's cookies; empty where there is none of ours."""
    value = cookies.get(COOKIE, "")
    return value if _NUMBER.fullmatch(value) else ""


def _cookie(number: str) -> str:
    # "Lax": a link from another site brings it along, and a frame in another site does not.
    seconds = DRAFT_DAYS * 24 * 3600
    return f"{COOKIE}={number}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax"
