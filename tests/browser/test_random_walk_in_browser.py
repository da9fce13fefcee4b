"""A walk without a plan over the pages, each step the next after a moment, settled or not.

Whatever the order in which somebody asks, clears, switches, goes back and reloads: no box of an
error that nobody foresaw.
"""

import random

import pytest
from playwright.sync_api import Error
from test_accessibility_in_browser import SETTLED

SEED = 32
QUESTIONS = [
    "the American war",
    "tax on paper",
    "brexit referendum",
    "=1+1",
    "ü ß \u202e 漢",
    "a" * 2100,
]
FAULT = "[data-testid=stException], [data-testid=stNotification]:has-text('encountered an error')"
PATIENCE = 4_000
"""Milliseconds for a control that may be drawn anew just now; without it, the walk goes on."""


def ask(page, draw):
    field = page.get_by_role("textbox", name="What are you looking for?")
    field.fill(draw.choice(QUESTIONS), timeout=PATIENCE)
    field.press("Enter", timeout=PATIENCE)


def ask_nothing(page, draw):
    field = page.get_by_role("textbox", name="What are you looking for?")
    field.fill(draw.choice(["", "   "]), timeout=PATIENCE)
    field.press("Enter", timeout=PATIENCE)


def switch(page, draw):
    """Open the options or close them, choose a level, keep the hits or no more, or go to themes."""
    click_one(
        page,
        draw,
        ".st-key-refine-open button, .st-key-levels button:visible, .st-key-keep label:visible, "
        ".st-key-explore-collection button, .st-key-explore-question button",
    )


def count(page, draw):
    thumb = page.locator(".st-key-groups [role=slider]")
    for _ in range(draw.randint(1, 4)):
        thumb.press(draw.choice(["ArrowRight", "ArrowLeft", "Home", "End"]), timeout=PATIENCE)


def sort(page, draw):
    table = page.locator("[data-testid=stDataFrame] canvas").first
    table.click(position={"x": draw.randint(40, 300), "y": 15}, timeout=PATIENCE)


def turn_to_list(page, draw):
    click_one(page, draw, ".st-key-listing button:visible, [role=tab]")


def mark(page, draw):
    click_one(page, draw, "[class*=st-key-group-] button")


def back(page, draw):
    page.evaluate("draw => history.go(draw)", draw.choice([-1, -1, -2, 1]))


def reload(page, draw):
    page.reload(wait_until="commit")


def turn_to_page(page, draw):
    click_one(page, draw, "[data-testid=stTopNavLink]")


def click_one(page, draw, selector):
    there = page.locator(selector).all()
    if there:
        draw.choice(there).click(timeout=PATIENCE)


WEIGHTS = {
    ask: 6, ask_nothing: 4, switch: 6, count: 4, sort: 2, turn_to_list: 4, mark: 3, back: 4,
    reload: 2, turn_to_page: 1,
}  # fmt: skip


@pytest.mark.parametrize("n_steps", [60, pytest.param(2_000, marks=pytest.mark.slow)])
def test_no_order_of_actions_ends_a_page(new_page, app_url, n_steps):
    draw = random.Random(SEED)
    page = new_page()
    page.goto(app_url + "/?method=tfidf&groups=4&q=the+American+war")
    page.wait_for_function(SETTLED)
    done, missed = [], 0
    for step in range(n_steps):
        (action,) = draw.choices(list(WEIGHTS), list(WEIGHTS.values()))
        done.append(action.__name__)
        try:
            action(page, draw)
        except Error:  # what it takes is not drawn on this page, or was drawn anew
            missed += 1
        page.wait_for_timeout(draw.choice([0, 0, 50, 300, 1_000]))
        if step % 10 == 9:
            page.wait_for_function(SETTLED)
        faults = page.locator(FAULT)
        assert faults.count() == 0, (step, done[-12:], page.url, faults.all_inner_texts())
        assert "None" not in page.url
    page.wait_for_function(SETTLED)
    assert page.locator(FAULT).count() == 0, (done[-12:], page.url)
    assert missed < n_steps / 2
    assert set(done) == {action.__name__ for action in WEIGHTS}
