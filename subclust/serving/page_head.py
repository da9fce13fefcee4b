"""What Streamlit's own page lacks: the style sheet, and the link to the OpenSearch description."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust.serving.search_engine import LINK

_APP = b'<div id="root"></div>'
_OF_A_FILE = ("accept-encoding", "if-none-match", "if-modified-since")


class PageHead:
    """ASGI middleware: puts the style sheet behind the app, and the link into the head of the page.

    Drawn by the app, the style sheet would come after the first parts of the page: what it hides
    would be seen, and everything would stand elsewhere for a moment.

    Parameters
    ----------
    app : ASGI application
    style : bytes
        The style sheet of all pages.
    """

    def __init__(self, app: ASGIApp, *, style: bytes) -> None:
        self.app = app
        self._style = b"<style>" + style + b"</style>"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add both where a page comes back."""
        asked = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "text/html" not in asked.get("accept", "") or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        # Compressed or "not modified", the answer would have no page to add anything to.
        headers = [one for one in scope["headers"] if one[0].decode("latin-1") not in _OF_A_FILE]
        start: Message | None = None
        page = b""

        async def say(message: Message) -> None:
            nonlocal start, page
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                page += message.get("body", b"")
                if not message.get("more_body"):
                    await self._send(start, page, send)

        await self.app({**scope, "headers": headers}, receive, say)

    async def _send(self, start: Message, page: bytes, send: Send) -> None:
        page = page.replace(_APP, _APP + self._style, 1).replace(b"</head>", LINK + b"</head>", 1)
        headers = MutableHeaders(scope=start)
        headers["content-length"] = str(len(page))
        for name in ("etag", "last-modified"):  # of Streamlit's file alone
            if name in headers:
                del headers[name]
        await send(start)
        await send({"type": "http.response.body", "body": page})


def _is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    page = headers.get("content-type", "").startswith("text/html")
    return page and start["status"] == 200 and "content-encoding" not in headers
