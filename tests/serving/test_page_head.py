import pytest
from starlette.applications import Starlette
from starlette.responses import FileResponse, HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from subclust.serving.page_head import PageHead
from subclust.serving.search_engine import LINK

STYLE = "p { color: red }"
APP = '<div id="root"></div>'
PAGE = f"<html><head></head><body>{APP}</body></html>"


@pytest.fixture
def client(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(APP)

    async def a_page(request):
        return HTMLResponse(PAGE, headers={"etag": "of-the-file"})

    async def a_file(request):
        return FileResponse(file)

    app = Starlette(routes=[Route("/a.csv", a_file), Route("/{path:path}", a_page)])
    return TestClient(PageHead(app, style=STYLE.encode()), headers={"accept": "text/html,*/*"})


def test_a_page_brings_its_style_sheet_last(client):
    answer = client.get("/compare", headers={"if-none-match": "of-the-file"})
    style = f"<style>{STYLE}</style>"
    linked = PAGE.replace("</head>", f"{LINK.decode()}</head>")
    assert answer.text == linked.replace(APP, APP + style)
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "etag" not in answer.headers


def test_files_and_what_is_asked_by_scripts_stay_as_they_are(client):
    file = client.get("/a.csv")
    assert (file.text, "etag" in file.headers) == (APP, True)
    assert client.get("/a.csv", headers={"range": "bytes=0-1"}).text == "<d"
    assert client.get("/", headers={"accept": "*/*"}).text == PAGE
    assert client.post("/").status_code == 405
