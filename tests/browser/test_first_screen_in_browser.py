"""What a new visitor sees at 1280 x 800, and how far everything else is from it."""

import pytest
from explore_walk import open_at, settle, wait_for_address
from test_accessibility_in_browser import grave_violations

START = "/?method=tfidf&groups={}&q=the+American+war"
SCREEN = {"width": 1280, "height": 800}

BOXES = """selector => [...document.querySelectorAll(selector)].map(one => {
    const box = one.getBoundingClientRect();
    return [box.top, box.bottom];
})"""

ACTIONS = {
    "files and links": ["take-away"],
    "save": ["save"],
    "divide them otherwise": ["divide"],
    "saved sessions": ["take-sessions"],
    "saved corrections": ["correct-keep"],
    "which number is stable": ["how-many"],
    "about the answer": ["about"],
    "themes": ["explore-collection"],
    "another question": ["example-1"],
    "the hits": ["refine-open", "listing"],
    "the other map": ["refine-open", "map"],
    "parts": ["refine-open", "levels"],
    "another number of groups": ["refine-open", "groups"],
    "another method": ["refine-open", "method"],
    "more hits": ["refine-open", "top-k"],
    "keep the hits": ["refine-open", "keep"],
    "stricter": ["set-aside", "strictness"],
    "group it alone": ["group-0", "dig-into"],
    "add its name": ["group-0", "dig-name"],
    "how good it is": ["group-0", "quality-0"],
    "choose passages": ["correct-begin", "correct-choose"],
    "undo": ["correct-begin", "undo"],
}
"""The keys of what is pressed from an answer, in turn; the last one only is to be seen."""


def control(page, key):
    return page.locator(f".st-key-{key} :is(button, summary, input, label)").locator("visible=true")


def test_ten_groups_are_seen_beside_their_map_without_scrolling(new_page, app_url):
    page = new_page(viewport=SCREEN)
    open_at(page, app_url + START.format(9))
    lines = page.evaluate(BOXES, "[class*=st-key-card-group-]")
    assert len(lines) >= 9 and all(0 < top and bottom <= 800 for top, bottom in lines[:10])
    ((top, bottom),) = page.evaluate(BOXES, ".st-key-map-panel .js-plotly-plot")
    assert top < 260 and bottom <= 800


def test_the_map_stays_in_view_down_to_the_last_passage_of_the_last_group(new_page, app_url):
    page = new_page(viewport=SCREEN)
    groups = open_at(page, app_url + START.format(2))
    last = max(number for number in groups if number >= 0)
    page.locator(f".st-key-group-{last} button").click()
    wait_for_address(page, f"group={last}")
    passage = page.locator(".st-key-open-group li[data-passage]").nth(9)
    passage.scroll_into_view_if_needed()
    assert 0 < passage.bounding_box()["y"] < 800
    ((top, bottom),) = page.evaluate(BOXES, ".st-key-map-panel .js-plotly-plot")
    assert top >= 0 and bottom <= 800


@pytest.mark.parametrize("action", ACTIONS)
def test_everything_is_two_steps_away_at_most(new_page, app_url, action):
    *steps, last = ACTIONS[action]
    page = new_page()
    strict = "&strict=stricter" if action == "stricter" else ""
    open_at(page, app_url + START.format(4) + strict)
    for step in steps:
        control(page, step).first.click()
        settle(page)
    control(page, last).first.wait_for()
    assert len(steps) < 2


def test_few_stops_of_the_tab_key_come_before_the_first_group(new_page, app_url):
    page = new_page(viewport=SCREEN)
    open_at(page, app_url + START.format(4))
    first = page.locator(".st-key-group-0 button")
    n_stops = 0
    while not first.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
        n_stops += 1
        assert n_stops <= 18


def test_a_phone_shows_the_open_group_in_place_of_the_list(new_page, app_url):
    page = new_page(viewport={"width": 400, "height": 800})
    open_at(page, app_url + START.format(4))
    page.locator(".st-key-group-1 button").click()
    wait_for_address(page, "group=1")
    assert not page.locator(".st-key-group-1 button").is_visible()
    page.locator(".st-key-clear button").click()
    page.locator(".st-key-group-1 button").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_first_steps_are_shown_once_and_closed_for_ever(new_page, app_url):
    page = new_page(is_new=True, viewport=SCREEN)
    open_at(page, app_url + START.format(4))
    steps = page.get_by_role("region", name="First steps")
    assert grave_violations(page) == []
    steps.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # each step gives its button the focus
    steps.get_by_role("button", name="Done").press("Enter")
    steps.wait_for(state="detached")
    page.locator(".st-key-query input:focus").wait_for()
    page.reload()
    settle(page)
    assert steps.count() == 0
