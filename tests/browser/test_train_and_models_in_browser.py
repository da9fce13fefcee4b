"""The Train and Models pages as they open: by keyboard, and on a narrow window."""

import pytest
from keyboard_walk import walk
from test_accessibility_in_browser import PAGES, SETTLED

OURS = ("Train", "Models")

# What is cut off or sticks out of the window, but for what lies in a part that scrolls by itself.
STICKING_OUT = """width => [...document.querySelectorAll(
        'main :is(p, h1, h2, h3, h4, li, td, th, button, input, textarea, summary, dd, label)')]
    .filter(one => one.checkVisibility() && !one.closest('.stTable, .sc-hidden'))
    .map(one => [one.getBoundingClientRect(), one.outerHTML.slice(0, 160)])
    .filter(([box]) => box.width > 1 && (box.left < -0.5 || box.right > width + 0.5))
    .map(([box, html]) => `${box.left} to ${box.right}: ${html}`)"""


def open_settled(page, app_url, name):
    address, drawn = PAGES[name]
    page.goto(app_url + address)
    page.locator(drawn).first.wait_for(state="attached")
    page.wait_for_function(SETTLED)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", OURS)
def test_nothing_sticks_out_of_a_narrow_window(new_page, app_url, name, scheme):
    page = new_page(viewport={"width": 400, "height": 900}, color_scheme=scheme)
    open_settled(page, app_url, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator("main p, main button").count() > 5
    assert page.evaluate(STICKING_OUT, 400) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", OURS)
def test_every_control_is_reached_named_and_seen_by_keyboard(new_page, app_url, name, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_settled(page, app_url, name)
    stops, missed = walk(page)
    assert missed == []
    assert len(stops) > 10
    assert [stop.html for stop in stops if not stop.name and stop.role != "main"] == []
    assert [stop for stop in stops if stop.changed < stop.perimeter] == []


def test_a_control_without_name_or_focus_ring_or_out_of_reach_would_be_found(new_page, app_url):
    page = new_page(reduced_motion="reduce")
    open_settled(page, app_url, "Train")
    page.evaluate(
        """() => document.querySelector('[data-testid=stFileUploaderDropzone]').insertAdjacentHTML(
            'afterend', '<button id=bare style="outline: none">?</button><button id=mute></button>'
            + '<a href=# id=lost>lost</a>')"""
    )
    page.evaluate(
        """() => document.querySelector('#lost').addEventListener(
            'focus',
            event => document.querySelector('[class*=st-key-train-template] button').focus())"""
    )
    stops, missed = walk(page)
    assert len(missed) == 1 and "lost" in missed[0]
    (bare,) = [stop for stop in stops if 'id="bare"' in stop.html]
    (mute,) = [stop for stop in stops if 'id="mute"' in stop.html]
    assert bare.changed < bare.perimeter and mute.name == ""


def test_the_colours_follow_a_theme_that_changes_while_the_page_is_open(new_page, app_url):
    page = new_page(color_scheme="light")
    open_settled(page, app_url, "Models")
    colour = "() => getComputedStyle(document.querySelector('.st-key-model-card h3')).color"
    before = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"before => ({colour})() !== before", arg=before)
    assert page.evaluate(colour) == "rgb(232, 236, 241)"
