"""A visitor who does one thing after another, and how long each took."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.app.chromium import SETTLED, Took, timed

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Walk:
    """One visitor's page, and what was done on it.

    Parameters
    ----------
    page : Page
        Open and drawn.
    drawn : str
        JavaScript that holds when nothing more comes.
    progress : callable, optional
        Told the name of each thing before it is done.

    Attributes
    ----------
    took : dict of str to list of Took
        Of each thing that was done, by its name.
    """

    def __init__(
        self,
        page: "Page",
        drawn: str = SETTLED,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.page = page
        self.drawn = drawn
        self.progress = progress or (lambda name: None)
        self.took: dict[str, list[Took]] = {}

    def after(
        self, name: str, act: Callable[[], object], answered: str, drawn: str | None = None
    ) -> None:
        """Do something, and keep under a name how long its answer took."""
        self.progress(name)
        took = timed(self.page, act, answered, drawn or self.drawn)
        self.took.setdefault(name, []).append(took)

    def fetch(self, name: str, selector: str) -> None:
        """Press the button of a file, and keep how long it took until the file was there.

        The clock is Python's, since a file is no part of the page.
        """
        self.progress(name)
        button = self.seen(selector)
        started = time.perf_counter()
        with self.page.expect_download() as download:
            button.click()
        download.value.path()
        seconds = time.perf_counter() - started
        self.until(self.drawn)
        self.took.setdefault(name, []).append(Took(seconds, seconds))

    def until(self, condition: str) -> None:
        """Wait for what is not timed."""
        self.page.wait_for_function(f"() => {condition}")

    def seen(self, selector: str) -> "Locator":
        """Find what is in sight: a tooltip keeps a second button for phones beside the first."""
        return self.page.locator(selector).locator("visible=true").first

    def press(self, selector: str) -> Callable[[], None]:
        """Return what presses a button."""
        return self.seen(selector).click

    def choice(self, key: str, words: str) -> Callable[[], None]:
        """Return what chooses one of a row of buttons, by its words."""
        return self.page.locator(f".st-key-{key}").get_by_text(words, exact=True).click

    def key(self, selector: str, key: str) -> Callable[[], None]:
        """Return what presses a key on a control."""
        control = self.page.locator(selector).first
        return lambda: control.press(key)

    def row(self, part: str, row: int = 0) -> Callable[[], None]:
        """Return what chooses a row of a table by the box at its beginning."""
        grid = self.page.locator(f"{part} canvas").first
        grid.wait_for()
        grid.evaluate("one => one.scrollIntoView({block: 'center'})")
        self.until(self.drawn)
        box = grid.bounding_box()
        assert box is not None
        return lambda: self.page.mouse.click(box["x"] + 15, box["y"] + 52 + 35 * row)

    def escape(self) -> None:
        """Close what is open above the page."""
        self.page.keyboard.press("Escape")
        self.until("!document.querySelector('[role=dialog], [data-testid=stPopoverBody]')")
        self.until(self.drawn)
