"""Who is let in: by which name, from which site, with how much."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from subclust.serving.door import Door
from subclust.serving.guards import TrustedProxies

UPLOAD = "/_stcore/upload_file/session/file"


async def answer(request):
    await request.body()
    return PlainTextResponse("in")


async def talk(socket):
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


def behind(**options):
    routes = [
        WebSocketRoute("/_stcore/stream", talk),
        Route("/{path:path}", answer, methods=["GET", "PUT", "POST", "DELETE"]),
    ]
    return TestClient(Door(Starlette(routes=routes), **options), base_url="http://localhost")


def is_in(client, host, path="/", method="GET", **headers):
    return client.request(method, path, headers={"Host": host, **headers}).text == "in"


def connects(client, host, origin=None):
    headers = {"Host": host} | ({"Origin": origin} if origin else {})
    try:
        with client.websocket_connect("/_stcore/stream", headers=headers) as socket:
            return socket.receive_text() == "in"
    except WebSocketDisconnect as refused:
        assert refused.code == 1008
        return False


@pytest.mark.parametrize("path", ["/", "/_stcore/health", UPLOAD])
@pytest.mark.parametrize(
    ("host", "let_in"),
    [
        ("localhost", True),
        ("localhost:8501", True),
        ("LOCALHOST.:8501", True),
        ("127.0.0.1:8501", True),
        ("[::1]:8501", True),
        ("library.example.org", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("192.168.0.7", False),
        ("localhost:x", False),
        ("user@localhost", False),
        ("localhost/evil", False),
        ("", False),
    ],
)
def test_a_foreign_name_is_refused_whatever_is_asked_for(host, let_in, path):
    client = behind(hosts=["library.example.org"])
    assert is_in(client, host, path) is let_in
    assert connects(client, host, f"http://{host}") is let_in


def test_who_listens_on_all_addresses_is_asked_by_address_and_still_not_by_foreign_name():
    client = behind(hosts=["0.0.0.0"])
    assert is_in(client, "192.168.0.7:8501")
    assert is_in(client, "[fe80::1]")
    assert not is_in(client, "evil.example")
    assert not is_in(client, "0.0.0.0.evil.example")


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_a_page_of_another_site_changes_nothing(method):
    client = behind()
    assert not is_in(client, "localhost", UPLOAD, method, Origin="http://evil.example")
    assert not is_in(client, "localhost", UPLOAD, method, Origin="null")
    assert is_in(client, "localhost", UPLOAD, method, Origin="http://localhost")
    assert is_in(client, "localhost", UPLOAD, method)
    assert not connects(client, "localhost", "http://evil.example")
    assert not connects(client, "localhost", "null")
    assert connects(client, "localhost")


SAID = [
    # who listens, Host, what the browser says of the page, whether it may change something
    ("localhost", "localhost", {}, True),
    ("localhost", "localhost", {"Sec-Fetch-Site": "same-origin"}, True),
    ("localhost", "localhost", {"Sec-Fetch-Site": "none"}, True),
    ("localhost", "localhost", {"Sec-Fetch-Site": "cross-site"}, False),
    ("localhost", "localhost", {"Sec-Fetch-Site": "same-site"}, False),
    ("localhost", "localhost", {"Referer": "http://localhost:8501/library?q=a"}, True),
    ("localhost", "localhost", {"Referer": "https://evil.example/localhost"}, False),
    ("localhost", "localhost", {"Referer": "nonsense"}, False),
    ("localhost", "localhost", {"Origin": ""}, False),
    ("library.example", "localhost", {"Origin": "https://library.example"}, True),
    ("0.0.0.0", "10.0.0.7:8501", {"Origin": "http://10.0.0.7:8501"}, True),
    ("0.0.0.0", "10.0.0.7:8501", {"Origin": "http://6.6.6.6"}, False),
    ("0.0.0.0", "10.0.0.7:8501", {"Origin": "http://0.0.0.0"}, False),
    ("::", "[fe80::1]", {"Origin": "http://[fe80::1]"}, True),
    ("::", "[fe80::1]", {"Origin": "http://[fe80::2]"}, False),
]


@pytest.mark.parametrize(("listens", "host", "said", "let_in"), SAID)
def test_what_a_browser_says_of_the_page_that_asks_is_heeded(listens, host, said, let_in):
    client = behind(hosts=[listens])
    # What a form of another site can send without asking first.
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/json"):
        asked = {"Content-Type": kind, **said}
        assert is_in(client, host, "/api/v1/jobs/x/cancel", "POST", **asked) is let_in
        assert is_in(client, host, UPLOAD, "PUT", **asked) is let_in
    assert is_in(client, host, "/", **said)
    if "Origin" in said:
        assert connects(client, host, said["Origin"]) in (let_in, said["Origin"] == "")


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "//_stcore//metrics", "/_stcore/metrics/", "/_stcore/agent/mcp"]
)
def test_what_only_the_server_is_to_know_is_closed(path):
    # The client of the tests would take what follows two slashes for a host.
    assert behind().request("GET", f"http://localhost{path}").status_code == 404


def policy_of(answer):
    """Return the directives of a Content-Security-Policy, with the sources of each."""
    parts = answer.headers["Content-Security-Policy"].split("; ")
    return {name: set(sources) for name, *sources in map(str.split, parts)}


def test_browsers_are_told_what_they_may_do():
    answer = behind(embed_in=["https://catalogue.example.org"]).get("/")
    policy = policy_of(answer)
    assert policy["frame-ancestors"] == {"'self'", "https://catalogue.example.org"}
    assert policy["default-src"] == policy["connect-src"] == {"'self'"}
    # A script may only come from here, and one that stands in a page only from Streamlit's own.
    hashes = {source for source in policy["script-src"] if source.startswith("'sha256-")}
    assert policy["script-src"] - hashes == {"'self'", "blob:", "'unsafe-eval'"}
    assert len(hashes) == 1
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    refused = behind().get("/", headers={"Host": "evil.example"})
    assert policy_of(refused)["frame-ancestors"] == {"'self'"}


def told_by(address, *headers):
    """Ask from an address with headers of one name, and return what the app is told of them."""

    async def say(request):
        return PlainTextResponse(",".join(request.headers.getlist("x-remote-user")))

    app = TrustedProxies(
        Starlette(routes=[Route("/", say)]), name="X-Remote-User", proxies=["10.0.0.1"]
    )
    client = TestClient(app, base_url="http://localhost", client=(address, 50000))
    return client.get("/", headers=[("X-Remote-User", one) for one in headers]).text


def test_only_a_named_proxy_says_who_asks_and_says_it_once():
    assert told_by("10.0.0.1", "ada") == "ada"
    assert told_by("10.0.0.2", "ada") == ""
    assert told_by("10.0.0.1", "ada", "cleo") == ""
    assert told_by("10.0.0.1") == ""


def test_all_uploads_together_are_bounded():
    client = behind(most_uploaded=1000)
    assert client.put(UPLOAD, content=b"x" * 1000).status_code == 200
    assert client.put(UPLOAD, content=b"x" * 1001).status_code == 413
    client = behind(most_uploaded=1000, held=lambda: 600)  # by earlier visitors
    assert client.put(UPLOAD, content=b"x" * 400).status_code == 200
    assert client.put(UPLOAD, content=b"x" * 401).status_code == 413
    assert client.get("/").status_code == 200


def test_an_upload_that_does_not_tell_its_size_counts_as_the_most():
    def chunks():
        yield b"x"

    assert behind(most_uploaded=1000).put(UPLOAD, content=chunks()).status_code == 413


def test_uploads_at_the_same_time_count_together():
    let_go = asyncio.Event()

    async def slow(scope, receive, send):
        await let_go.wait()
        await PlainTextResponse("in")(scope, receive, send)

    async def put(app, told):
        headers = [(b"host", b"localhost"), (b"content-length", b"600")]
        scope = {"type": "http", "method": "PUT", "path": UPLOAD, "headers": headers}

        async def send(message):
            if message["type"] == "http.response.start":
                told.append(message["status"])

        await app(scope, None, send)

    async def both():
        app, told = Door(slow, most_uploaded=1000), []
        first = asyncio.create_task(put(app, told))
        await asyncio.sleep(0)
        await put(app, told)
        let_go.set()
        await first
        await put(app, told)
        return told

    # In a thread of its own, since browser tests leave a loop running in this one.
    with ThreadPoolExecutor(max_workers=1) as thread:
        assert thread.submit(lambda: asyncio.run(both())).result() == [413, 200, 200]


def test_only_sites_that_are_named_may_ask_the_api():
    client = behind(api_origins=["https://catalogue.example"])
    for origin, path, lets_in in (
        ("https://catalogue.example", "/api/v1/search", True),
        ("https://catalogue.example", "/other", False),
        ("https://evil.example", "/api/v1/search", False),
    ):
        assert is_in(client, "localhost", path, "POST", Origin=origin) is lets_in
