"""The description of the app as a search engine, and the page that names it."""

from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from subclust.serving.page_head import PageHead
from subclust.serving.search_engine import ADDRESS, MEDIA_TYPE, description_route

PAGE = "<html><head><title>x</title></head><body>Ü</head></body></html>"


def answers(response):
    async def answer(request):
        return response

    routes = [description_route(), Route("/{path:path}", answer)]
    app = PageHead(Starlette(routes=routes), style=b"")
    return TestClient(app, base_url="https://a.example:8443")


def test_the_description_names_the_address_by_which_it_was_asked_for():
    answer = answers(None).get(f"/{ADDRESS}?x=%22%3Cb%3E")
    assert answer.headers["content-type"] == MEDIA_TYPE
    found = ElementTree.fromstring(answer.content)
    templates = [one.get("template") for one in found if "template" in one.attrib]
    assert templates == [
        "https://a.example:8443/?q={searchTerms}",
        f"https://a.example:8443/{ADDRESS}",
    ]


def test_a_page_names_it_once_and_says_its_length():
    answer = answers(HTMLResponse(PAGE)).get("/compare", headers={"Accept": "text/html"})
    assert answer.text.count('rel="search"') == 1
    assert answer.text.index('rel="search"') < answer.text.index("</head>")
    assert int(answer.headers["content-length"]) == len(answer.content)


@pytest.mark.parametrize(
    ("response", "accept"),
    [
        (HTMLResponse(PAGE), "*/*"),
        (HTMLResponse(PAGE, status_code=404), "text/html"),
        (Response(PAGE, media_type="text/plain"), "text/html"),
        (HTMLResponse(PAGE, headers={"Content-Encoding": "identity"}), "text/html"),
    ],
)
def test_everything_else_stays_as_it_is(response, accept):
    assert answers(response).get("/", headers={"Accept": accept}).text == PAGE
