"""Every correction without a mouse, and many passages at once with the lasso: ids checked."""

import pytest
from explore_walk import (
    MAP,
    address,
    groups_of,
    ids_in,
    marks_of,
    names_of,
    open_at,
    press,
    said,
    settle,
    wait_for_address,
)

pytestmark = pytest.mark.browser

START = "/?method=tfidf&groups=4&q=the+American+war"
STAMPS = {f"stamp-act:{number}#{number}" for number in range(1, 13)}

# The option that the arrow keys have come to.
ACTIVE = """() => document.getElementById(
    document.activeElement.getAttribute('aria-activedescendant'))?.textContent || ''"""

# The entry of a menu that the arrow keys have come to.
ENTRY = """() => document.activeElement.matches('[role=menuitem]')
    ? document.activeElement.textContent : ''"""

# What is written behind the title of each passage of a list, where somebody judged it.
JUDGED = """() => Object.fromEntries([...document.querySelectorAll('li[data-passage]')].map(
    item => [item.dataset.passage, getComputedStyle(
        item.querySelector('summary > :first-child'), '::after').content]))"""


def button(page, key):
    return page.locator(f".st-key-{key} button").first


def choose(page, *wanted):
    """Choose passages by a word of each and the arrow key, and close the list again."""
    press(page, button(page, "correct-choose"))
    field = page.get_by_role("combobox", name="Passages, found by typing a word of them")
    field.wait_for()
    for number, (word, title) in enumerate(wanted, start=1):
        field.focus()
        page.keyboard.type(word)
        page.get_by_role("option").first.wait_for()
        for _ in range(6):
            if title in page.evaluate(ACTIVE):
                break
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "n => (location.search.match(/passage=/g) || []).length === n", arg=number
        )
        settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")
    return address(page)["passage"]


def take_from_menu(page, key, part):
    """Open a menu with Enter, and go to an entry with the arrow key, around if need be."""
    settle(page)
    press(page, button(page, key))
    page.get_by_role("menuitem").filter(has_text=part).first.wait_for()
    for _ in range(40):
        if part in page.evaluate(ENTRY):
            break
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(50)  # the focus follows the key a little later
    assert part in page.evaluate(ENTRY)
    page.keyboard.press("Enter")


def without(groups, ids):
    left = {number: members - set(ids) for number, members in groups.items()}
    return {number: members for number, members in left.items() if members}


def home_of(groups, id_):
    return next(number for number, ids in groups.items() if id_ in ids)


def test_chosen_passages_are_moved_judged_and_made_a_group_by_keyboard(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url + START)
    names = names_of(page)
    ids = choose(page, ("spring", "Peace treaty"), ("trouble", "Peace treaty"))
    assert sorted(ids) == ["peace-treaty:1#1", "peace-treaty:3#3"]
    assert sorted(ids_in(page, ".st-key-chosen")) == sorted(ids)
    target = home_of(before, "stamp-act:1#1")
    take_from_menu(page, "correct-move", names[target])
    moved = said(page, "Moved 2 passages to")
    assert moved == without(before, ids) | {target: before[target] | set(ids)}

    press(page, button(page, "correct-unsure"))
    assert said(page, "Marked 2 passages as unsure") == moved
    shown = page.evaluate(JUDGED)
    assert {id_ for id_, words in shown.items() if "unsure" in words} == set(ids)
    press(page, button(page, "correct-none"))
    said(page, "Took the mark back from 2 passages")
    assert not any("unsure" in words for words in page.evaluate(JUDGED).values())

    press(page, button(page, "correct-separate"))
    field = page.get_by_role("textbox", name="Name of the new group")
    field.wait_for()
    field.focus()
    page.keyboard.type("Two treaties")
    page.keyboard.press("Enter")
    made = said(page, "Made 2 passages the group “Two treaties”")
    (new,) = set(made) - set(moved)
    assert made == without(moved, ids) | {new: set(ids)}
    assert names_of(page)[new] == "Two treaties"
    # What was not touched keeps number, name and place.
    assert {n: name for n, name in names_of(page).items() if n != new} == names

    take_from_menu(page, "correct-move", "Other passages")
    away = said(page, "Sent 2 passages to the other passages")
    assert away == without(made, ids) | {-1: set(ids)}
    facts = page.locator(".st-key-card-group-other .sc-facts").inner_text()
    assert facts == "2 passages put here by hand"

    for state in (made, moved, moved, moved, before):
        press(page, button(page, "undo"))
        settle(page)
        page.wait_for_timeout(300)
        settle(page)
        assert groups_of(page) == state
    assert button(page, "undo").is_disabled()
    for state in (moved, moved, moved, made, away):
        press(page, button(page, "redo"))
        settle(page)
        page.wait_for_timeout(300)
        settle(page)
        assert groups_of(page) == state
    assert button(page, "redo").is_disabled()


def test_a_whole_group_is_accepted_named_merged_and_split_by_keyboard(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url + START)
    names = names_of(page)
    mine = home_of(before, "stamp-act:1#1")
    press(page, button(page, f"group-{mine}"))
    wait_for_address(page, f"group={mine}")
    press(page, button(page, "correct-accepted"))
    assert said(page, f"Accepted {len(before[mine])} passages") == before
    shown = page.evaluate(JUDGED)
    assert {id_ for id_, words in shown.items() if "accepted" in words} == before[mine]

    press(page, button(page, "correct-rename"))
    field = page.get_by_role("textbox", name="Name of the group")
    field.wait_for()
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Taxes")
    page.keyboard.press("Enter")
    assert said(page, "the name “Taxes”") == before
    assert names_of(page) == names | {mine: "Taxes"}

    other = next(number for number in before if number not in (mine, -1))
    take_from_menu(page, "correct-merge", names[other])
    merged = said(page, "Merged “Taxes” into")
    left = without(before, before[mine])
    assert merged == left | {other: before[other] | before[mine]}
    wait_for_address(page, f"group={other}")

    take_from_menu(page, "correct-split", "in two")
    split = said(page, "Split “")
    (new,) = set(split) - set(merged)
    assert split[other] | split[new] == merged[other]
    assert without(split, merged[other]) == without(merged, merged[other])


def test_a_lasso_around_many_moves_them_all(new_page, app_url):
    page = new_page()
    before = open_at(page, app_url + START)
    names = names_of(page)
    source = home_of(before, "winter-quarters:1#1")
    target = next(number for number in sorted(before) if number not in (source, -1))
    page.locator(f"{MAP} .modebar-btn[data-attr=dragmode][data-val=lasso]").click()
    frame = page.locator(f"{MAP} .nsewdrag").bounding_box()
    corners = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.5), (0.02, 0.5), (0.02, 0.03)]
    x, y = (frame["x"] + frame["width"] * corners[0][0], frame["y"] + frame["height"] * 0.02)
    page.mouse.move(x, y)
    page.mouse.down()
    for across, down in corners[1:]:
        page.mouse.move(
            frame["x"] + frame["width"] * across, frame["y"] + frame["height"] * down, steps=8
        )
    page.mouse.up()
    page.wait_for_function("() => (location.search.match(/passage=/g) || []).length > 1")
    settle(page)
    chosen = set(address(page)["passage"])
    heights = {mark.id: mark.y for mark in marks_of(page)}
    inside, outside = chosen, set(heights) - chosen
    assert 1 < len(chosen) < 48
    assert min(heights[id_] for id_ in inside) > max(heights[id_] for id_ in outside)
    assert set(ids_in(page, ".st-key-chosen")) == chosen

    button(page, "correct-move").click()
    page.get_by_role("menuitem").filter(has_text=names[target]).click()
    after = said(page, f"Moved {len(chosen - before[target])} passages to")
    assert after == without(before, chosen) | {target: before[target] | chosen}
    assert source in before
