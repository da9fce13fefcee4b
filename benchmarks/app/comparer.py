"""What can be done with the columns of Compare, one thing after another."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.app.chromium import SETTLED
from benchmarks.app.explore_page import address, other, shown
from benchmarks.app.walk import Walk
from subclust.figures.scatter import EDGE, OPEN_EDGE

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILES = ("csv", "xlsx", "json")
"""The files that can be taken away."""

_MAPS = "[...document.querySelectorAll('.st-key-compare-maps .js-plotly-plot')]"
_LOOK = "getComputedStyle(map.querySelector('.point') ?? map)"
_RINGED = f"['{EDGE}px', '{OPEN_EDGE}px'].includes({_LOOK}.strokeWidth)"
_FADED = f"{_LOOK}.opacity < 0.5"
_MARKED = f"{_MAPS}.every(map => {_RINGED} || {_FADED})"
_UNMARKED = f"{_MAPS}.every(map => !({_RINGED} || {_FADED}))"

DRAWN = f"""({SETTLED} && {shown(".st-key-compare-take button")}
    && {_MAPS}.length > 1 && {_MAPS}.every(map => map.data?.length))"""
"""Holds when nothing more comes, and all maps are drawn."""


class Comparer(Walk):
    """A visitor of Compare.

    Parameters
    ----------
    page : Page
        Open at a question, with two columns.
    """

    def __init__(self, page: "Page", progress: Callable[[str], None] | None = None) -> None:
        super().__init__(page, DRAWN, progress)

    def walk(self) -> None:
        """Do to the columns all that can be done."""
        group = self.press("[class*='st-key-of-B-'] button")
        self.after("Compare: select a group", group, _MARKED)
        self.after("Compare: clear", self.press(".st-key-compare-clear button"), _UNMARKED)
        self.after("Compare: choose a stream", self.row("[class*=st-key-flow-table]"), _MARKED)
        self.press(".st-key-compare-clear button")()
        self.until(f"({_UNMARKED} && {DRAWN})")
        self._tabs()
        self._columns()
        for ending in FILES:
            self.fetch(f"Compare: take away {ending}", f".st-key-compare-{ending} button")

    def _tabs(self) -> None:
        tabs = self.page.locator(".st-key-compare-tabs").get_by_role("tab")
        for place, name in ((1, "agreement"), (2, "the labels"), (0, "only what moved")):
            chosen = f"{_tab(place)}?.ariaSelected === 'true'"
            self.after(f"Compare: {name}", tabs.nth(place).click, chosen)

    def _columns(self) -> None:
        maps = "document.querySelectorAll('.st-key-compare-maps .js-plotly-plot').length"
        remove = shown(".st-key-remove-C button")
        options = self.press(".st-key-columns-open button")
        self.after("Compare: open the options", options, shown(".st-key-columns-shown"))
        add = self.press(".st-key-add-column button")
        self.after("Compare: add a column", add, f"({remove} && {maps} === 3)")
        self.press(".st-key-n_clusters-C [role=combobox], .st-key-n_clusters-C input")()
        option = self.page.get_by_role("option").nth(8)
        option.wait_for()
        number = "/;groups:/.test(new URLSearchParams(location.search).get('c') ?? '')"
        self.after(
            "Compare: another number of groups",
            option.click,
            f"({number} && {other(self.page, _NOTES)})",
        )
        between = self.page.locator(".st-key-compare-between label").nth(2)
        self.after("Compare: two other columns", between.click, address("between", "ac"))
        gone = f"(!{remove} && {maps} === 2)"
        self.after("Compare: remove a column", self.press(".st-key-remove-C button"), gone)


_NOTES = "[...document.querySelectorAll('.st-key-compare-maps p')].map(p => p.textContent).join()"


def _tab(place: int) -> str:
    return f"document.querySelectorAll('.st-key-compare-tabs [role=tab]')[{place}]"
