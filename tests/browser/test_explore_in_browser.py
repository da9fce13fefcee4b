import re
from urllib.parse import parse_qs, urlsplit

import pytest
from explore_walk import choose_option, press
from keyboard_walk import tab_to
from test_accessibility_in_browser import WIDTH

from subclust.figures.scatter import MARKED_TRACE
from subclust.ui.components.browser import map_config

QUESTION = "the American war"
START = "/?method=tfidf&groups=4&q=number+words"

# The traces of the map as plotly holds them in the page: name -> [passage ids].
TRACES = """() => Object.fromEntries(
    document.querySelector('.js-plotly-plot').data.map(
        trace => [trace.name, trace.customdata.map(row => row[0])]))"""

LABELS = """() => [...document.querySelectorAll('.js-plotly-plot .annotation-text')].map(
    label => { const box = label.getBoundingClientRect();
               return [box.left, box.top, box.right, box.bottom] })"""

# Middle of the mark of a passage, in pixels of the window.
PLACE = """id => {
    const map = document.querySelector('.js-plotly-plot');
    const frame = map.querySelector('.nsewdrag').getBoundingClientRect();
    const {xaxis, yaxis} = map._fullLayout;
    for (const trace of map.data) {
        const row = trace.customdata.findIndex(one => one[0] === id);
        if (row >= 0) return [frame.left + xaxis.d2p(Array.from(trace.x)[row]),
                              frame.top + yaxis.d2p(Array.from(trace.y)[row])];
    }
}"""


def wait_for_map(page):
    page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis"
        " && !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )


def wait_for_address(page, part):
    page.wait_for_url(re.compile(re.escape(part)))
    wait_for_map(page)


def wait_for_marks(page):
    page.wait_for_function(
        f"() => document.querySelector('.js-plotly-plot')?.data?.some("
        f"trace => trace.name === '{MARKED_TRACE}')"
    )
    return page.evaluate(TRACES)[MARKED_TRACE]


def ids_in(page, card):
    return page.locator(f"{card} li[data-passage]").evaluate_all(
        "items => items.map(item => item.dataset.passage)"
    )


def ask(page, app_url):
    page.goto(app_url + START)
    wait_for_map(page)
    box = page.get_by_label("What are you")
    box.fill(QUESTION)
    box.press("Enter")
    wait_for_address(page, "q=the+American+war")


@pytest.mark.main_way
def test_a_question_gives_groups_and_a_group_is_marked_and_linked(new_page, app_url):
    page = new_page()
    ask(page, app_url)
    told = "4 subtopics of “the American war” in 48 passages"
    assert page.get_by_role("heading", name=told).is_visible()
    traces = page.evaluate(TRACES)
    assert sum(len(ids) for ids in traces.values()) == 48
    name = page.locator(".st-key-group-1 button").inner_text()
    assert name in traces

    page.locator(".st-key-group-1 button").click()
    wait_for_address(page, "group=1")
    marked = wait_for_marks(page)
    assert sorted(marked) == sorted(traces[name])
    assert sorted(ids_in(page, ".st-key-open-group")) == sorted(marked)

    choose_option(page, "map", "Neighbourhoods")
    page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?.layout?.uirevision?.endsWith('umap')",
        timeout=120_000,  # what is compiled for it lets everything else go first
    )
    assert sorted(wait_for_marks(page)) == sorted(marked)

    visitor = new_page()
    visitor.goto(page.url)
    visitor.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?.layout?.uirevision?.endsWith('umap')"
    )
    assert visitor.get_by_label("What are you").input_value() == QUESTION
    assert visitor.evaluate(TRACES) == page.evaluate(TRACES)
    assert sorted(wait_for_marks(visitor)) == sorted(marked)
    assert ids_in(visitor, ".st-key-open-group") == ids_in(page, ".st-key-open-group")
    coordinates = "() => document.querySelector('.js-plotly-plot').data.map(t => Array.from(t.x))"
    assert visitor.evaluate(coordinates) == page.evaluate(coordinates)


def test_marks_chosen_on_the_map_are_listed(new_page, app_url):
    page = new_page()
    ask(page, app_url)
    x, y = page.evaluate(PLACE, "peace-treaty:3#3")
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    page.locator(".hoverlayer .hovertext").first.wait_for()
    page.mouse.click(x, y)
    wait_for_address(page, "passage=")
    clicked = parse_qs(urlsplit(page.url).query)["passage"]
    assert len(clicked) == 1
    assert wait_for_marks(page) == clicked
    assert ids_in(page, ".st-key-chosen") == clicked

    titles = page.locator(".modebar-btn").evaluate_all("all => all.map(one => one.dataset.title)")
    # Not by Plotly's own names, which no other language has.
    assert titles == list(map_config()["locales"]["en"]["dictionary"].values())
    page.locator(".modebar-btn[data-attr=dragmode][data-val=select]").click()
    frame = page.locator(".js-plotly-plot .nsewdrag").bounding_box()
    page.mouse.move(frame["x"] + 4, frame["y"] + 60)
    page.mouse.down()
    page.mouse.move(frame["x"] + 50, frame["y"] + 300, steps=4)
    page.mouse.move(frame["x"] + frame["width"] - 4, frame["y"] + frame["height"] - 4, steps=4)
    page.mouse.up()
    page.wait_for_function("() => (location.search.match(/passage=/g) || []).length > 1")
    wait_for_map(page)
    boxed = parse_qs(urlsplit(page.url).query)["passage"]
    assert sorted(wait_for_marks(page)) == sorted(boxed)
    assert sorted(ids_in(page, ".st-key-chosen")) == sorted(boxed)

    page.locator(".st-key-clear button").click()
    page.wait_for_function("() => !location.search.includes('passage=')")
    wait_for_map(page)
    assert MARKED_TRACE not in page.evaluate(TRACES)


def test_quick_changes_are_all_kept_and_the_back_button_works(new_page, app_url):
    page = new_page()
    ask(page, app_url)
    for name in ("with parts", "parts of parts", "Groups"):
        choose_option(page, "levels", name)
    page.locator(".st-key-group-1 button").click()
    page.locator(".st-key-group-2 button").click()
    wait_for_address(page, "group=2")
    assert "levels=" not in page.url
    assert "q=the+American+war" in page.url
    page.locator(".st-key-group-0 button").click()
    wait_for_address(page, "group=0")
    page.go_back()
    wait_for_address(page, "group=2")
    page.locator(".st-key-open-group .sc-mark-2").wait_for()


def test_groups_and_passages_are_reached_by_keyboard(new_page, app_url):
    page = new_page()
    ask(page, app_url)
    tab_to(page, page.locator(".st-key-group-0 button"))
    page.keyboard.press("Enter")
    wait_for_address(page, "group=0")
    assert page.locator(".st-key-group-0 button:focus").count() == 1
    summary = page.locator(".st-key-open-group li summary").first
    tab_to(page, summary)
    page.keyboard.press("Enter")
    assert page.locator(".st-key-open-group li > details[open]").count() == 1
    press(page, page.locator(".st-key-refine-open button").first)
    page.locator(".st-key-refine").wait_for()
    press(page, page.locator(".st-key-listing button").first, "ArrowRight", "ArrowRight", "Space")
    wait_for_address(page, "list=table")
    page.get_by_test_id("stDataFrame").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out_and_labels_lie_apart(new_page, app_url, width, scheme):
    page = new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(app_url + START)
    wait_for_map(page)
    assert page.evaluate(WIDTH) <= width
    boxes = page.evaluate(LABELS)
    assert len(boxes) >= 3
    frame = page.locator(".js-plotly-plot").bounding_box()
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= frame["x"] - 1
        assert right <= frame["x"] + frame["width"] + 1
        for other in boxes[:number]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart


def test_nothing_is_asked_of_other_hosts(new_page, app_url):
    page = new_page()
    ask(page, app_url)
    page.locator(".st-key-group-0 button").click()
    wait_for_address(page, "group=0")
    choose_option(page, "listing", "Table")
    wait_for_address(page, "list=table")
    hosts = {
        urlsplit(url).hostname
        for url in page.requests
        if urlsplit(url).scheme not in {"data", "blob"}
    }
    assert hosts == {"127.0.0.1"}
