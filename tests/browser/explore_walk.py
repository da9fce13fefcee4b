"""Steps on the Explore page, and what is then there, told by the ids of passages."""

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from keyboard_walk import tab_to
from test_accessibility_in_browser import SETTLED

from subclust.figures.scatter import MARKED_TRACE

MAP = ".st-key-map-panel .js-plotly-plot"
DIALOG = '[role="dialog"]'

_MARKS = f"""() => document.querySelector('{MAP}').data
    .filter(trace => trace.customdata && trace.name !== '{MARKED_TRACE}')
    .flatMap(trace => {{
        const of = (what, row) => Array.isArray(what) ? what[row] : what;
        const x = Array.from(trace.x), y = Array.from(trace.y);
        return trace.customdata.map((told, row) => [told[0], told[1], x[row], y[row],
            of(trace.marker.symbol, row), of(trace.marker.color, row)]);
    }})"""

_NAMES = f"""() => Object.fromEntries(document.querySelector('{MAP}').data
    .filter(trace => trace.customdata?.length && trace.name !== '{MARKED_TRACE}')
    .map(trace => [trace.customdata[0][1], trace.name]))"""

_DRAWN = f"() => document.querySelector('{MAP}')?._fullLayout?.xaxis && ({SETTLED})()"


class Mark(NamedTuple):
    """One mark of the map."""

    id: str
    group: int
    x: float
    y: float
    symbol: str
    colour: str


def settle(page):
    """Wait until nothing is being computed, drawn or faded in."""
    page.wait_for_function(_DRAWN)


def open_at(page, url):
    """Open an address of Explore, and give its groups as `groups_of` does."""
    page.goto(url)
    settle(page)
    return groups_of(page)


def marks_of(page):
    """List the marks of the map."""
    return [Mark(*told) for told in page.evaluate(_MARKS)]


def groups_of(page):
    """Give the ids of each group of the map, by the group's number."""
    groups = {}
    for mark in marks_of(page):
        groups.setdefault(mark.group, set()).add(mark.id)
    return groups


def names_of(page):
    """Give the name of each group, by its number; of a map that has one trace a group."""
    return {int(number): name for number, name in page.evaluate(_NAMES).items()}


def parts_of(groups):
    """Forget the numbers: which passages are together."""
    return {frozenset(ids) for ids in groups.values()}


def address(page):
    """Give the parameters of the page's address, each with its values."""
    return parse_qs(urlsplit(page.url).query)


def wait_for_address(page, part):
    """Wait until the address has a part, and what it asks for is drawn."""
    page.wait_for_url(re.compile(re.escape(part)))
    settle(page)


def wait_without(page, part):
    """Wait until the address has a part no more, and what it asks for is drawn."""
    page.wait_for_function("part => !location.search.includes(part)", arg=part)
    settle(page)


def said(page, sentence):
    """Wait until the bar for corrections says something, and give the groups after it."""
    page.locator(".sc-corrected", has_text=re.compile(sentence)).wait_for()
    settle(page)
    return groups_of(page)


def ids_in(page, part):
    """List the ids of the passages that stand in a part of the page."""
    return page.locator(f"{part} li[data-passage]").evaluate_all(
        "items => items.map(item => item.dataset.passage)"
    )


def choose_option(page, key, text):
    """Open the options if they are closed, and choose one."""
    if not page.locator(".st-key-refine").count():
        page.locator(".st-key-refine-open button").first.click()
        page.locator(".st-key-refine").wait_for()
    page.locator(f".st-key-{key}").get_by_text(text, exact=True).click()


def begin_to_correct(page):
    """Open the tools that correct groups."""
    page.locator(".st-key-correct-begin button").first.click()
    page.locator(".st-key-undo").first.wait_for()
    settle(page)


def open_correcting(page, url):
    """Open an address of Explore, begin to correct, and give its groups."""
    open_at(page, url)
    begin_to_correct(page)
    return groups_of(page)


def press(page, locator, *keys):
    """Come to a control with the Tab key and press keys, as somebody without a mouse does."""
    tab_to(page, locator)
    for key in keys or ("Enter",):
        page.keyboard.press(key)


def open_dialog(page, key):
    """Open the dialog of a button, and give it."""
    page.locator(f".st-key-{key} button").first.click()
    page.locator(DIALOG).wait_for()
    settle(page)
    return page.locator(DIALOG)


def close_dialog(page):
    """Close the dialog that is open with the Escape key."""
    page.keyboard.press("Escape")
    page.locator(DIALOG).wait_for(state="detached")


def table_in(page, part, column=""):
    """Read a table, one with a certain column, as it is told to those who do not see it.

    Returns
    -------
    tuple of int and list of list of str
        How many rows there are, and the cells of those that are in sight.
    """
    grid = page.locator(f"{part} [role=grid]").filter(has=page.locator("th", has_text=column)).first
    grid.wait_for(state="attached")
    cells, known = None, []
    for _ in range(100):
        if cells == known != []:
            break
        cells = known
        page.wait_for_timeout(250)  # cells are told a little after they are drawn
        lines = grid.locator("tbody [role=row]").all()
        known = [line.locator("[role=gridcell]").all_text_contents() for line in lines]
    return int(grid.get_attribute("aria-rowcount")) - 1, known


def choose_row(page, part, row=0):
    """Choose a row of a table by the box at its beginning."""
    grid = page.locator(f"{part} canvas").first
    grid.evaluate("one => one.scrollIntoView({block: 'center'})")
    page.wait_for_function(SETTLED)
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 15, box["y"] + 52 + 35 * row)
