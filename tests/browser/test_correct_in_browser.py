"""Corrections on the page in a browser, with the ids that each leaves where."""

import re

import pytest
from explore_walk import begin_to_correct, choose_option
from test_explore_in_browser import PLACE, TRACES, ids_in, wait_for_address, wait_for_map

from subclust.figures.scatter import MARKED_TRACE

START = "/?method=tfidf&groups=4&q=the+American+war"


def open_at(page, app_url, *, group=None):
    page.goto(app_url + START + (f"&group={group}" if group is not None else ""))
    wait_for_map(page)
    begin_to_correct(page)
    return groups_of(page)


def groups_of(page):
    """Give {name: ids} as the map has them."""
    return {name: set(ids) for name, ids in page.evaluate(TRACES).items() if name != MARKED_TRACE}


def said(page, sentence):
    """Wait until the page says what was done, and give the groups after it."""
    page.locator(".sc-corrected", has_text=re.compile(sentence)).wait_for()
    wait_for_map(page)
    return groups_of(page)


def group_with(groups, id):
    return next(name for name, ids in groups.items() if id in ids)


def choose_from_menu(page, key, part):
    page.locator(f".st-key-{key} button").first.click()
    page.get_by_role("menuitem").or_(page.get_by_role("option")).filter(has_text=part).first.click()


def without(groups, ids):
    return {name: members - set(ids) for name, members in groups.items()}


def test_passages_chosen_on_the_map_move_and_move_back(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url)
    x, y = page.evaluate(PLACE, "peace-treaty:3#3")
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    page.locator(".hoverlayer .hovertext").first.wait_for()
    page.mouse.click(x, y)
    wait_for_address(page, "passage=")
    target = group_with(before, "stamp-act:1#1")
    choose_from_menu(page, "correct-move", target)
    after = said(page, "Moved 1 passage to")
    assert after == without(before, ["peace-treaty:3#3"]) | {
        target: before[target] | {"peace-treaty:3#3"}
    }
    assert ids_in(page, ".st-key-chosen") == ["peace-treaty:3#3"]
    page.locator(".st-key-undo button").first.click()
    assert said(page, "Undone: Moved 1 passage") == before
    page.locator(".st-key-redo button").first.click()
    assert said(page, "Redone: Moved 1 passage") == after


def test_many_rows_of_the_table_go_to_the_other_passages(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url)
    choose_option(page, "listing", "Table")
    wait_for_address(page, "list=table")
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    grid.wait_for()
    grid.evaluate("one => one.scrollIntoView({block: 'center'})")
    for row in range(3):
        box = grid.bounding_box()
        page.mouse.click(box["x"] + 15, box["y"] + 52 + 35 * row)
        page.wait_for_function(
            f"() => (location.search.match(/passage=/g) || []).length === {row + 1}"
        )
        wait_for_map(page)
    page.wait_for_function("() => (location.search.match(/passage=/g) || []).length === 3")
    wait_for_map(page)
    chosen = page.evaluate("() => new URLSearchParams(location.search).getAll('passage')")
    choose_from_menu(page, "correct-move", "Other passages")
    after = said(page, "Sent 3 passages to the other passages")
    assert after == without(before, chosen) | {"Other passages": set(chosen)}


@pytest.mark.main_way
def test_groups_merge_split_and_get_names(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url, group=0)
    names = list(before)
    mine = page.locator(".st-key-group-0 button").inner_text()
    other = next(name for name in names if name != mine)
    choose_from_menu(page, "correct-merge", other)
    after = said(page, "Merged “")
    merged = {name: ids for name, ids in before.items() if name != mine}
    assert after == merged | {other: before[other] | before[mine]}
    assert "groups=4" in page.url

    choose_from_menu(page, "correct-split", "in two")
    split = said(page, "Split “")
    assert len(split) == len(after) + 1
    parts = [ids for name, ids in split.items() if name not in after or ids != after[name]]
    assert {frozenset(ids) for ids in parts} == {frozenset(before[mine]), frozenset(before[other])}
    assert {name: split[name] for name in merged if name != other} == {
        name: before[name] for name in merged if name != other
    }

    page.locator(".st-key-correct-rename button").first.click()
    field = page.get_by_role("textbox", name="Name of the group")
    field.fill("A name of my own")
    field.press("Enter")
    renamed = said(page, "to “A name of my own”")
    assert renamed["A name of my own"] in parts

    page.locator(".st-key-correct-rename button").first.click()
    proposed = page.locator("[class*=st-key-correct-other-] button").first
    name = proposed.inner_text()
    proposed.click()
    page.wait_for_function(
        "([name]) => document.querySelector('[role=dialog] input').value === name", arg=[name]
    )
    field.press("Enter")
    assert said(page, f"to “{name}”")[name] in parts
    for _ in range(4):
        page.locator(".st-key-undo button").first.click()
        page.wait_for_timeout(700)
    said(page, "Undone: Merged")
    assert groups_of(page) == before
    assert page.locator(".st-key-undo button").first.is_disabled()
