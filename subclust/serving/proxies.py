"""The header by which a proxy says who has signed in, believed of named proxies alone."""

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send


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
