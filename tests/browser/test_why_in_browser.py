"""Why is this here, and quality in words, as a visitor meets them."""

import re

import pytest
import small_library
from explore_walk import choose_option, open_dialog
from keyboard_walk import tab_to
from test_accessibility_in_browser import SETTLED, grave_violations
from test_explore_in_browser import PLACE, START, wait_for_address, wait_for_map

IDS = {passage.id for passage in small_library.passages()}
DIALOG = '[role="dialog"]'


def explained(page):
    """Wait until the words are marked, and give the id of the passage that is explained."""
    page.locator(f"{DIALOG} .sc-why-text[data-marked]").wait_for()
    return page.locator(f"{DIALOG} [data-explained]").get_attribute("data-explained")


def neighbours(page, kind):
    return page.locator(f"{DIALOG} [data-near={kind}]").evaluate(
        """heading => [...heading.closest('[data-testid=stColumn]').querySelectorAll('li')]
               .map(item => item.dataset.passage)"""
    )


def test_every_passage_of_a_list_is_explained_by_one_click_or_key(new_page, app_url):
    page = new_page()
    page.goto(app_url + START)
    wait_for_map(page)
    page.locator(".st-key-group-1 button").click()
    wait_for_address(page, "group=1")
    address = page.url
    button = page.locator(".st-key-open-group [data-why]").first
    asked = button.get_attribute("data-why")
    button.click()
    assert explained(page) == asked
    for kind in ("with", "without"):
        assert len(neighbours(page, kind)) == 5
        assert set(neighbours(page, kind)) <= IDS - {asked}
    assert page.locator(f"{DIALOG} .sc-why-text mark").count() >= 1
    assert page.url == address

    page.keyboard.press("Escape")
    page.locator(DIALOG).wait_for(state="detached")
    choose_option(page, "listing", "Hits")
    wait_for_address(page, "list=hits")
    last = page.locator(".st-key-list-hits [data-why]:visible").last
    wanted = last.get_attribute("data-why")
    tab_to(page, last)
    page.keyboard.press("Enter")
    assert explained(page) == wanted

    # From one passage to those that are like it, and no serious fault for a screen reader.
    near = neighbours(page, "without")[0]
    page.locator(f"{DIALOG} [data-why='{near}']").first.click()
    page.locator(f"{DIALOG} [data-explained='{near}']").wait_for()
    assert explained(page) == near
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []


def test_a_click_on_the_map_explains_the_passage(new_page, app_url):
    page = new_page()
    page.goto(app_url + START)
    wait_for_map(page)
    x, y = page.evaluate(PLACE, "peace-treaty:3#3")
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    page.locator(".hoverlayer .hovertext").first.wait_for()
    page.mouse.click(x, y)
    page.locator(".st-key-why-chosen .sc-why-text[data-marked]").wait_for()
    told = page.locator(".st-key-why-chosen [data-explained]").get_attribute("data-explained")
    assert [told] == page.locator(".st-key-chosen [data-passage]").evaluate_all(
        "items => items.map(item => item.dataset.passage)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_quality_is_told_when_it_is_asked_for(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, viewport={"width": 400, "height": 860})
    page.goto(app_url + START)
    wait_for_map(page)
    assert page.locator(".st-key-card-group-0 mark").count() >= 1
    page.locator(".st-key-group-0 button").click()
    page.locator(".st-key-quality-0 summary").click()
    facts = page.locator(".st-key-quality-0 [data-testid=stExpanderDetails] p").first
    facts.wait_for()
    assert re.search(r"tight \(0\.\d\d\).*stable \(\d\.\d\d\)", facts.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    open_dialog(page, "about")
    assert "4 of 4 groups" in page.locator(f"{DIALOG} .sc-terms").inner_text()
