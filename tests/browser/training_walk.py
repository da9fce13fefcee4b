"""The steps of a training in the browser, and what the page shows of it."""

from contextlib import suppress

from playwright.sync_api import TimeoutError
from test_accessibility_in_browser import SETTLED

from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.pipeline.load import load_pipeline

# A curve of the run that is looked at, as plotly holds it in the page: [[step, value], ...].
CURVE = """kind => {
    const chart = document.querySelector(`[class*=st-key-run-${kind}] .js-plotly-plot`);
    const trace = chart?.data?.find(one => one.name === 'values');
    if (!trace) return [];
    const values = Array.from(trace.y);
    return Array.from(trace.x).map((step, at) => [step, values[at]]);
}"""

# Of a map of one query: passage id -> [its label, "in" or "out of" place].
MAP = """number => Object.fromEntries(
    document.querySelector(`[class*=st-key-judge-map-${number}] .js-plotly-plot`).data.flatMap(
        trace => trace.customdata.map(row => [row[0], [row[1], row[3]]])))"""


def settle(page):
    """Wait until the page is drawn to its end."""
    page.wait_for_function(SETTLED)


def upload(page, key, name, content):
    """Give a file to an upload field, as the file dialogue does."""
    page.locator(f"[class*=st-key-{key}] input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def click(page, name):
    """Click a button by its name, and wait for what it brings."""
    page.get_by_role("button", name=name, exact=True).click()
    settle(page)


def texts(page, selector):
    """Give the texts of all elements of a kind."""
    return [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]


def set_field(page, label, value):
    """Fill in a number of the advanced settings, and wait until it is taken."""
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")
    settle(page)


def choose(page, label, option):
    """Choose an option of a list."""
    field = page.get_by_role("combobox", name=label)
    listed = page.get_by_role("option", name=option, exact=True)
    for _ in range(10):  # what is written while the page is drawn anew is lost
        field.fill("")
        field.fill(option)
        with suppress(TimeoutError):
            listed.wait_for(timeout=2000)
            break
    field.press("Enter")
    settle(page)


def curve(page, kind):
    """Give a curve, ``"loss"`` or ``"held-out"``, as pairs of step and value."""
    return [tuple(point) for point in page.evaluate(CURVE, kind)]


def wait_for_longer_curve(page, kind, than, timeout=120_000):
    """Wait until a curve goes further than it went, and give it; a long one keeps 500 points."""
    last = than[-1][0] if than else -1
    page.wait_for_function(
        f"step => ({CURVE})({kind!r}).at(-1)?.[0] > step", arg=last, timeout=timeout
    )
    return curve(page, kind)


def scroll_place(page):
    """Tell how far the page is scrolled."""
    return page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop")


def groups_on_the_map(page, question):
    """Ask on the Explore page; give the ids of each group, as the map holds them."""
    box = page.get_by_label("What are you looking for?", exact=True)
    box.wait_for()
    settle(page)
    box.fill(question)
    box.press("Enter")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('American+war')")
    page.locator(".js-plotly-plot .annotation-text").first.wait_for(state="attached")
    settle(page)
    traces = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').data.map("
        "trace => trace.customdata.map(row => row[0]))"
    )
    return frozenset(frozenset(ids) for ids in traces)


def pipeline_groups(folder, checkpoint, question):
    """Group the hits of a question with a model without the app; give the ids of each group."""
    settings = Settings(
        data_dir=folder, models_dir=folder / "models", encoder="hashing", device="cpu"
    )
    pipeline = load_pipeline(settings, method="qs3m", checkpoint=checkpoint)
    found = pipeline.run(Query(question))
    return frozenset(
        frozenset(member.passage.id for member in one.passages) for one in found.subtopics
    )
