"""Compare without a mouse: every control is reached with the Tab key, named, and seen."""

import pytest
from keyboard_walk import walk
from test_compare_in_browser import open_columns, open_compare

pytestmark = pytest.mark.slow

COLUMNS = "/compare?q=number+words&a=tfidf%3Bgroups%3A4&b=qs3m%3Bgroups%3A3&c=jaccard"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_of_compare_is_reached_named_and_seen(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_compare(page, app_url + COLUMNS)
    open_columns(page)
    stops, missed = walk(page)
    assert missed == []
    assert len(stops) > 30
    assert [stop.html for stop in stops if not stop.name and stop.role != "main"] == []
    assert [stop for stop in stops if stop.changed < stop.perimeter] == []
    names = [stop.name for stop in stops]
    assert any(name.startswith("Passages that ") for name in names)  # the cells of the table
    for wanted in ("Add a column", "Remove A", "Remove C", "Passages as CSV", "Only what moved"):
        assert any(name.startswith(wanted) for name in names), wanted
