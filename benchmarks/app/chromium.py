"""Visitors of the app in Chromium, and a clock that runs in their page."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from subclust.core.exceptions import BenchmarkError
from subclust.ui.explore.unanswered import CLOSED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A visitor whose window is behind another's is as quick as the others.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)

SETTLED = """(!document.querySelector(
    '[data-testid=stApp][data-test-script-state=running], [data-stale=true], ' +
    '[data-testid=stSkeleton]'))"""
"""Holds when the server has sent everything and the page shows it."""

_PATIENCE = 120_000

# From the first key or button that is pressed (or let go, where it was held before the clock was
# set); `answered` is when the page shows what was asked for, `settled` when nothing more comes.
# Both are looked at whenever the page is drawn.
_ARM = """() => {{
    const clock = window.subclustClock = {{ began: null, answered: null, settled: null }};
    const answered = () => {answered}, settled = () => {settled};
    const look = () => {{
        if (window.subclustClock !== clock) return;
        const now = performance.now();
        try {{
            if (clock.answered === null && answered()) clock.answered = now - clock.began;
            if (clock.answered !== null && settled()) {{
                requestAnimationFrame(() => {{
                    if (settled()) clock.settled = performance.now() - clock.began;
                    else look();
                }});
                return;
            }}
        }} catch (missing) {{ clock.missing = String(missing); }}
        requestAnimationFrame(look);
    }};
    const begin = event => {{
        for (const kind of kinds) window.removeEventListener(kind, begin, true);
        clock.began = performance.now();
        requestAnimationFrame(look);
    }};
    const kinds = ['pointerdown', 'pointerup', 'keydown'];
    for (const kind of kinds) window.addEventListener(kind, begin, true);
}}"""

_READ = """() => {
    const clock = window.subclustClock;
    return clock && clock.settled !== null ? [clock.answered, clock.settled] : null;
}"""


class Took(NamedTuple):
    """Seconds from a key or button pressed.

    Parameters
    ----------
    answered : float
        Until the page shows what was asked for.
    settled : float
        Until nothing more comes: the map is drawn and what is worked out last is filled in.
    """

    answered: float
    settled: float


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Start Chromium, the machine's own where there is one.

    Yields
    ------
    playwright.sync_api.Browser

    Raises
    ------
    BenchmarkError
        If Playwright or a browser is missing, or a page does not show what is waited for.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as error:
        raise BenchmarkError(
            "Playwright drives the browser and is not installed; run \"pip install '.[dev]'\"."
        ) from error
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=list(FLAGS)
            )
        except Error as error:
            raise BenchmarkError(
                "Chromium does not start; install it, or run 'playwright install chromium'."
            ) from error
        try:
            yield browser
        except Error as error:
            raise BenchmarkError(
                "A page did not do what was waited for: {error}",
                error=str(error).splitlines()[0],
            ) from error
        finally:
            browser.close()


def visit(browser: "Browser", url: str, ready: str = SETTLED) -> "Page":
    """Open a page as a new visitor, and wait until it is drawn.

    Parameters
    ----------
    ready : str
        JavaScript that holds when it is.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(_PATIENCE)
    context.add_init_script(f"localStorage.setItem('{CLOSED}', 'closed')")
    page = context.new_page()
    page.goto(url)
    page.wait_for_function(f"() => {ready}")
    return page


def arm(page: "Page", answered: str, settled: str = SETTLED) -> None:
    """Set the clock, which begins with the next key or button that is pressed on a page.

    Parameters
    ----------
    answered, settled : str
        JavaScript that holds when the page shows what was asked for, and when nothing more comes.
    """
    page.evaluate(_ARM.format(answered=answered, settled=settled))


def told(page: "Page") -> Took | None:
    """Read the clock; None as long as it runs."""
    found = page.evaluate(_READ)
    return None if found is None else Took(found[0] / 1000, found[1] / 1000)


def timed(page: "Page", act: Callable[[], object], answered: str, settled: str = SETTLED) -> Took:
    """Do something on a page and tell how long its answer took.

    Parameters
    ----------
    act : callable
        Presses a key or a button; the clock begins with the first.
    answered, settled : str
        As for `arm`.

    Raises
    ------
    BenchmarkError
        If there is no answer in two minutes.
    """
    from playwright.sync_api import TimeoutError as Overdue

    arm(page, answered, settled)
    try:
        act()
        page.wait_for_function(f"() => ({_READ})() !== null")
    except Overdue as error:
        raise BenchmarkError(
            "The page did not answer in two minutes: {answered}", answered=answered
        ) from error
    took = told(page)
    assert took is not None
    return took
