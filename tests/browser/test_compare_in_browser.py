"""Compare in a browser: ids that are marked, columns by keyboard, the language, the files."""

import csv
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from keyboard_walk import tab_to
from test_accessibility_in_browser import SETTLED, WIDTH

from subclust.figures.scatter import EDGE, OPEN_EDGE

START = "/compare?q=the+American+war&a=tfidf%3Bgroups%3A4&b=jaccard%3Bgroups%3A3"

# Of each map: name of the trace -> [passage ids].
TRACES = """() => [...document.querySelectorAll('.st-key-compare-maps .js-plotly-plot')].map(
    map => Object.fromEntries(map.data.map(
        trace => [trace.name, trace.customdata.map(row => row[0])])))"""

# Of each map: ids of the passages whose marks are ringed; every other one must have stepped back.
RINGED = f"""() => [...document.querySelectorAll('.st-key-compare-maps .js-plotly-plot')].map(
    map => {{
    const marks = [...map.querySelectorAll('.scatterlayer > .trace')].flatMap(
        trace => [...trace.querySelectorAll('.point')].map(point => {{
            const look = getComputedStyle(point);
            const [id] = trace.__data__[0].trace.customdata[point.__data__.i];
            const edges = ['{EDGE}px', '{OPEN_EDGE}px'];
            return [id, edges.includes(look.strokeWidth), look.opacity > 0.5];
        }}));
    const ringed = marks.filter(([id, ring, shown]) => ring && shown).map(([id]) => id);
    const faded = marks.filter(([id, ring, shown]) => !ring && !shown);
    return ringed.length + faded.length === marks.length ? ringed.sort() : null;
}})"""

MARKED = f"""n => {{
    const maps = ({RINGED})();
    return maps.length === n && maps.every(ids => ids?.length);
}}"""


def open_compare(page, url):
    page.goto(url)
    page.locator(".st-key-compare-take button").first.wait_for()
    page.wait_for_function(SETTLED)


def open_columns(page):
    """Open what decides how each column groups the passages."""
    page.locator(".st-key-columns-open button:visible").first.click()
    page.locator(".st-key-columns-shown").wait_for()
    page.wait_for_function(SETTLED)


def marked_in_address(page):
    return parse_qs(urlsplit(page.url).query)["marked"][0].replace("%3A", ":").replace("%23", "#")


@pytest.mark.main_way
def test_a_group_is_marked_on_all_maps_and_the_link_shows_it_again(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + START)
    before = page.evaluate(TRACES)
    assert len(before) == 2
    assert all(sum(map(len, traces.values())) == 48 for traces in before)
    button = page.locator("[class*='st-key-of-B-'] button").first
    name = re.sub(r" · \d+$", "", button.inner_text())
    button.click()
    page.wait_for_function(MARKED, arg=2)
    expected = sorted(before[1][name])
    assert page.evaluate(RINGED) == [expected, expected]
    page.wait_for_function("() => location.search.includes('marked=')")
    assert sorted(marked_in_address(page).split(",")) == expected

    visitor = new_page()
    open_compare(visitor, page.url)
    visitor.wait_for_function(MARKED, arg=2)
    assert visitor.evaluate(RINGED) == [expected, expected]


def test_columns_are_added_and_removed_by_keyboard(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + START)
    open_columns(page)
    tab_to(page, page.locator(".st-key-add-column button"))
    page.keyboard.press("Enter")
    page.locator(".st-key-remove-C button").wait_for()
    page.wait_for_function("() => location.search.includes('c=jaccard')")
    page.wait_for_function(SETTLED)
    tab_to(page, page.locator(".st-key-remove-A button"))
    page.keyboard.press("Enter")
    page.wait_for_function("() => !location.search.includes('c=jaccard')")
    page.wait_for_function(SETTLED)
    assert parse_qs(urlsplit(page.url).query)["a"] == ["jaccard;groups:3"]


def test_the_files_hold_what_the_page_shows(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + START)
    traces = page.evaluate(TRACES)
    with page.expect_download() as download:
        page.locator(".st-key-compare-csv button").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for place, letter in enumerate("AB"):
        for name, ids in traces[place].items():
            assert sorted(row["id"] for row in rows if row[f"{letter}_name"] == name) == sorted(ids)
    with page.expect_download() as download:
        page.locator(".st-key-compare-json button").click()
    told = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert {one["id"] for one in told["passages"]} == {row["id"] for row in rows}


@pytest.mark.main_way
def test_the_language_is_switched_kept_over_pages_and_told_to_the_browser(new_page, app_url):
    page = new_page(locale="de-AT")
    page.goto(f"{app_url}/benchmarks")
    page.get_by_role("link", name="Vergleichen").wait_for()
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    page.locator(".st-key-language-switch button", has_text="EN").click()
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_function("() => document.documentElement.lang === 'en'")
    page.wait_for_function("() => location.search.includes('lang=en')")
    page.get_by_role("heading", name="Compare", exact=True).wait_for()


def test_four_hundred_pixels_are_enough(new_page, app_url):
    page = new_page(viewport={"width": 400, "height": 800})
    open_compare(page, app_url + START)
    open_columns(page)
    assert page.evaluate(WIDTH) <= 400
    box = page.locator(".st-key-add-column button").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 400


def test_no_request_leaves_the_machine(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + START)
    outside = [
        one for one in page.requests if not one.startswith((app_url, "data:", "blob:", "ws://127"))
    ]
    assert outside == []
