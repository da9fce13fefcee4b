from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError


def open_benchmarks(page, app_url, query=""):
    page.goto(f"{app_url}/benchmarks{query}")
    page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis"
        " && !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )


# Runs first of all browser tests, since it asks of a server that has served nothing yet.
@pytest.mark.main_way
def test_a_link_to_the_page_brings_the_whole_app(new_page, app_url):
    page = new_page()
    open_benchmarks(page, app_url)
    page.get_by_role("link", name="Explore").click()
    page.get_by_label("What are you looking for?").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out(new_page, app_url, width, scheme):
    page = new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    open_benchmarks(page, app_url)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator("table.sc-published :is(th, td)").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect())"
        ".filter(box => box.width > 0).map(box => [box.left, box.right])"
    )
    assert len(cells) > 60
    assert all(left >= 0 and right <= width for left, right in cells)


def test_a_link_to_another_paper_shows_it_and_nothing_sticks_out(new_page, app_url):
    page = new_page(viewport={"width": 400, "height": 900})
    open_benchmarks(page, app_url, "?paper=COB+(Kashyapi+and+Dietz,+2021)&table=Table+6")
    page.get_by_role("heading", name="Figure 4: what each method sees").wait_for()
    assert "SBERT COB (n = 35)" in page.locator("table.sc-published").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def point_at_the_first_bar_until(page, told):
    # A chart below which the page is still growing moves away from under the mouse.
    for _ in range(20):
        page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
        bar = page.locator(".js-plotly-plot .barlayer .point path").first.bounding_box()
        x, y = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2
        page.mouse.move(x, y + 2)
        page.mouse.move(x, y, steps=3)
        with suppress(TimeoutError):
            told.wait_for(timeout=3_000)
            return
    told.wait_for()


def test_pointing_at_a_bar_names_the_query(new_page, app_url):
    page = new_page()
    open_benchmarks(page, app_url)
    told = page.locator(".hoverlayer .hovertext").first
    point_at_the_first_bar_until(page, told)
    query = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').data[0].customdata[0][0]"
    )
    assert query in told.text_content() and "difference" in told.text_content()
