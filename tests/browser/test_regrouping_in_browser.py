"""Keep hits, dig, levels and the slider, as a visitor does them."""

from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

START = "/?method=qs3m&groups=4&q=the+Stamp+Act"

# Of each passage on the map its group and the place of its mark.
MARKS = """() => Object.fromEntries(document.querySelector('.js-plotly-plot').data.flatMap(
    trace => (trace.customdata || []).map(
        (row, at) => [row[0], [row[1], Array.from(trace.x)[at], Array.from(trace.y)[at]]])))"""

WATCH = """() => { window.seen = []; const tick = () => {
    const mark = document.querySelector('.scatterlayer .trace:last-child .points path');
    window.seen.push(mark && mark.getAttribute('transform')); requestAnimationFrame(tick); };
    tick(); }"""


def wait(page):
    page.wait_for_timeout(400)
    page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis"
        " && !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )


def wait_for(page, condition):
    page.wait_for_function(f"() => {condition}")
    wait(page)


def address(page):
    return parse_qs(urlsplit(page.url).query)


def groups_on_map(page):
    groups = {}
    for passage, (group, *_) in page.evaluate(MARKS).items():
        groups.setdefault(group, set()).add(passage)
    return groups


def open_at(page, url):
    page.goto(url)
    wait(page)


def ask(page, question):
    box = page.get_by_label("What are you looking for?")
    box.fill(question)
    box.press("Enter")


def test_hits_are_kept_and_move_to_their_places_under_another_question(new_page, app_url):
    page = new_page()
    open_at(page, app_url + START)
    hits = set(page.evaluate(MARKS))
    page.get_by_text("Keep these hits").click()
    wait_for(page, "location.search.includes('hits=')")
    ask(page, "snow at Valley Forge")
    wait_for(page, "location.search.includes('q=snow')")
    assert address(page)["hits"] == ["the Stamp Act"]
    now = page.evaluate(MARKS)
    assert set(now) == hits
    page.evaluate(WATCH)
    page.get_by_text("Before", exact=True).click()
    wait_for(page, "location.search.includes('shown=before')")
    page.wait_for_timeout(1500)
    before = page.evaluate(MARKS)
    assert set(before) == hits
    assert before != now
    assert page.evaluate("new Set(window.seen).size") > 3  # on its way, not only there
    page.get_by_text("Which passages moved").click()
    page.locator(".st-key-kept").get_by_test_id("stDataFrame").wait_for()
    page.go_back()
    wait_for(page, "!location.search.includes('shown=')")
    assert page.evaluate(MARKS) == now
    page.get_by_role("button", name="Back to").click()
    wait_for(page, "!location.search.includes('hits=')")
    assert address(page)["q"] == ["the Stamp Act"]
    assert set(page.evaluate(MARKS)) == hits


def test_marks_are_in_place_at_once_where_no_motion_is_wanted(new_page, app_url):
    page = new_page(reduced_motion="reduce")
    open_at(page, app_url + "/?method=qs3m&groups=4&q=snow&hits=the+Stamp+Act")
    wait_for(page, "document.querySelector('.js-plotly-plot').layout.transition?.duration === 0")
    visitor = new_page()
    open_at(visitor, page.url)
    duration = "document.querySelector('.js-plotly-plot').layout.transition.duration"
    assert visitor.evaluate(duration) > 0
    assert visitor.evaluate(MARKS) == page.evaluate(MARKS)


def test_a_group_is_dug_into_by_keyboard_and_the_breadcrumb_leads_back(new_page, app_url):
    page = new_page()
    open_at(page, app_url + START + "&group=1")
    groups = groups_on_map(page)
    page.get_by_role("button", name="Group these alone").focus()
    page.keyboard.press("Enter")
    wait_for(page, "location.search.includes('dig=')")
    assert set(page.evaluate(MARKS)) == groups[1]
    again = new_page()
    open_at(again, page.url)
    assert groups_on_map(again) == groups_on_map(page)
    page.locator(".st-key-trail-0 button").focus()
    page.keyboard.press("Enter")
    wait_for(page, "!location.search.includes('dig=')")
    assert groups_on_map(page) == groups
    page.go_back()
    wait_for(page, "location.search.includes('dig=')")
    assert set(page.evaluate(MARKS)) == groups[1]


def test_parts_in_the_list_are_the_parts_on_the_map(new_page, app_url):
    page = new_page()
    open_at(page, app_url + "/?method=tfidf&groups=2&q=the+American+war&levels=2")
    groups = groups_on_map(page)
    for card in page.locator("[class*='st-key-card-group-']:has(ul.sc-parts)").all():
        listed = card.locator("ul.sc-parts li[data-passage]").evaluate_all(
            "items => items.map(item => item.dataset.passage)"
        )
        assert set(listed) in groups.values()
    outlines = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').data.filter("
        "trace => trace.name.startsWith('Parts of group')).length"
    )
    assert outlines == page.locator("ul.sc-parts").count() > 0


def test_the_slider_changes_one_group_and_the_page_keeps_its_place(new_page, app_url):
    page = new_page(viewport={"width": 1280, "height": 500})
    open_at(page, app_url + "/?method=tfidf&groups=5&q=the+American+war")
    before = groups_on_map(page)
    slider = page.get_by_role("slider", name="Number of groups")
    slider.focus()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 120)")
    page.wait_for_timeout(300)
    place = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    page.keyboard.press("ArrowRight")
    wait_for(page, "location.search.includes('groups=6')")
    after = groups_on_map(page)
    same = {group for group in after if before.get(group) == after[group]}
    assert len(after) == 6 and len(same) == 4
    now = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    assert abs(now - place) <= 2
    assert page.evaluate("document.activeElement.getAttribute('role')") == "slider"


def test_the_stable_number_is_told_and_taken(new_page, app_url):
    page = new_page()
    open_at(page, app_url + "/?method=tfidf&q=the+American+war&groups=7")
    page.get_by_role("button", name="How many groups?").click()
    take = page.locator(".st-key-take-suggested button")
    take.wait_for()
    wanted = take.inner_text().split()[1]
    take.click()
    wait_for(page, f"location.search.includes('groups={wanted}')")
    assert len([group for group in groups_on_map(page) if group >= 0]) == int(wanted)
