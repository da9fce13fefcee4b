"""Five things that a new visitor does with an answer, and the clicks that each takes."""

import re

import pytest
from explore_walk import DIALOG, groups_of, open_at, said, settle

START = "/?method={}&groups=4&q=the+American+war"
SCREEN = {"width": 1280, "height": 800}


class Visitor:
    """Clicks what can be seen, and counts.

    Parameters
    ----------
    page : playwright.sync_api.Page
    """

    def __init__(self, page):
        self.page = page
        self.n_clicks = 0
        self.n_scrolls = 0

    def click(self, part):
        """Click a part of the page, after scrolling to it where it is not on the screen."""
        part.wait_for()
        box = part.bounding_box()
        if box["y"] < 0 or box["y"] + box["height"] > SCREEN["height"]:
            self.n_scrolls += 1
            part.scroll_into_view_if_needed()
        part.click()
        self.n_clicks += 1

    def press(self, key):
        """Click the button of a key."""
        self.click(self.page.locator(f".st-key-{key} button").first)

    def open_taxes(self):
        """Open the group of the passages on taxes; return its number."""
        number = next(
            number
            for number, ids in groups_of(self.page).items()
            if sum(id.startswith("stamp-act") for id in ids) > len(ids) / 2
        )
        self.press(f"group-{number}")
        self.page.locator(".st-key-open-group li[data-passage]").first.wait_for()
        settle(self.page)
        return number


@pytest.fixture
def visitor(new_page, app_url):
    """Return a visitor who has asked the example question."""
    page = new_page(viewport=SCREEN)
    open_at(page, app_url + START.format("jaccard"))
    return Visitor(page)


def holds(visitor, n_clicks):
    """Hold a visitor to so many clicks at most, and to none for which to scroll."""
    assert visitor.n_clicks <= n_clicks
    assert visitor.n_scrolls == 0


def test_find_the_subtopic_on_taxes(visitor):
    visitor.open_taxes()
    shown = visitor.page.locator(".st-key-open-group li[data-passage]").first
    assert shown.get_attribute("data-passage").startswith("stamp-act")
    holds(visitor, 1)


def test_see_why_a_passage_is_there(visitor):
    visitor.open_taxes()
    visitor.click(visitor.page.locator(".st-key-open-group [data-why]").first)
    visitor.page.locator(f"{DIALOG} .sc-why-text[data-marked]").wait_for()
    holds(visitor, 2)


def test_move_a_passage_to_another_group(visitor):
    number = visitor.open_taxes()
    mover = visitor.page.locator(".st-key-open-group [data-move]").first
    moved = mover.get_attribute("data-move")
    visitor.click(mover)
    other = next(one for one in groups_of(visitor.page) if one not in (number, -1))
    visitor.click(visitor.page.locator(f"{DIALOG} .st-key-move-to-group-{other} button"))
    assert moved in said(visitor.page, "Moved 1 passage")[other]
    holds(visitor, 3)


def test_take_the_groups_to_excel(visitor):
    visitor.press("take-away")
    with visitor.page.expect_download() as download:
        visitor.click(visitor.page.locator(DIALOG).get_by_role("button", name="Excel"))
    assert download.value.suggested_filename.endswith(".xlsx")
    holds(visitor, 2)


def test_compare_with_tf_idf(visitor):
    page = visitor.page
    visitor.click(page.get_by_test_id("stTopNavLink").filter(has_text="Compare"))
    visitor.press("columns-open")
    visitor.click(page.locator(".st-key-method-B input"))
    visitor.click(page.get_by_role("option", name=re.compile("^TF-IDF")))
    page.locator("h3.sc-column", has_text="TF-IDF").wait_for()
    page.wait_for_function("() => location.search.includes('b=tfidf')")
    holds(visitor, 4)
