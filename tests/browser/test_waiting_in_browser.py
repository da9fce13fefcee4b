"""While somebody waits: groups come before the map, and long work shows itself and stops."""

import time
from pathlib import Path

import pytest
import small_library
from explore_walk import groups_of, open_at, settle
from served_app import served
from slow_method import WORD

START = "/?method=tfidf&groups=4&q=the+American+war"

# When the first card of a group was in the page, and when the first map.
FIRSTS = """() => {
    window.firsts = {};
    const parts = {group: '[class*=st-key-card-group-]', map: '.js-plotly-plot .plot-container'};
    const look = () => {
        for (const [name, part] of Object.entries(parts))
            if (!(name in window.firsts) && document.querySelector(part))
                window.firsts[name] = performance.now();
    };
    new MutationObserver(look).observe(document, {childList: true, subtree: true});
}"""

BAR = "[data-testid=stProgress]"


@pytest.fixture(scope="module")
def slow_url(tmp_path_factory):
    """Serve the app with a method that takes half a minute for some questions."""
    folder = tmp_path_factory.mktemp("slow-method")
    small_library.build(folder, "demo")
    with served(folder, first="import slow_method", paths=[Path(__file__).parent]) as url:
        yield url


def test_the_first_groups_are_there_before_the_map(new_page, app_url):
    page = new_page()
    page.add_init_script(f"({FIRSTS})()")
    open_at(page, app_url + START)
    firsts = page.evaluate("() => window.firsts")
    assert firsts["group"] < firsts["map"]


def ask(page, question):
    box = page.get_by_label("What are you looking for?")
    box.fill(question)
    box.press("Enter")


def reached(page):
    """Read how far the bar is, from 0 to 100."""
    return int(page.locator(f"{BAR} [role=progressbar]").first.get_attribute("aria-valuenow"))


def test_long_work_shows_how_far_it_is_and_can_be_stopped(new_page, slow_url):
    page = new_page()
    before = open_at(page, slow_url + START)
    ask(page, f"the American war {WORD}")
    page.locator(BAR, has_text="Reading the hits together").wait_for()
    first = reached(page)
    page.wait_for_timeout(1500)
    assert first < reached(page) < 100
    started = time.monotonic()
    page.locator(".st-key-stop-reading button").click()
    page.locator(BAR).wait_for(state="detached")
    settle(page)
    assert time.monotonic() - started < 15
    assert WORD not in page.url and groups_of(page) == before


def test_a_first_question_that_is_stopped_can_be_asked_again(new_page, slow_url):
    page = new_page()
    page.goto(f"{slow_url}/?method=tfidf&groups=4&q=the+American+war+{WORD}")
    page.locator(".st-key-stop-reading button").click()
    page.get_by_text("Stopped. Press “Search” to try again.").wait_for()
    page.locator(".st-key-search button").click()
    page.locator(BAR, has_text="Reading the hits together").wait_for()


def test_another_question_overtakes_long_work(new_page, slow_url):
    page = new_page()
    before = open_at(page, slow_url + START)
    ask(page, f"the American war {WORD}")
    page.locator(BAR, has_text="Reading the hits together").wait_for()
    started = time.monotonic()
    ask(page, "the American war")
    page.wait_for_function("() => !location.search.includes('slowly')")
    page.locator(BAR).wait_for(state="detached")
    settle(page)
    assert time.monotonic() - started < 15
    assert groups_of(page) == before
