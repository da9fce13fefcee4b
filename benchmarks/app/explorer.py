"""All that can be done with the groups of a question on Explore, one thing after another."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.app.explore_page import (
    CARDS,
    DRAWN,
    MAP,
    PLACES,
    address,
    ask,
    other,
    other_groups,
    shown,
)
from benchmarks.app.walk import Walk
from subclust.figures.scatter import MARKED_TRACE

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILES = (".csv", ".xlsx", ".ris", ".bib", ".csl.json", ".json", ".html", ".svg", ".png")
"""Endings of the files that can be taken away."""

_WHY = f"({shown('[role=dialog] .sc-why-told')} && {shown('[role=dialog] [data-near=without]')})"
_MARKED_WORDS = f"({shown('[role=dialog] .sc-why-text[data-marked]')} && {DRAWN})"
_CURVE = shown(":is([data-testid=stPopoverBody], [role=dialog]) .js-plotly-plot")
_SAID = "(document.querySelector('.sc-corrected')?.textContent ?? '')"
_ENTRIES = "document.querySelectorAll('[role=menuitem]').length > 0"


def _are(number: int) -> str:
    """Hold when there are so many groups, as there may have been before they were asked for."""
    groups = "[class*=st-key-card-group-]:not(.st-key-card-group-other)"
    chosen = address("groups", str(number))
    return f"({chosen} && document.querySelectorAll('{groups}').length === {number})"


class Explorer(Walk):
    """A visitor of Explore.

    Parameters
    ----------
    page : Page
        Open at a question.
    """

    def __init__(self, page: "Page", progress: Callable[[str], None] | None = None) -> None:
        super().__init__(page, DRAWN, progress)

    def walk(self, question: str, another: str) -> None:
        """Ask a question, and do to its groups all that can be done."""
        self.search(question)
        options = self.press(".st-key-refine-open button")
        self.after("open the options", options, shown(".st-key-refine"))
        self._marks()
        tools = self.press(".st-key-correct-begin button")
        self.after("begin to correct", tools, shown(".st-key-undo"))
        self._corrections_of_a_group()
        self._corrections_of_passages()
        self._numbers()
        self._listings()
        self._files()
        self._dig(question)
        self._kept(question, another)

    def search(self, question: str) -> None:
        """Ask for something, as by typing it and pressing Enter."""
        press = ask(self.page, question)
        asked = f"{address('q', question)} && {other_groups(self.page)}"
        self.after("search", press, asked)

    def _marks(self) -> None:
        self.after("select a group", self.press(".st-key-group-1 button"), shown(".st-key-dig-1"))
        # Answered: fit, next group and neighbours; settled: the words that carry it, too.
        why = self.press(".st-key-open-group [data-why]")
        self.after("why is this here", why, _WHY, _MARKED_WORDS)
        self.escape()
        gone = f"!{shown('.st-key-dig-1')}"
        self.after("select it no more", self.press(".st-key-group-1 button"), gone)

    def _corrections_of_a_group(self) -> None:
        self.press(".st-key-group-0 button")()
        self.until(f"({shown('.st-key-dig-0')} && {DRAWN})")
        self.press(".st-key-correct-rename button")()
        field = self.page.locator(":is([data-testid=stPopoverBody], [role=dialog]) input").first
        field.fill("Another name")
        self._said("rename a group", lambda: field.press("Enter"))
        self._from_menu("correct-split", "split a group in two")
        self._back()
        self._back()
        self._from_menu("correct-merge", "merge two groups")
        self._said("undo", self.press(".st-key-undo button"))
        self._said("redo", self.press(".st-key-redo button"))
        self._said("undo", self.press(".st-key-undo button"))
        self._clear()

    def _corrections_of_passages(self) -> None:
        self._box()
        self._from_menu("correct-move", "move the chosen passages")
        self._back()
        self._from_menu("correct-move", "send them to the other passages", last=True)
        self._back()
        self._said("accept them", self.press(".st-key-correct-accepted button"))
        self._said("mark them unsure", self.press(".st-key-correct-unsure button"))
        self._back()
        self._back()
        self.press(".st-key-correct-separate button")()
        make = self.press(":is([data-testid=stPopoverBody], [role=dialog]) [class*=-give] button")
        self._said("make them a group", make)
        self._back()
        clear = self.press(".st-key-clear button")
        self.after("choose them no more", clear, f"!{shown('.st-key-chosen')}")

    def _box(self) -> None:
        """Draw a box over the left half of the map; the clock begins when the mouse is let go."""
        plot = self.page.locator(".st-key-map-panel .js-plotly-plot").first
        plot.locator(".modebar-btn[data-attr=dragmode][data-val=select]").click()
        frame = plot.locator(".nsewdrag").first
        frame.scroll_into_view_if_needed()
        box = frame.bounding_box()
        assert box is not None
        mouse = self.page.mouse
        mouse.move(box["x"] + 3, box["y"] + 3)
        mouse.down()
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 3, steps=6)
        self.after("choose passages with a box on the map", mouse.up, shown(".st-key-chosen"))

    def _numbers(self) -> None:
        slider = ".st-key-groups input, .st-key-groups [role=slider]"
        for name, number in (("a finer number of groups", 2), ("one number further", 3)):
            self.after(name, self.key(slider, "ArrowRight"), _are(number))
        parts = shown("ul.sc-parts")
        self.after("groups with parts", self.choice("levels", "with parts"), parts)
        self.after(
            "parts of parts", self.choice("levels", "parts of parts"), other(self.page, CARDS)
        )
        self.after("flat groups", self.choice("levels", "Groups"), f"!{parts}")
        self.after("which number is stable", self.press(".st-key-how-many button"), _CURVE)
        self.escape()

    def _listings(self) -> None:
        for name, label, answered in (
            ("all hits", "Hits", shown(".st-key-list-hits li[data-passage]")),
            ("the table", "Table", shown("[data-testid=stDataFrame] canvas")),
        ):
            self.after(name, self.choice("listing", label), answered)
        ringed = f"{MAP}.some(one => one.name === {MARKED_TRACE!r})"
        self.after("choose a row of the table", self.row("[data-testid=stDataFrame]"), ringed)
        groups = shown("[class*=st-key-card-group-]")
        self.after("back to the groups", self.choice("listing", "Groups"), groups)
        self._clear()

    def _files(self) -> None:
        body = shown(":is([data-testid=stPopoverBody], [role=dialog]) .st-key-take-files")
        self.after("what can be taken away", self.press(".st-key-take-away button"), body)
        for ending in FILES:
            key = f"take{ending}".replace(".", "-")
            self.fetch(f"take away {ending}", f".st-key-{key} button")
        self.escape()

    def _dig(self, question: str) -> None:
        self.press(".st-key-group-0 button")()
        self.until(f"({shown('.st-key-dig-0')} && {DRAWN})")
        trail = shown(".st-key-trail")
        self.after("dig into a group", self.press(".st-key-dig-into button"), trail)
        self.after("back out of it", self.press(".st-key-trail button"), f"!{trail}")
        self.press(".st-key-group-0 button")()
        self.until(f"({shown('.st-key-dig-0')} && {DRAWN})")
        add = self.press(".st-key-dig-name button")
        self.after("add a name to the question", add, f"{trail} && {other_groups(self.page)}")
        self.press(".st-key-trail button")()
        self.until(f"(!{trail} && {address('q', question)} && {DRAWN})")

    def _kept(self, question: str, another: str) -> None:
        kept = shown(".st-key-kept-back")
        self.after("keep these hits", self.press(".st-key-keep label"), kept)
        asked = f"{address('q', another)} && {shown('.st-key-kept-search')}"
        self.after("keep the hits, ask another question", ask(self.page, another), asked)
        listed = shown(".st-key-kept canvas")
        self.after("which passages moved", self.press(".st-key-kept summary"), listed)
        self._sides()
        back = f"({address('q', question)} && !{kept})"
        self.after("back to the first question", self.press(".st-key-kept-back button"), back)

    def _sides(self) -> None:
        sides = {"Before": "the map as it was before", "Now": "the map as it is now"}
        for side, name in sides.items():
            self.after(name, self.choice("side", side), other(self.page, PLACES))
            self.page.wait_for_timeout(1000)  # the marks are on their way

    def _from_menu(self, key: str, name: str, *, last: bool = False) -> None:
        """Open a menu, and time what one of its entries does."""
        self.press(f".st-key-{key} button")()
        self.until(_ENTRIES)
        entries = self.page.get_by_role("menuitem")
        self._said(name, (entries.last if last else entries.first).click)

    def _said(self, name: str, act: Callable[[], object]) -> None:
        self.after(name, act, other(self.page, _SAID))

    def _back(self) -> None:
        """Undo, untimed."""
        before = other(self.page, _SAID)
        self.press(".st-key-undo button")()
        self.until(f"({before} && {DRAWN})")

    def _clear(self) -> None:
        """Mark nothing, untimed."""
        if not self.page.locator(".st-key-clear button").count():
            return
        self.press(".st-key-clear button")()
        gone = f"!{shown('.st-key-chosen')} && !{shown('[class*=st-key-dig-]')}"
        self.until(f"({gone} && {DRAWN})")
