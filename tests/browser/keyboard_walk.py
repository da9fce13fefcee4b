"""A walk over a page with the Tab key: what has the focus, what it is called, and whether it shows.

Names and roles are those that the browser gives to assistive technology.
"""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

_AROUND = 6
"""Pixels around a control within which its focus may show."""

INTERACTIVE = (
    ":is(a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex])"
    ":not([disabled], [tabindex='-1'])"
)

# Every interactive element that is drawn, and not behind a closed part of the page; of a group in
# which arrow keys move the focus (radio buttons, tabs) there is one stop, and it stands for all.
_STOPS = f"""() => {{
    const shown = one => one.checkVisibility({{visibilityProperty: true}})
        && !one.closest('[inert], [aria-hidden=true], details:not([open]) > :not(summary)');
    const group = one => one.closest('[role=radiogroup], [role=tablist], [role=grid]');
    window.stops = [...document.querySelectorAll("{INTERACTIVE}")].filter(shown);
    window.reached = new Set();
    window.stopOf = one => group(one) || one;
}}"""

_NOTE = """() => {
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    window.reached.add(window.stopOf(one));
    const drawn = ((one.matches('input') && one.closest('label')) || one).getBoundingClientRect();
    return {html: one.outerHTML.slice(0, 200), box: [drawn.x, drawn.y, drawn.width, drawn.height]};
}"""

_MISSED = """() => window.stops.filter(one => one.isConnected && !window.reached.has(stopOf(one)))
    .map(one => one.outerHTML.slice(0, 200))"""


@dataclass(frozen=True)
class Stop:
    """One element that the Tab key came to.

    Parameters
    ----------
    role, name : str
        As the browser tells them.
    changed : int
        Pixels on and around it that look otherwise than without the focus.
    perimeter : float
        Of its box, in pixels.
    html : str
    """

    role: str
    name: str
    changed: int
    perimeter: float
    html: str


def walk(page, at_most=150):
    """Press Tab until the focus leaves the page or comes around.

    Returns
    -------
    tuple of list of Stop and list of str
        The stops in their order, and the HTML of the interactive elements that were missed.
    """
    tree = page.context.new_cdp_session(page)
    page.evaluate("() => document.activeElement.blur()")
    page.evaluate(_STOPS)
    stops = []
    for _ in range(at_most):
        page.keyboard.press("Tab")
        found = page.evaluate(_NOTE)
        if found is None or (stops and found["html"] == stops[0].html):
            break
        role, name = _told(tree)
        x, y, width, height = found["box"]
        with_focus = _pixels(page, found["box"])
        page.evaluate("() => { window.focused = document.activeElement; window.focused.blur() }")
        without = _pixels(page, found["box"])
        page.evaluate("() => window.focused.focus({preventScroll: true, focusVisible: true})")
        changed = int((np.abs(with_focus - without).max(axis=2) > 24).sum())
        stops.append(Stop(role, name, changed, 2 * (width + height), found["html"]))
    else:
        raise AssertionError(f"the focus is caught: {[stop.html for stop in stops[-3:]]}")
    return stops, page.evaluate(_MISSED)


def _told(tree):
    found = tree.send("Runtime.evaluate", {"expression": "document.activeElement"})
    nodes = tree.send(
        "Accessibility.getPartialAXTree",
        {"objectId": found["result"]["objectId"], "fetchRelatives": False},
    )["nodes"]
    role, name = (nodes[0].get(key, {}).get("value", "") for key in ("role", "name"))
    return role, name.strip()


def _pixels(page, box):
    x, y, width, height = box
    left, top = max(0, x - _AROUND), max(0, y - _AROUND)
    size = page.viewport_size
    clip = {
        "x": left,
        "y": top,
        "width": min(x + width + _AROUND, size["width"]) - left,
        "height": min(y + height + _AROUND, size["height"]) - top,
    }
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip, animations="disabled")))
    return np.asarray(picture.convert("RGB"), dtype=int)
