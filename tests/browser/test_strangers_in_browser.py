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
        assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
    assert ask(app_url, "/_stcore/metrics").status == 404
    page = new_page()
    page.set_content(f"<iframe src='{app_url}/?embed=true'></iframe>")
    page.frames[1].wait_for_url("chrome-error:**")


WAYS_TO_RUN = {
    "a handler": "<img src=nowhere onerror='window.ran = true'>",
    "a frame": "<iframe srcdoc='<script>parent.ran = true</script>'></iframe>",
    "a link": "<a href='javascript:window.ran = true'>x</a>",
    "a script": "<script>window.ran = true</script>",
    "a script from elsewhere": "<script src='https://evil.example/x.js'></script>",
    "a picture from elsewhere": "<img src='https://evil.example/x.png'>",
    "a form": "<form action='https://evil.example/'><button>x</button></form>",
    "a base": "<base href='https://evil.example/'>",
}


@pytest.mark.main_way
@pytest.mark.parametrize("way", WAYS_TO_RUN)
def test_markup_that_slipped_into_a_page_would_run_nothing_and_send_nothing(way, app_url, new_page):
    page = new_page()
    page.goto(f"{app_url}/models")
    page.locator(".stApp").wait_for()
    tried, stopped = [], []
    page.on("request", lambda request: tried.append(request.url))
    page.on("requestfailed", lambda one: stopped.append(one.url) if one.failure == "csp" else None)
    page.evaluate(
        """markup => {
          window.ran = false;
          // Unlike innerHTML, this runs scripts where the policy lets it.
          document.body.append(document.createRange().createContextualFragment(markup));
          document.querySelectorAll('body > a, form > button').forEach(one => one.click());
        }""",
        WAYS_TO_RUN[way],
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is False
    assert page.url.startswith(app_url) and page.blocked
    away = [url for url in tried if "evil.example" in url]
    assert away == [url for url in stopped if "evil.example" in url]
    page.blocked.clear()
    page.requests.clear()
