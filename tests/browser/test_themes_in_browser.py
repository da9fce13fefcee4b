"""The themes of a whole collection, as a visitor meets them: asked for, found, opened, searched."""

import re

import pytest
import themed_library
from explore_walk import press
from keyboard_walk import tab_to
from served_app import served
from test_accessibility_in_browser import SETTLED, grave_violations
from test_explore_in_browser import wait_for_address

MARKS = """[...document.querySelectorAll('.js-plotly-plot')].flatMap(
    plot => plot.data.flatMap(trace => trace.customdata || []).map(point => point[0]))"""


def listed(page, where):
    return page.locator(f"{where} [data-passage]").evaluate_all(
        "items => items.map(item => item.dataset.passage)"
    )


@pytest.mark.main_way
def test_themes_are_found_in_the_background_opened_and_searched_within(new_page, app_url):
    page = new_page()
    page.goto(f"{app_url}/?library=themed&q=night&method=centred-cosine")
    page.locator(".st-key-explore-collection button").first.click()
    page.wait_for_url(re.compile("whole=themed"))
    page.get_by_text("240 passages").wait_for()
    page.get_by_role("combobox", name="Method").click()
    page.get_by_role("option", name="k-means: a first look, at once").click()
    page.get_by_role("combobox", name="Number of themes").click()
    page.get_by_role("option", name="3", exact=True).click()
    page.get_by_role("button", name="Find the themes").click()
    page.get_by_text("3 themes of 240 passages").wait_for(timeout=240_000)
    page.wait_for_function(f"({MARKS}).length === 240")
    ids = {passage.id for passage in themed_library.texts()}
    assert set(page.evaluate(MARKS)) == ids
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []

    page.locator(".st-key-group-1 button:visible").click()
    wait_for_address(page, "theme=1")
    page.locator(".st-key-themes-open [data-passage]").first.wait_for()
    inside = set(listed(page, ".st-key-themes-open"))
    of_theme = {
        point[0]
        for point in page.evaluate(MARKS.replace("point => point[0]", "point => point"))
        if point[1] == 1
    }
    assert inside and inside <= of_theme <= ids
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []

    page.get_by_label("Search within this theme").fill("night")
    page.keyboard.press("Enter")
    wait_for_address(page, "within=")
    page.get_by_text("Only within the theme").wait_for()
    page.wait_for_function(SETTLED)  # what is left of the themes has names of groups, too
    page.locator(".st-key-cards .st-key-group-0 button").click()
    page.locator(".st-key-open-group [data-passage]").first.wait_for()
    assert set(listed(page, ".st-key-open-group")) <= of_theme
    page.get_by_role("button", name="Back to the themes").click()
    wait_for_address(page, "theme=1")
    assert set(listed(page, ".st-key-themes-open")) == inside


@pytest.mark.slow
def test_the_same_by_keyboard_alone(new_page, tmp_path):
    themed_library.build(tmp_path, "demo")
    with served(tmp_path) as url:
        page = new_page()
        page.goto(f"{url}/?q=night&method=centred-cosine")
        page.wait_for_function(SETTLED)
        press(page, page.locator(".st-key-explore-collection button").first)
        page.wait_for_url(re.compile("whole=demo"))
        choose(page, "Method", "SCL: no labels")
        choose(page, "Number of themes", "3")
        press(page, page.get_by_role("button", name="Find the themes"))
        page.get_by_text("3 themes of 240 passages").wait_for(timeout=240_000)
        page.wait_for_function(SETTLED)
        press(page, page.locator(".st-key-group-1 button:visible"))
        wait_for_address(page, "theme=1")
        page.wait_for_function(SETTLED)
        press(page, page.get_by_label("Search within this theme"), "n", "i", "g", "Enter")
        wait_for_address(page, "q=nig")
        page.get_by_text("Only within the theme").wait_for()
        page.wait_for_function(SETTLED)
        press(page, page.get_by_role("button", name="Back to the themes"))
        wait_for_address(page, "theme=1")


def choose(page, name, option):
    """Choose from a list by typing."""
    tab_to(page, page.get_by_role("combobox", name=name))
    page.keyboard.type(option)
    page.keyboard.press("Enter")
    page.wait_for_function(SETTLED)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_whole_and_in_german(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, viewport={"width": 400, "height": 860}, locale="de-DE")
    page.goto(f"{app_url}/?whole=themed")
    page.get_by_role("button", name="Themen finden").wait_for()
    page.wait_for_function(SETTLED)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert grave_violations(page) == []
