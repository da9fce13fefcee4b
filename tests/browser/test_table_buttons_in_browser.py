"""The buttons of a table are seen by whoever comes to them with the Tab key."""

import pytest
from keyboard_walk import tab_to
from test_compare_in_browser import START, open_compare

pytestmark = pytest.mark.browser

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
