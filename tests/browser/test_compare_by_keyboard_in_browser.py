"""Compare without a mouse: every control is reached with the Tab key."""

import pytest
from keyboard_walk import walk
from test_compare_in_browser import open_compare

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COLUMNS = "/compare?q=number+words&a=tfidf%3Bgroups%3A4&b=qs3m%3Bgroups%3A3&c=jaccard"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_of_compare_is_reached(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_compare(page, app_url + COLUMNS)
    stops, missed = walk(page)
    assert missed == []
    assert len(stops) > 30
