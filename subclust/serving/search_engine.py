"""The app as a search engine that browsers and catalogues can add: an OpenSearch description."""

from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ADDRESS = "opensearch.xml"
MEDIA_TYPE = "application/opensearchdescription+xml"

_NAMESPACE = "http://a9.com/-/spec/opensearch/1.1/"
LINK = f'<link rel="search" type="{MEDIA_TYPE}" title="Subclust" href="./{ADDRESS}" />'.encode()
"""Of the head of a page, where browsers look for it."""


def description_route() -> Route:
    """Return the address of the description, which says how a question is asked here."""

    async def described(request: Request) -> Response:
        here = str(request.url.replace(query="", fragment="")).removesuffix(ADDRESS)
        return Response(_description(here), media_type=MEDIA_TYPE)

    return Route(f"/{ADDRESS}", described)


def _description(address: str) -> bytes:
    """Return the OpenSearch 1.1 description of an app."""
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
