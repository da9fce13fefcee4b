"""Each request has an id, in its answer and in the log, and the log no word of what was asked."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from subclust.core.logs import request_id
from subclust.serving import guards
from subclust.serving.guards import HEADER, RequestLog, _told_path


@pytest.fixture
def noted(monkeypatch):
    found = []
    monkeypatch.setattr(
        guards, "note", lambda event, fields: found.append((request_id.get(), fields))
    )
    return found


async def answered(request):
    return PlainTextResponse(request_id.get())


async def failing(request):
    raise RuntimeError("a bug")


async def talking(websocket):
    await websocket.accept()
    await websocket.send_text(request_id.get())
    await websocket.close()


@pytest.fixture
def client():
    routes = [
        Route("/explore", answered),
        Route("/fails", failing),
        WebSocketRoute("/talk", talking),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(RequestLog)])
    return TestClient(app, raise_server_exceptions=False)


def test_an_answer_and_its_line_have_the_same_id(client, noted):
    first = client.get("/explore?q=secret+words&token=t")
    second = client.get("/explore")
    assert first.headers[HEADER] == first.text != second.text
    (id_, fields), _ = noted
    assert (id_, fields["path"], fields["status"]) == (first.text, "/explore", 200)
    assert fields["ms"] >= 0 and "secret" not in repr(noted)


@pytest.mark.parametrize(("given", "taken"), [("a-1.B_2", True), ("a b", False), ("x" * 65, False)])
def test_an_id_of_the_proxy_is_kept_where_it_is_a_plain_word(client, noted, given, taken):
    answer = client.get("/explore", headers={HEADER: given})
    assert (answer.headers[HEADER] == given) == taken


def test_a_bug_is_noted_as_one(client, noted):
    assert client.get("/fails").status_code == 500
    assert noted[0][1]["status"] == 500


def test_a_websocket_is_noted_when_it_ends(client, noted):
    with client.websocket_connect("/talk") as socket:
        id_ = socket.receive_text()
    assert [(one, fields["method"], fields["status"]) for one, fields in noted] == [
        (id_, "WEBSOCKET", 101)
    ]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/", "/"),
        ("/api/v1/libraries/demo", "/api/v1/libraries/demo"),
        ("/_stcore/upload_file/5e55/f11e", "/_stcore/upload_file/…"),
        ("/media/0123abc.png", "/media/…"),
        ("/what sets ants apart", "…"),
        ("/a\nb", "…"),
        ("/" + "a" * 200, "…"),
    ],
)
def test_paths_name_no_session_and_hold_no_text(path, told):
    assert _told_path(path) == told
