"""Files, links and sessions as a visitor takes them away; and what leaves the machine: nothing."""

import csv
import io
import json
import re
from urllib.parse import quote, urlsplit

import pytest
import small_library
from test_accessibility_in_browser import SETTLED, grave_violations

from subclust.sessions import SessionStore

START = "/?method=tfidf&groups=4&q=number+words"
ALL_IDS = {passage.id for passage in small_library.passages()}
PLACES = """() => document.querySelector('.js-plotly-plot').data.map(
    trace => [trace.name, trace.customdata.map(row => row[0]), Array.from(trace.x)])"""


def wait(page):
    page.locator(".js-plotly-plot .annotation-text").first.wait_for(state="attached")
    page.wait_for_function(SETTLED)


def open_dialog(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("dialog").wait_for()
    page.wait_for_function(SETTLED)


def taken(page, name):
    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name=name, exact=True).click()
    return download.value


@pytest.mark.main_way
def test_files_links_and_sessions(new_page, app_url, app_folder):
    page = new_page(accept_downloads=True)
    page.goto(app_url + START)
    wait(page)
    open_dialog(page, "Export")
    table = taken(page, "CSV")
    assert table.suggested_filename == "number-words.csv"
    rows = list(csv.DictReader(io.StringIO(table.path().read_text("utf-8-sig"))))
    assert {row["id"] for row in rows} == ALL_IDS
    report = taken(page, "Report (HTML)").path()
    assert grave_violations(page) == []
    page.keyboard.press("Escape")

    open_dialog(page, "Save")
    page.get_by_role("textbox", name="Name", exact=True).fill("Numbers")
    page.keyboard.press("Enter")
    page.get_by_text("Saved as “Numbers”.").wait_for()
    open_dialog(page, "Saved sessions")
    assert grave_violations(page) == []
    (header,) = [
        one for one in SessionStore(app_folder / "sessions").headers() if one.name == "Numbers"
    ]
    before = page.evaluate(PLACES)
    kept = taken(page, "Export").path().read_bytes()
    assert kept == SessionStore(app_folder / "sessions").export(header.id)

    visitor = new_page()
    visitor.goto(f"{app_url}{START}&session={header.id}")
    wait(visitor)
    visitor.get_by_text(re.compile("Session “Numbers”, saved on")).wait_for()
    assert visitor.evaluate(PLACES) == before
    assert grave_violations(visitor) == []

    reader = new_page()
    reader.goto(report.as_uri() if report.suffix else f"file://{report}")
    check_report(reader, report)


def check_report(page, report):
    """Read the report in a browser: every passage is there, and nothing is asked for."""
    page.set_content(report.read_text("utf-8"))
    found = page.locator("li[data-passage]").evaluate_all("all => all.map(o => o.dataset.passage)")
    assert set(found) == ALL_IDS
    assert page.locator("svg path[data-passage]").count() == len(ALL_IDS)
    asked = {urlsplit(address).scheme for address in page.requests}
    assert asked <= {"file", "data", "about"}
    assert grave_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.parametrize("width", [400, 1280])
def test_the_embedded_page_has_no_navigation_and_fits(new_page, app_url, width):
    page = new_page(viewport={"width": width, "height": 900})
    page.goto(f"{app_url}{START}&embed=true")
    wait(page)
    assert not page.get_by_role("link", name="Models").is_visible()
    assert not page.locator(".st-key-examples").is_visible()
    assert not page.locator(".st-key-language-switch").is_visible()
    assert page.get_by_role("button", name="Export", exact=True).count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".st-key-query").bounding_box()["y"] < 60
    ids = [id_ for _, group, _ in page.evaluate(PLACES) for id_ in group]
    assert set(ids) == ALL_IDS
    page.locator(".st-key-group-1 button").click()
    page.locator(".st-key-open-group .sc-mark-1").wait_for()
    out = page.get_by_role("link", name="Open in Subclust").get_attribute("href")
    assert "embed" not in out and "method=tfidf" in out
    assert "embed=true" in page.url
    assert grave_violations(page) == []


@pytest.mark.parametrize("question", ['Straßen & "Äcker" 100% #1?', "the 'Stamp Act' + tea"])
def test_a_catalogue_links_with_a_question(new_page, app_url, question):
    page = new_page()
    page.goto(f"{app_url}/?method=tfidf&q={quote(question)}")
    box = page.get_by_label("What are you looking for?")
    box.wait_for()
    assert box.input_value() == question  # whether the library answers it or not


def test_nothing_leaves_the_machine_and_no_question_stays(new_page, app_url, app_folder):
    page = new_page()
    secret = "quaggafinch zorbelion"
    page.goto(f"{app_url}/?method=tfidf&q={quote(secret + ' tax')}")
    wait(page)
    box = page.get_by_label("What are you looking for?")
    box.fill(f"{secret} fleet harbour")
    box.press("Enter")
    page.wait_for_url(re.compile("fleet"))
    wait(page)
    for path in ("train", "models", "benchmarks", "compare"):
        page.goto(f"{app_url}/{path}")
        page.wait_for_function(
            "() => document.querySelector('[data-testid=stMain]')?.innerText.trim()"
        )
        page.wait_for_function(SETTLED)
    hosts = {
        urlsplit(address).hostname
        for address in page.requests
        if urlsplit(address).scheme not in {"data", "blob"}
    }
    assert hosts == {"127.0.0.1"}
    kept = [path for path in app_folder.rglob("*") if path.is_file()]
    assert any(path.name == "server.log" for path in kept)
    for path in kept:
        content = path.read_bytes().lower()
        for word in secret.split():
            assert word.encode() not in content, path


def test_only_what_is_saved_stays(app_folder):
    """Hold the search itself to be able to find a word where there is one."""
    SessionStore(app_folder / "sessions").folder.mkdir(exist_ok=True)
    header = json.dumps({"question": "quaggafinch"})
    (app_folder / "sessions" / "note.txt").write_text(header)
    found = [p for p in app_folder.rglob("*") if p.is_file() and b"quaggafinch" in p.read_bytes()]
    assert [path.name for path in found] == ["note.txt"]
    found[0].unlink()
