"""Explore in the states that people bring it into: axe, the Tab key, the language, the names."""

import json
import re

import pytest
from explore_walk import (
    DIALOG,
    address,
    begin_to_correct,
    groups_of,
    ids_in,
    marks_of,
    names_of,
    open_at,
    open_correcting,
    open_dialog,
    press,
    settle,
    wait_for_address,
)
from keyboard_walk import tab_to, walk
from test_accessibility_in_browser import SETTLED, grave_violations

START = "/?method=qs3m&groups=4&q=the+American+war"
CHOSEN = "&passage=peace-treaty%3A1%231&passage=stamp-act%3A1%231"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_any_state_of_explore(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    found = {}

    def look(state):
        settle(page)
        if grave := grave_violations(page):
            found[state] = grave

    open_at(page, app_url + START + CHOSEN)
    look("passages chosen")
    page.locator(".st-key-refine-open button").first.click()
    look("options")
    begin_to_correct(page)
    look("tools")
    for key in ("correct-separate", "correct-choose"):
        open_dialog(page, key)
        look(key)
        page.keyboard.press("Escape")
    page.locator(".st-key-correct-unsure button").first.click()
    page.locator(".sc-corrected", has_text="as unsure").wait_for()
    for key in ("save", "correct-keep", "how-many", "take-away", "take-sessions", "about"):
        open_dialog(page, key)
        look(key)
        page.keyboard.press("Escape")
    page.locator(".st-key-correct-move button").first.click()
    page.wait_for_timeout(400)
    look("menu")
    page.keyboard.press("Escape")

    open_at(page, app_url + START + "&group=1&levels=3")
    look("group with parts of parts")
    open_at(page, app_url + START + "&list=hits")
    page.locator(".st-key-list-hits [data-why]").first.click()
    page.locator(f"{DIALOG} .sc-why-text[data-marked]").wait_for()
    look("why")
    open_at(page, app_url + START + "&list=table")
    look("table")
    page.goto(f"{app_url}/?q=amphibians&library=nowhere")
    page.get_by_role("alert").wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_of_explore_is_reached_named_and_seen_by_keyboard(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_correcting(page, app_url + START + CHOSEN)
    page.locator(".st-key-refine-open button").first.click()
    settle(page)
    stops, missed = walk(page)
    assert missed == []
    assert len(stops) > 30
    assert [stop.html for stop in stops if not stop.name and stop.role != "main"] == []
    # The box of a slider is as wide as its track, and the ring is around its thumb.
    enough = {"slider": 100}
    assert [s for s in stops if s.changed < enough.get(s.role, s.perimeter)] == []


def test_why_tells_fit_next_group_and_neighbours_and_gives_the_focus_back(new_page, app_url):
    page = new_page()
    groups = open_at(page, app_url + START)
    names = names_of(page)
    open_dialog(page, "take-away")
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON", exact=True).click()
    told = json.loads(download.value.path().read_text("utf-8"))
    page.keyboard.press("Escape")
    (group,) = [one for one in told["subtopics"] if one["id"] == 1]
    page.locator(".st-key-group-1 button").click()
    wait_for_address(page, "group=1")
    asked = page.locator(".st-key-open-group [data-why]").nth(1)
    id_ = asked.get_attribute("data-why")
    (passage,) = [one for one in group["passages"] if one["id"] == id_]
    press(page, asked)
    page.locator(f"{DIALOG} .sc-why-text[data-marked]").wait_for()
    page.wait_for_function(SETTLED)
    sentences = page.locator(f"{DIALOG} .sc-why-told p").all_inner_texts()
    fit = re.fullmatch(
        r"It is in “(.+)”, and its fit is ([-−]?\d\.\d\d), from −1 to 1\.", sentences[0]
    )
    assert fit.group(1) == names[1] == group["name"]
    assert float(fit.group(2).replace("−", "-")) == pytest.approx(passage["strength"], abs=0.0051)
    next_one = re.search(r"The next group is “(.+?)”: ", " ".join(sentences))
    assert next_one.group(1) in set(names.values()) - {names[1]}
    for kind in ("with", "without"):
        column = page.locator(f"{DIALOG} [data-near={kind}]").locator(
            "xpath=ancestor::*[@data-testid='stColumn']"
        )
        near = column.locator("li").evaluate_all("all => all.map(one => one.dataset.passage)")
        likeness = [
            float(text.replace("likeness ", "").replace("−", "-"))
            for text in column.locator(".sc-group", has_text="likeness").all_inner_texts()
        ]
        assert len(set(near)) == 5 and id_ not in near
        assert likeness == sorted(likeness, reverse=True)
        assert set(near) <= set.union(*groups.values())
    text = page.locator(f"{DIALOG} .sc-why-text").inner_text()
    marked = page.locator(f"{DIALOG} .sc-why-text :is(mark, .sc-counts)").all_inner_texts()
    assert marked and all(one in text for one in marked) and len(marked[0]) < len(text)

    # The Tab key stays in the dialog, and Escape gives the focus back to the button.
    for _ in range(4):
        page.keyboard.press("Tab")
        assert page.evaluate(f"() => !!document.activeElement.closest('{DIALOG}')")
    page.keyboard.press("Escape")
    page.locator(DIALOG).wait_for(state="detached")
    page.wait_for_function("id => document.activeElement?.dataset?.why === id", arg=id_)


def test_names_are_unique_found_in_two_passages_and_told_with_the_quality(new_page, app_url):
    page = new_page()
    groups = open_at(page, app_url + START.replace("qs3m", "tfidf"))
    names = names_of(page)
    assert len(set(names.values())) == len(names) == 4
    for number, name in names.items():
        card = page.locator(f".st-key-card-group-{number}")
        assert card.locator("button").first.inner_text() == name
        assert card.locator(".sc-about mark").count() >= 1
        card.locator("button").first.click()
        wait_for_address(page, f"group={number}")
        assert set(ids_in(page, ".st-key-open-group")) == groups[number]
        page.locator(f".st-key-quality-{number} summary").click()
        facts = page.locator(f".st-key-quality-{number} [data-testid=stExpanderDetails] p").first
        facts.wait_for()
        tight, stable, support = facts.inner_text().split(" · ")
        assert re.fullmatch(r"(tight|fairly tight|loose) \([-−]?\d\.\d\d\)", tight)
        assert re.fullmatch(r"(stable|fairly stable|unstable) \(\d\.\d\d\)", stable)
        bearing, of = map(int, re.findall(r"\d+", support))
        assert 2 <= bearing <= of == len(groups[number])


def test_another_language_changes_words_and_nothing_else(new_page, app_url):
    page = new_page()
    open_at(page, app_url + START + "&group=1&top=100")
    before = marks_of(page)
    page.locator(".st-key-language-switch button", has_text="DE").click()
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    wait_for_address(page, "lang=de")
    page.get_by_role("button", name="Verfeinern").wait_for()
    assert marks_of(page) == before
    assert address(page)["group"] == ["1"] and address(page)["q"] == ["the American war"]
    page.locator(".st-key-group-2 button").click()
    wait_for_address(page, "group=2")
    assert address(page)["method"] == ["qs3m"] and address(page)["top"] == ["100"]
    visitor = new_page()
    open_at(visitor, page.url)
    visitor.wait_for_function("() => document.documentElement.lang === 'de'")
    assert groups_of(visitor) == groups_of(page)


def test_the_page_keeps_its_place_and_its_focus(new_page, app_url):
    page = new_page(viewport={"width": 1280, "height": 640})
    open_at(page, app_url + START)
    button = page.locator(".st-key-group-2 button")
    tab_to(page, button)
    settle(page)
    top = button.bounding_box()["y"]
    page.keyboard.press("Enter")
    wait_for_address(page, "group=2")
    assert page.locator(".st-key-group-2 button:focus").count() == 1
    assert abs(button.bounding_box()["y"] - top) < 2
