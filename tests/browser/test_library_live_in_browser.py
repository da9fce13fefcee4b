"""Search live, walked through in a browser: ask, look, keep, group; with axe-core on the way."""

import pytest
from live_server import served as service
from live_shapes import arxiv, records
from served_app import served
from test_accessibility_in_browser import SETTLED, grave_violations


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Serve the app with arXiv switched on, which leads to a server of this machine."""
    with service(arxiv(records(60))) as live:
        monkeypatch.setenv("SUBCLUST_LIVE", "arxiv")
        monkeypatch.setenv("SUBCLUST_OFFLINE", "0")
        monkeypatch.setenv("SUBCLUST_CONTACT", "librarian@example.org")
        monkeypatch.setenv("SUBCLUST_URL_ARXIV", live.url)
        with served(tmp_path) as url:
            yield live, url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ask_look_keep_group(asked, new_page, scheme):
    live, url = asked
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{url}/library?show=services")
    page.get_by_role("heading", name="Search live").wait_for(timeout=120_000)  # a fresh server
    question = page.get_by_role("textbox", name="What are you looking for?")
    question.fill("passages")
    assert not live.asked  # typing asks nobody
    question.press("Enter")
    page.get_by_text("The first 50 of 60 records of arXiv").wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []
    first = page.locator(".sc-hits details").first
    first.locator("summary").press("Enter")
    first.get_by_role("link", name="Open the source").wait_for()

    library = page.get_by_role("combobox", name="Library").first  # the other one is for harvests
    library.fill("papers")
    library.press("Enter")
    page.get_by_role("button", name="Import these 50 hits").click()
    page.get_by_text("50 records read, 50 imported, 0 rejected").wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []
    assert len(live.asked) == 1

    page.get_by_role("link", name="Explore this library").click()
    page.wait_for_url("**library=papers**")
    assert all(request.split("/")[2] == url.split("/")[2] for request in page.requests)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
