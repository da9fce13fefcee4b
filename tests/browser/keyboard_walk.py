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
    window.scrolls = [];
    window.first = null;
    window.stopOf = one => group(one) || one;
    // Tab goes on from where somebody clicked last, even if nothing there has the focus.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
}}"""

_NOTE = """() => {
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    window.first ??= one;
    const around = one === window.first && window.scrolls.length > 0;
    window.reached.add(window.stopOf(one));
    const drawn = ((one.matches('input') && one.closest('label')) || one).getBoundingClientRect();
    const scrolled = [];
    for (let part = one; part; part = part.parentElement)
        if (part.scrollTop || part.scrollLeft)
            scrolled.push([part, part.scrollTop, part.scrollLeft]);
    window.scrolls.push(scrolled);
    const box = [drawn.x, drawn.y, drawn.width, drawn.height];
    return {around, html: one.outerHTML.slice(0, 200), box};
}"""

# Shows what was seen when the Tab key had come to a stop, with the focus elsewhere.
_BACK_AT = """place => {
    for (const part of document.querySelectorAll('*'))
        if (part.scrollTop || part.scrollLeft) part.scrollTo(0, 0);
    for (const [part, top, left] of window.scrolls[place]) part.scrollTo(left, top);
}"""

_MISSED = """() => window.stops.filter(one => one.isConnected && !window.reached.has(stopOf(one)))
    .map(one => one.outerHTML.slice(0, 200))"""


# Whether a control has the focus, and if not, whether it stands before what has it.
_WHERE = """one => {
    const at = document.activeElement;
    if (at === one || (one.contains(at) && at.matches('input, canvas'))) return 'here';
    const order = at.compareDocumentPosition(one);
    return order & Node.DOCUMENT_POSITION_PRECEDING ? 'before' : 'after';
}"""


def tab_to(page, locator, at_most=400):
    """Press Tab, or Shift and Tab, until a control has the focus.

    Nothing else moves the focus here: a control that the Tab key does not come to fails a test.

    Returns
    -------
    int
        How often the key was pressed.
    """
    for presses in range(at_most):
        where = locator.first.evaluate(_WHERE)
        if where == "here":
            return presses
        page.keyboard.press("Shift+Tab" if where == "before" else "Tab")
    raise AssertionError(f"the Tab key does not come to {locator}")


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
    page.evaluate(_STOPS)
    seen = []
    for _ in range(at_most):
        page.keyboard.press("Tab")
        found = page.evaluate(_NOTE)
        if found is None or found["around"]:
            break
        seen.append((found, _told(tree), _pixels(page, found["box"])))
    else:
        raise AssertionError(f"the focus is caught: {[found['html'] for found, *_ in seen[-3:]]}")
    page.evaluate("() => document.activeElement.blur()")
    stops = []
    for place, (found, (role, name), with_focus) in enumerate(seen):
        page.evaluate(_BACK_AT, place)
        without = _pixels(page, found["box"])
        width, height = found["box"][2:]
        changed = int((np.abs(with_focus - without).max(axis=2) > 24).sum())
        stops.append(Stop(role, name, changed, 2 * (width + height), found["html"]))
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
