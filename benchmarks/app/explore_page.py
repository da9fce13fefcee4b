"""What the Explore page shows, as conditions that hold in a browser, and a question asked there."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.app.chromium import SETTLED

if TYPE_CHECKING:
    from playwright.sync_api import Page

GROUPS = """[...document.querySelectorAll('[class*=st-key-card-group-] [class*=st-key-group-] p')]
    .map(one => one.textContent.trim())"""
"""The names of the groups in the list."""

CARDS = """[...document.querySelectorAll('[class*=st-key-card-group-]')]
    .map(one => one.textContent).join()"""
"""All that the list says."""

MAP = "(document.querySelector('.st-key-map-panel .js-plotly-plot')?.data ?? [])"
"""The traces of the map."""

PLACES = f"{MAP}.map(one => [one.name, ...Array.from(one.x ?? [])].join()).join(';')"
"""Where the marks of the map are, from left to right, and of which trace they are."""

DRAWN = f"""({SETTLED} && (() => {{
    const traces = {MAP}.map(one => one.name);
    if (!traces.length) return false;
    const names = {GROUPS};
    return traces.includes('Passages') || names.every(name => traces.includes(name));
}})())"""
"""Holds when nothing more comes, and the map has a trace for each group of the list or, where hits
are kept, the one trace of all passages."""


def address(name: str, value: str) -> str:
    """Hold when the address has a parameter of that value."""
    return f"(new URLSearchParams(location.search).get({json.dumps(name)}) === {json.dumps(value)})"


def shown(selector: str) -> str:
    """Hold when the page has such an element."""
    return f"(document.querySelector({json.dumps(selector)}) !== null)"


def other(page: "Page", what: str) -> str:
    """Hold when something, a text in JavaScript, is another than now."""
    return f"(({what}) !== {json.dumps(page.evaluate(f'() => {what}'))})"


def other_groups(page: "Page") -> str:
    """Hold when the list says something else than now."""
    return f"({other(page, CARDS)} && ({GROUPS}).length > 0)"


def ask(page: "Page", question: str) -> Callable[[], None]:
    """Type a question, and give what asks it: the Enter key."""
    field = page.locator(".st-key-query input")
    field.fill(question)
    return lambda: field.press("Enter")
