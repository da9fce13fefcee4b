"""Into a group and back, parts of groups, and how many groups: with the ids in each."""

import re

from explore_walk import (
    address,
    choose_option,
    groups_of,
    marks_of,
    names_of,
    open_at,
    open_dialog,
    press,
    settle,
    table_in,
    wait_for_address,
    wait_without,
)

START = "/?method=tfidf&groups=4&q=the+American+war"

# Of the card of a group: {number of a part: ids that stand under it, its own parts' among them}.
PARTS = """card => Object.fromEntries([...card.querySelectorAll('li[data-part]')].map(
    part => [part.dataset.part, [...part.querySelectorAll('li[data-passage]')].map(
        one => one.dataset.passage)]))"""


def card_of(page, group):
    return page.locator(f".st-key-card-group-{group}")


def test_a_group_is_grouped_alone_and_the_breadcrumb_leads_back_by_keyboard(new_page, app_url):
    page = new_page()
    first = open_at(page, app_url + START)
    name = names_of(page)[1]
    press(page, page.locator(".st-key-group-1 button"))
    wait_for_address(page, "group=1")
    press(page, page.locator(".st-key-dig-into button").first)
    wait_for_address(page, "dig=")
    inside = groups_of(page)
    assert set.union(*inside.values()) == first[1]
    assert f"in {len(first[1])} passages" in page.locator("h2.sc-headline").inner_text()
    assert "groups=" not in page.url
    trail = page.locator(".st-key-trail")
    assert trail.locator("button:visible").all_inner_texts() == ["the American war"]
    assert trail.inner_text().split("\n")[-1] == name

    # One step further in, by the mouse, and what a visitor of that address sees.
    deeper = next(group for group, ids in inside.items() if group >= 0 and len(ids) >= 4)
    page.locator(f".st-key-group-{deeper} button").click()
    wait_for_address(page, f"group={deeper}")
    page.locator(".st-key-dig-into button").first.click()
    trail.locator("button:visible").nth(1).wait_for()
    settle(page)
    assert len(address(page)["dig"]) == 2
    assert set.union(*groups_of(page).values()) == inside[deeper]
    visitor = new_page()
    assert open_at(visitor, page.url) == groups_of(page)

    press(page, trail.locator("button:visible").nth(1))
    page.wait_for_function("() => location.search.split('dig=').length === 2")
    settle(page)
    assert groups_of(page) == inside
    press(page, trail.locator("button:visible").first)
    wait_without(page, "dig=")
    assert groups_of(page) == first
    assert address(page)["groups"] == ["4"] and trail.count() == 0


def test_a_name_is_added_to_the_question_and_the_breadcrumb_takes_it_away(new_page, app_url):
    page = new_page()
    first = open_at(page, app_url + START + "&group=2")
    name = names_of(page)[2]
    page.locator(".st-key-dig-name button").first.click()
    wait_for_address(page, "dig=")
    assert address(page)["q"] == [f"the American war {name}"]
    assert page.get_by_label("What are you").input_value() == address(page)["q"][0]
    page.locator(".st-key-trail button:visible").first.click()
    wait_without(page, "dig=")
    assert groups_of(page) == first


def test_parts_divide_their_group_on_two_and_three_levels(new_page, app_url):
    page = new_page()
    url = app_url + START.replace("groups=4", "groups=2")
    groups = open_at(page, url)
    choose_option(page, "levels", "with parts")
    wait_for_address(page, "levels=2")
    two = {group: card_of(page, group).evaluate(PARTS) for group in groups if group >= 0}
    for group, parts in two.items():
        ids = [id_ for part in parts.values() for id_ in part]
        assert sorted(ids) == sorted(groups[group])
        assert len(parts) > 1
        assert all(re.fullmatch(rf"{group + 1}\.\d+", number) for number in parts)
    assert groups_of(page) == groups

    choose_option(page, "levels", "parts of parts")
    wait_for_address(page, "levels=3")
    n_deeper = 0
    for group, parts in two.items():
        three = card_of(page, group).evaluate(PARTS)
        assert {number: sorted(ids) for number, ids in parts.items()} == {
            number: sorted(ids) for number, ids in three.items() if number.count(".") == 1
        }
        for number, ids in parts.items():
            inner = [three[one] for one in three if one.startswith(f"{number}.")]
            n_deeper += len(inner)
            assert not inner or sorted(sum(inner, [])) == sorted(ids)
    assert n_deeper > 0
    summary = card_of(page, 0).locator("li[data-part] summary").first
    press(page, summary)
    assert card_of(page, 0).locator("li[data-part] > details[open]").count() == 1

    choose_option(page, "levels", "Groups")
    wait_without(page, "levels=")
    assert page.locator("li[data-part]").count() == 0


def test_one_step_of_the_slider_splits_exactly_one_group(new_page, app_url):
    page = new_page()
    states = [open_at(page, app_url + START)]
    looks = [{mark.id: mark for mark in marks_of(page)}]
    page.locator(".st-key-refine-open button").first.click()
    slider = page.locator(".st-key-groups input")
    for number in (5, 6, 7):
        press(page, slider, "ArrowRight")
        wait_for_address(page, f"groups={number}")
        states.append(groups_of(page))
        looks.append({mark.id: mark for mark in marks_of(page)})
    assert [len([group for group in state if group >= 0]) for state in states] == [4, 5, 6, 7]
    for before, after, drawn, redrawn in zip(states, states[1:], looks, looks[1:], strict=False):
        (split,) = [group for group in before if before[group] != after.get(group)]
        (new,) = set(after) - set(before)
        assert after[split] | after[new] == before[split]
        assert len(after[split]) >= len(after[new])
        # All others keep number, colour, symbol and place.
        same = [mark for mark in drawn.values() if mark.id not in after[new]]
        assert all(redrawn[mark.id] == mark for mark in same)
    for number in (6, 5, 4):
        press(page, slider, "ArrowLeft")
        wait_for_address(page, f"groups={number}")
    assert groups_of(page) == states[0]


def test_the_number_that_the_curve_suggests_is_shown_with_one_click(new_page, app_url):
    page = new_page()
    open_at(page, app_url + START.replace("groups=4", "groups=9"))
    open_dialog(page, "how-many")
    button = page.locator(".st-key-take-suggested button").first
    suggested = int(re.search(r"\d+", button.inner_text()).group())
    # The curve and its table: the suggested number is the largest near the best.
    n_rows, lines = table_in(page, "[role=dialog]")
    curve = {int(number): float(value) for number, value in (line[-2:] for line in lines)}
    assert n_rows == 19 and suggested in range(2, 21)
    assert suggested not in curve or curve[suggested] >= max(curve.values()) - 0.06
    button.click()
    wait_for_address(page, f"groups={suggested}")
    assert len([group for group in groups_of(page) if group >= 0]) == suggested
