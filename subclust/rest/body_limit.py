"""How much a request may send where no file is expected."""

import re
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust.core.messages import N_
from subclust.rest.problems import problem, told_to

MOST_BYTES = 1 << 20

_FILES = re.compile(r"/libraries/[^/]+/imports|/sets")
_TOO_LONG = N_("The body of this request is too long; it may have 1 MB.")


class BodyLimit:
    """ASGI middleware: refuses bodies that would fill the memory, whatever size they claim.

    Files go to the disk piece by piece, and have limits of their own.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or _takes_a_file(scope):
            await self.app(scope, receive, send)
            return
        body, more = b"", True
        headers = Headers(scope=scope)
        claimed = headers.get("content-length", "0")
        # `int` raises for thousands of digits, and twelve are enough to be too many.
        is_short = claimed.isdecimal() and int(claimed[:12]) <= MOST_BYTES
        while is_short and more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            is_short = len(body) <= MOST_BYTES
        if not is_short:
            # The rest of the body stays unread, so the connection cannot carry another request.
            told, close = told_to(headers, _TOO_LONG), {"Connection": "close"}
            refusal = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told, close)
            await refusal(scope, receive, send)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                # Later calls are how an application notices that the client has gone.
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, again, send)


def _takes_a_file(scope: Scope) -> bool:
    """Return whether a request is for an address that takes a file, and not for one that ends so.

    A library may be called "imports".
    """
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return scope["method"] == "POST" and _FILES.fullmatch(path) is not None
