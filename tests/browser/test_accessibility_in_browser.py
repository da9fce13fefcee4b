"""axe-core over the pages, in both themes: no serious and no critical violation."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from subclust.figures.palette import _contrast

PAGES = {
    "Explore": ("/?method=tfidf&groups=4&q=number+words", ".js-plotly-plot .annotation-text"),
    "Explore with passages chosen": (
        "/?method=tfidf&groups=4&q=number+words&levels=2"
        "&passage=peace-treaty%3A1%231&passage=stamp-act%3A1%231",
        ".st-key-chosen [data-why]",
    ),
    "Explore with a group open": (
        "/?method=tfidf&groups=4&q=number+words&group=1",
        ".st-key-open-group [data-why]",
    ),
    "Compare": (
        "/compare?q=number+words&a=tfidf%3Bgroups%3A4&b=jaccard&c=tfidf%3Bgroups%3A3",
        ".st-key-compare-take button",
    ),
    "Compare in German": (
        "/compare?q=number+words&a=tfidf%3Bgroups%3A4&b=jaccard&lang=de",
        ".st-key-compare-take button",
    ),
    "Library": ("/library", ".sc-about"),
    "Adding documents": ("/library?show=import", "[data-testid=stFileUploader]"),
    "Asking a service": ("/library?show=services", "[data-testid=stTable]"),
    "Imports": ("/library?show=imports", ".stAlert"),
    "Train": ("/train", "[data-testid=stTable]"),
    "Trainings": ("/train?show=Trainings", ".stAlert"),
    "Models": ("/models", ".st-key-model-card"),
    "Benchmarks": ("/benchmarks", "table.sc-published"),
}
"""Address of each page, and what is there once it is drawn."""

MAIN = PAGES.keys() - {
    "Explore", "Explore with passages chosen", "Compare in German", "Library", "Adding documents",
    "Imports", "Trainings",
}  # fmt: skip
"""Pages whose light theme is looked at each time; walks look at others, slow tests at all."""

SETTLED = """() => !document.querySelector(
        '[data-testid=stApp][data-test-script-state=running], [data-stale=true], '
        + '[data-testid=stSkeleton]')
    && document.getAnimations().every(one => one.playState !== 'running')"""
"""Drawn to the end, and nothing is fading in: half faded text has half its contrast."""

WIDTH = """Math.max(document.documentElement.scrollWidth,
    document.querySelector('[data-testid=stMain]').scrollWidth)"""
"""How wide a page is, with what it has to be scrolled to."""

GRAVE = ("serious", "critical")

# The colour of the border of each field and box that is drawn, and those on its two sides. The
# border belongs to the first thing around an input that has one, or to the box that stands for it.
EDGES = """() => {
    const hex = colour => '#' + colour.match(/[\\d.]+/g).slice(0, 3)
        .map(part => Number(part).toString(16).padStart(2, '0')).join('');
    const filled = one => {
        for (let part = one; part; part = part.parentElement) {
            const colour = getComputedStyle(part).backgroundColor;
            if (!/, 0\\)$/.test(colour)) return hex(colour);
        }
        return '#ffffff';
    };
    const inputs = ':is([role=combobox], textarea, [data-testid=stFileUploaderDropzoneInput],'
        + ' input:is([type=text], [type=checkbox]:not([role=switch])))';
    const found = [];
    for (const one of document.querySelectorAll(`[data-testid=stApp] ${inputs}:not([disabled])`)) {
        let edge = one.matches('[type=checkbox]')
            ? one.closest('label').querySelector(':scope > div') : one;
        while (edge && parseFloat(getComputedStyle(edge).borderTopWidth) === 0)
            edge = edge.parentElement;
        if (!edge?.checkVisibility()) continue;
        found.push({html: one.outerHTML.slice(0, 200),
            border: hex(getComputedStyle(edge).borderTopColor),
            sides: [filled(edge), filled(edge.parentElement)]});
    }
    return found;
}"""


def grave_violations(page):
    """Tell each grave violation in a line: rule, what it asks, and where."""
    rules = {"rules": {"target-size": {"enabled": True}}}  # of WCAG 2.2, which axe leaves out
    found = Axe().run(page, options=rules).response["violations"]
    return [
        f"{one['id']}: {one['help']}: "
        f"{[(node['html'][:300], node['failureSummary'][-200:]) for node in one['nodes'][:5]]}"
        for one in found
        if one["impact"] in GRAVE
    ]


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        pytest.param(name, scheme, marks=[pytest.mark.main_way] * (name in MAIN and light))
        for name in PAGES
        for scheme, light in (("light", True), ("dark", False))
    ],
)
def test_axe_finds_nothing_grave(new_page, app_url, name, scheme):
    address, drawn = PAGES[name]
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    page.goto(app_url + address)
    page.locator(drawn).first.wait_for(state="attached")
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.main_way), "dark"])
def test_borders_of_fields_are_seen_as_well_as_marks(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    for name in ("Explore", "Adding documents", "Train"):
        address, drawn = PAGES[name]
        page.goto(app_url + address)
        page.locator(drawn).first.wait_for(state="attached")
        if name == "Explore":
            page.get_by_role("button", name="Refine").click()
            page.locator(".st-key-options").wait_for()
        page.wait_for_function(SETTLED)
        fields = page.evaluate(EDGES)
        assert fields
        faint = [f for f in fields if min(_contrast(f["border"], side) for side in f["sides"]) < 3]
        assert faint == []


def test_axe_would_find_something_grave(new_page, app_url):
    page = new_page()
    page.goto(f"{app_url}/benchmarks")
    page.locator("table.sc-published").wait_for()
    page.evaluate("() => document.body.append(document.createElement('button'))")
    assert any(line.startswith("button-name") for line in grave_violations(page))
