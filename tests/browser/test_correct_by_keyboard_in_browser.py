"""Every correction by Tab, Enter and typing alone, and many at once with the lasso: ids checked."""

import re

from explore_walk import (
    DIALOG,
    MAP,
    address,
    groups_of,
    ids_in,
    marks_of,
    names_of,
    open_correcting,
    press,
    said,
    settle,
    wait_for_address,
)
from keyboard_walk import tab_to

START = "/?method=tfidf&groups=4&q=the+American+war"
STAMPS = {f"stamp-act:{number}#{number}" for number in range(1, 13)}

# The entry of a menu that the arrow keys have come to.
ENTRY = """() => document.activeElement.matches('[role=menuitem]')
    ? document.activeElement.textContent : ''"""

# What is written behind the title of each passage of a list, where somebody judged it.
JUDGED = """() => Object.fromEntries([...document.querySelectorAll('li[data-passage]')].map(
    item => [item.dataset.passage, getComputedStyle(
        item.querySelector('summary > :first-child'), '::after').content]))"""


def button(page, key):
    return page.locator(f".st-key-{key} button").first


def fill_in(page, key, text):
    """Open a dialog with Enter, type into its first field, which has the focus."""
    press(page, button(page, key))
    page.wait_for_function("() => document.activeElement.matches('[role=dialog] input')")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def has_focus(page, key):
    """Wait until the dialog is closed and its button has the focus again."""
    page.locator(DIALOG).wait_for(state="detached")
    page.locator(f".st-key-{key} button:focus").wait_for()


def choose(page, *wanted):
    """Choose passages by a word of each, each by the space bar."""
    press(page, button(page, "correct-choose"))
    field = page.locator(f"{DIALOG} input[type=text]")
    field.and_(page.locator(":focus")).wait_for()
    for word, title, n_found in wanted:
        press(page, field, "Control+a")
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        told = page.locator(f"{DIALOG} [role=status]", has_text=f"“{word}”")
        told.filter(has_text=re.compile(rf"^{n_found} passages? hold")).wait_for()
        box = page.get_by_role("checkbox", name=re.compile(re.escape(title)))
        assert word in box.first.locator("xpath=ancestor::label").inner_text().lower()
        press(page, box, "Space")
        page.wait_for_function("() => document.activeElement.matches('input:checked')")
    take = re.compile(rf"^Choose {len(wanted)} passages?$")
    press(page, page.get_by_role("button", name=take))
    has_focus(page, "correct-choose")
    wait_for_address(page, "passage=")
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
    before = open_correcting(page, app_url + START)
    names = names_of(page)
    ids = choose(page, ("spring", "Peace treaty", 4), ("trouble", "Peace treaty", 4))
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
    said(page, "Removed the mark from 2 passages")
    assert not any("unsure" in words for words in page.evaluate(JUDGED).values())

    fill_in(page, "correct-separate", "Two treaties")
    has_focus(page, "correct-separate")
    made = said(page, "Grouped 2 passages as “Two treaties”")
    (new,) = set(made) - set(moved)
    assert made == without(moved, ids) | {new: set(ids)}
    assert names_of(page)[new] == "Two treaties"
    # What was not touched keeps number, name and place.
    assert {n: name for n, name in names_of(page).items() if n != new} == names

    take_from_menu(page, "correct-move", "Other passages")
    away = said(page, "Sent 2 passages to the other passages")
    assert away == without(made, ids) | {-1: set(ids)}
    assert set(ids_in(page, ".st-key-chosen")) == set(ids)

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


def test_the_focus_returns_from_choosing_passages_and_stays_once_the_page_is_drawn(
    new_page, app_url
):
    page = new_page()
    open_correcting(page, app_url + START)
    for take in (True, False):
        if take:
            choose(page, ("spring", "Peace treaty", 4))
        else:
            press(page, button(page, "correct-choose"))
            page.locator(f"{DIALOG} input[type=text]:focus").wait_for()
            page.keyboard.press("Escape")
        # The page is drawn anew once the dialog has closed, with another button in its place.
        page.locator(DIALOG).wait_for(state="detached")
        settle(page)
        page.wait_for_timeout(1000)
        settle(page)
        assert page.locator(".st-key-correct-choose button:focus").count() == 1


def test_a_whole_group_is_accepted_named_merged_and_split_by_keyboard(new_page, app_url):
    page = new_page()
    before = open_correcting(page, app_url + START)
    names = names_of(page)
    mine = home_of(before, "stamp-act:1#1")
    press(page, button(page, f"group-{mine}"))
    wait_for_address(page, f"group={mine}")
    press(page, button(page, "correct-accepted"))
    assert said(page, f"Accepted {len(before[mine])} passages") == before
    shown = page.evaluate(JUDGED)
    assert {id_ for id_, words in shown.items() if "accepted" in words} == before[mine]

    other = next(number for number in before if number not in (mine, -1))
    fill_in(page, "correct-rename", names[other])
    page.locator(DIALOG).get_by_role("alert").wait_for()  # another group has this name
    page.keyboard.press("Escape")
    has_focus(page, "correct-rename")
    fill_in(page, "correct-rename", "Taxes")
    has_focus(page, "correct-rename")
    assert said(page, "to “Taxes”") == before
    assert names_of(page) == names | {mine: "Taxes"}

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


def test_a_passage_is_moved_from_its_list_with_two_keys_and_the_focus_stays(new_page, app_url):
    page = new_page()
    before = open_correcting(page, app_url + START)
    source, target = sorted(number for number in before if number >= 0)[:2]
    press(page, button(page, f"group-{source}"))
    wait_for_address(page, f"group={source}")
    movers = page.locator(".st-key-open-group [data-move]")
    tab_to(page, movers.nth(1))
    (moved, after_it) = (movers.nth(n).get_attribute("data-move") for n in (1, 2))
    page.keyboard.press("Enter")
    page.locator(f"{DIALOG} [data-of='{moved}']").wait_for()
    press(page, page.locator(f"{DIALOG} .st-key-move-to-group-{target} button"))
    now = said(page, "Moved 1 passage to")
    assert now == without(before, [moved]) | {target: before[target] | {moved}}
    # The focus is where the passage was: the next one can be moved at once.
    page.wait_for_function("id => document.activeElement?.dataset?.move === id", arg=after_it)
    page.keyboard.press("Enter")
    page.locator(f"{DIALOG} [data-of='{after_it}']").wait_for()
    field = page.get_by_role("textbox", name="Or a new group of this name")
    press(page, field)
    said(page, "Grouped 1 passage as")
    page.locator(DIALOG).wait_for(state="detached")
    press(page, button(page, "undo"))
    said(page, "Undone: Grouped 1 passage")
    press(page, button(page, "undo"))
    assert said(page, "Undone: Moved 1 passage to") == before


def test_a_passage_goes_to_the_other_passages_with_two_clicks(new_page, app_url):
    page = new_page()
    before = open_correcting(page, app_url + START + "&list=hits")
    id_ = "peace-treaty:3#3"
    page.locator(f".st-key-list-hits [data-move='{id_}']").click()
    page.locator(f"{DIALOG} .st-key-move-to-group-other button").click()
    assert said(page, "Sent 1 passage to ") == without(before, [id_]) | {-1: {id_}}


def test_a_lasso_around_many_moves_them_all(new_page, app_url):
    page = new_page()
    before = open_correcting(page, app_url + START)
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
