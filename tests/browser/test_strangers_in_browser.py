"""The served app as somebody on the same network, or a page of another site, would try it."""

import http.client
from contextlib import closing
from urllib.parse import urlsplit

import pytest


def ask(url, path, *, method="GET", **headers):
    """Ask with headers of one's own choice, the Host included, and return the response."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)) as connection:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        with connection.getresponse() as answer:
            return answer


def handshake(url, host, origin):
    return ask(
        url,
        "/_stcore/stream",
        Host=host,
        Origin=origin,
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="x3JJHMbDL1EzLkh9GBhXDw==",
        Sec_WebSocket_Protocol="streamlit",
    ).status


@pytest.mark.main_way
def test_a_name_that_somebody_else_has_resolve_to_this_machine_opens_nothing(app_url):
    here = urlsplit(app_url).netloc
    assert handshake(app_url, here, app_url) == 101
    assert handshake(app_url, "evil.example", "http://evil.example") == 403
    assert handshake(app_url, here, "http://evil.example") == 403
    assert ask(app_url, "/", Host="evil.example").status == 421
    upload = "/_stcore/upload_file/session/file"
    assert ask(app_url, upload, method="PUT", Host="evil.example").status == 421
    assert ask(app_url, upload, method="PUT", Origin="http://evil.example").status == 403


@pytest.mark.main_way
def test_no_page_frames_the_app_and_nothing_is_told_of_the_server(app_url, new_page):
    for path in ("/", "/compare", "/healthz"):
        answer = ask(app_url, path)
        assert answer.status == 200
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
    assert ask(app_url, "/_stcore/metrics").status == 404
    page = new_page()
    page.set_content(f"<iframe src='{app_url}/?embed=true'></iframe>")
    page.frames[1].wait_for_url("chrome-error:**")
