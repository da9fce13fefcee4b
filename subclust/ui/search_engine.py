"""The app as a search engine that browsers and catalogues can add: an OpenSearch description."""

from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS = "opensearch.xml"
MEDIA_TYPE = "application/opensearchdescription+xml"

_NAMESPACE = "http://a9.com/-/spec/opensearch/1.1/"
_LINK = f'<link rel="search" type="{MEDIA_TYPE}" title="Subclust" href="./{ADDRESS}" />'.encode()


def description_route() -> Route:
    """Return the address of the description, which says how a question is asked here."""

    async def described(request: Request) -> Response:
        here = str(request.url.replace(query="", fragment="")).removesuffix(ADDRESS)
        return Response(description(here), media_type=MEDIA_TYPE)

    return Route(f"/{ADDRESS}", described)


def description(address: str) -> bytes:
    """Return the OpenSearch 1.1 description of an app.

    Parameters
    ----------
    address : str
        Of its first page, with the final slash.
    """
    root = Element("OpenSearchDescription", xmlns=_NAMESPACE)
    for name, text in (
        ("ShortName", "Subclust"),
        ("Description", "The passages that answer a question, grouped into named subtopics."),
        ("InputEncoding", "UTF-8"),
        ("OutputEncoding", "UTF-8"),
    ):
        SubElement(root, name).text = text
    template = f"{address}?q={{searchTerms}}"
    SubElement(root, "Url", type="text/html", method="get", template=template)
    SubElement(root, "Url", type=MEDIA_TYPE, rel="self", template=f"{address}{ADDRESS}")
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


class SearchLink:
    """ASGI middleware: names the description in the head of the page, where browsers look for it.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the link to a page that comes back."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def say(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    whole = body.replace(b"</head>", _LINK + b"</head>", 1)
                    if body:  # HEAD has none, and its length is that of the page as it lies there
                        MutableHeaders(scope=start)["Content-Length"] = str(len(whole))
                    await send(start)
                    await send({"type": "http.response.body", "body": whole})

        await self.app(scope, receive, say)


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    page = headers.get("content-type", "").startswith("text/html")
    return page and message["status"] == 200 and "content-encoding" not in headers
