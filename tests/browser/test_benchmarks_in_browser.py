import pytest
from test_accessibility_in_browser import WIDTH


def open_benchmarks(page, app_url, query=""):
    page.goto(f"{app_url}/benchmarks{query}")
    page.wait_for_function(
        "() => document.querySelector('table.sc-published')"
        " && !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )


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
    assert page.evaluate(WIDTH) <= width
    cells = page.locator("table.sc-published :is(th, td)").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect())"
        ".filter(box => box.width > 0).map(box => [box.left, box.right])"
    )
    assert len(cells) > 60
    assert all(left >= 0 and right <= width for left, right in cells)


def test_a_link_to_another_paper_shows_it_and_nothing_sticks_out(new_page, app_url):
    page = new_page(viewport={"width": 400, "height": 900})
    open_benchmarks(page, app_url, "?paper=COB+(Kashyapi+and+Dietz,+2021)&table=Table+6")
    page.get_by_role("heading", name="Table 6: published and here").wait_for()
    assert "SBERT COB (n = 35)" in page.locator("table.sc-published").inner_text()
    assert page.evaluate(WIDTH) <= 400
