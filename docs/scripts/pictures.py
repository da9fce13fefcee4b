"""Draw the pictures of the documentation from the app over the demo library.

Start the app (``make run``), then::

    .venv/bin/python docs/scripts/pictures.py http://localhost:8501 [NAME ...]

Every picture goes to ``docs/images/``, with few colours so that it stays small. Needs the extra
``dev`` and Chromium.
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from subclust.ui.explore.unanswered import CLOSED

IMAGES = Path(__file__).resolve().parent.parent / "images"
WIDTH, HEIGHT = 1280, 960
FIRST = "Angola"
TWICE, UNDER = "alchemy", "by period"
"""What the animation asks, and then of the same passages."""

MAP = ".st-key-map-panel .js-plotly-plot"

# Chromium draws the map by WebGL, here without a graphics card.
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]

# Nothing is being computed, drawn or faded in.
SETTLED = """() => !document.querySelector('[data-testid="stStatusWidget"], [data-stale="true"]')
    && document.querySelector('.stApp')?.dataset.testScriptState !== 'running'"""
DRAWN = f"() => document.querySelector('{MAP}')?._fullLayout?.xaxis"


def explore(**parameters: str | list[str]) -> str:
    """Return the address of an answer on the Explore page."""
    return "/?" + urlencode(parameters, doseq=True)


def settle(page: Page, *, drawn: bool = False) -> None:
    """Wait until the page has stopped changing."""
    if drawn:
        page.wait_for_function(DRAWN)
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(1500)  # the map's marks travel for a second
    page.wait_for_function(SETTLED)


def shot(page: Page, *, clip: dict[str, float] | None = None) -> Image.Image:
    """Return what the page shows, or a part of it."""
    drawn = page.screenshot(clip=clip) if clip else page.screenshot()  # type: ignore[arg-type]
    return Image.open(io.BytesIO(drawn)).convert("RGB")


def save(image: Image.Image, name: str) -> None:
    """Write a picture with 256 colours: text and marks need no more."""
    path = IMAGES / f"{name}.png"
    image.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def top_of(part: Locator) -> float:
    """Return where an element begins, with a margin."""
    box = part.bounding_box()
    assert box is not None
    return box["y"] - 12


def draw_explore(page: Page, url: str) -> None:
    """Draw an answer: groups on the left, their map on the right."""
    page.goto(url + explore(q=FIRST))
    settle(page, drawn=True)
    save(shot(page), "explore")


def draw_question_twice(page: Page, url: str) -> None:
    """Draw one set of hits under two questions, as an animation of the compact page."""
    page.set_viewport_size({"width": WIDTH, "height": 960})
    page.goto(url + explore(q=TWICE, embed="true"))
    settle(page, drawn=True)
    frames, seconds = [shot(page)], [2.5]

    page.locator(".st-key-refine-open button").click()
    page.get_by_text("Keep these hits").click()
    page.wait_for_url("**hits=**")
    settle(page, drawn=True)
    frames.append(shot(page))
    seconds.append(1.2)

    box = page.get_by_label("What are you looking for?")
    box.click()
    for length in range(0, len(UNDER) + 1, 3):
        box.fill(UNDER[:length])
        frames.append(shot(page))
        seconds.append(0.12)
    box.fill(UNDER)
    frames.append(shot(page))
    seconds.append(0.5)
    box.press("Enter")
    page.locator(".sc-kept", has_text=f"grouped under “{UNDER}”").wait_for()
    page.locator(".st-key-refine-open button").click()
    settle(page, drawn=True)
    frames.append(shot(page))
    seconds.append(4.0)

    size = (960, 720)
    small = [frame.resize(size, Image.Resampling.LANCZOS) for frame in frames]
    both = Image.new("RGB", (size[0], 2 * size[1]))
    both.paste(small[0], (0, 0))
    both.paste(small[-1], (0, size[1]))
    palette = both.quantize(256, Image.Quantize.MAXCOVERAGE)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in small]
    path = IMAGES / "question-twice.gif"
    drawn[0].save(
        path,
        save_all=True,
        append_images=drawn[1:],
        duration=[round(1000 * one) for one in seconds],
        loop=0,
        optimize=True,
    )
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
    save(frames[-1], "kept-hits")


def draw_why(page: Page, url: str) -> None:
    """Draw why a passage is in its group."""
    page.goto(url + explore(q=FIRST))
    settle(page, drawn=True)
    page.locator(".st-key-group-0 button").click()
    page.locator(".st-key-open-group li[data-passage]").first.wait_for()
    settle(page, drawn=True)
    button = page.get_by_role("button", name="Why is this here?").first
    if button.count():
        button.click()
        settle(page, drawn=True)
    save(shot(page), "why")


def draw_correct(page: Page, url: str) -> None:
    """Draw the bar by which groups are corrected."""
    page.goto(url + explore(q=FIRST, group="0"))
    settle(page, drawn=True)
    page.locator(".st-key-correct-begin button").click()
    settle(page, drawn=True)
    save(shot(page), "correct")


def draw_compare(page: Page, url: str) -> None:
    """Draw two ways of grouping side by side."""
    page.set_viewport_size({"width": WIDTH, "height": 2400})
    page.goto(f"{url}/compare?{urlencode({'q': FIRST})}")
    page.get_by_role("heading", name="Where the passages go").wait_for()
    page.wait_for_timeout(5000)
    settle(page)
    heading = page.locator("h2.sc-headline")
    flow = page.get_by_role("heading", name="Where the passages go")
    top = top_of(heading)
    bottom = top_of(flow) + 500
    save(shot(page, clip={"x": 0, "y": top, "width": WIDTH, "height": bottom - top}), "compare")


def draw_page(name: str) -> Callable[[Page, str], None]:
    """Return what draws a page as it opens."""

    def draw(page: Page, url: str) -> None:
        page.goto(f"{url}/{name}")
        page.get_by_role("heading").first.wait_for()
        settle(page)
        save(shot(page), name)

    return draw


PICTURES: dict[str, Callable[[Page, str], None]] = {
    "explore": draw_explore,
    "question-twice": draw_question_twice,
    "why": draw_why,
    "correct": draw_correct,
    "compare": draw_compare,
    **{name: draw_page(name) for name in ("library", "train", "models")},
}


def main(url: str, *names: str) -> None:
    """Draw some pictures, or all."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for name in names or PICTURES:
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light"
            )
            context.set_default_timeout(120_000)
            context.add_init_script(f"localStorage.setItem('{CLOSED}', 'closed')")
            PICTURES[name](context.new_page(), url.rstrip("/"))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
