"""The buttons of a table are seen by whoever comes to them with the Tab key."""

import pytest
from keyboard_walk import tab_to
from test_accessibility_in_browser import SETTLED
from test_compare_in_browser import START, open_compare

OPACITY = "one => getComputedStyle(one.closest('[data-testid=stElementToolbar]')).opacity"


def test_the_buttons_of_a_table_show_while_one_has_the_focus(new_page, app_url):
    page = new_page(reduced_motion="reduce")
    open_compare(page, app_url + START)
    button = page.locator("[data-testid=stElementToolbar] button").first
    button.scroll_into_view_if_needed()
    page.mouse.move(1, 1)
    page.wait_for_timeout(500)
    assert button.evaluate(OPACITY) == "0"
    tab_to(page, button)
    page.wait_for_timeout(500)
    assert button.evaluate(OPACITY) == "1"


@pytest.mark.parametrize(
    "address",
    [
        "/?method=tfidf&groups=4&q=the+American+war&list=table",
        START,
        "/library?library=demo",
    ],
)
def test_no_table_has_a_download_that_writes_formulas(new_page, app_url, address):
    page = new_page()
    page.goto(app_url + address)
    tables = page.locator("[data-testid=stDataFrame]:visible")
    tables.first.wait_for()
    page.wait_for_function(SETTLED)
    for table in tables.all():
        table.hover()
        names = table.locator("[data-testid=stElementToolbar] button").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label') || one.title)"
        )
        assert names and not [name for name in names if "ownload" in name]
