"""Keep these hits, change the question: the same ids, two maps, and who changed group."""

import re

import pytest
import small_library
from explore_walk import (
    MAP,
    address,
    choose_option,
    choose_row,
    groups_of,
    marks_of,
    open_at,
    parts_of,
    press,
    settle,
    table_in,
    wait_for_address,
    wait_without,
)
from served_app import served
from test_accessibility_in_browser import grave_violations

from subclust.checkpoints import CheckpointStore
from subclust.figures.moved import MILLISECONDS, PATHS_TRACE
from subclust.text.encoders import HashingEncoder

FIRST, OTHER = "the American war", "a tax on paper"
START = "/?method=centred-qs3m&groups=7&q=the+American+war"
PATHS = f"""() => document.querySelector('{MAP}').data
    .find(trace => trace.name === '{PATHS_TRACE}').x.filter(one => one === null).length"""


@pytest.fixture(scope="module")
def url(tmp_path_factory, random_checkpoint):
    """Serve the app with a model under which another question moves passages."""
    folder = tmp_path_factory.mktemp("kept-hits")
    small_library.build(folder, "demo")
    store, encoder = CheckpointStore(folder / "models"), HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store.save(random_checkpoint("centred-qs3m", "mine", **config))
    store.promote("centred-qs3m", "mine", as_default=True)
    with served(folder) as found:
        yield found


def keep_and_ask(page, question):
    choose_option(page, "keep", "Keep these hits")
    wait_for_address(page, "hits=")
    box = page.get_by_label("What are you looking for?")
    box.fill(question)
    box.press("Enter")
    page.locator(".sc-kept", has_text=f"grouped under “{question}”").wait_for()
    page.wait_for_timeout(MILLISECONDS + 200)  # the marks are on their way
    settle(page)


def show(page, side):
    page.locator(".st-key-side").get_by_text(side, exact=True).click()
    page.wait_for_timeout(MILLISECONDS + 200)
    settle(page)
    return {mark.id: mark for mark in marks_of(page)}


def test_the_same_hits_are_grouped_under_another_question(new_page, url):
    page = new_page()
    first = open_at(page, url + START)
    keep_and_ask(page, OTHER)
    assert address(page)["hits"] == [FIRST] and address(page)["q"] == [OTHER]
    told = page.locator(".sc-kept").inner_text()
    assert re.findall("“([^”]*)”", told) == [FIRST, OTHER] and told.startswith("48 ")
    now = {mark.id: mark for mark in marks_of(page)}
    assert set(now) == set.union(*first.values())
    paths = page.evaluate(PATHS)

    before = show(page, "Before")
    assert parts_of(groups_of(page)) == parts_of(first)
    assert "shown=before" in page.url
    assert sum((one.x, one.y) != (now[one.id].x, now[one.id].y) for one in before.values()) > 24
    # Who changed group, counted here from the marks of both maps.
    changed = {id_ for id_, mark in before.items() if mark.group != now[id_].group}
    assert 0 < len(changed) < 48 and paths == len(changed)
    told = page.locator(".st-key-kept").get_by_test_id("stCaptionContainer").inner_text()
    assert told.startswith(f"{len(changed)} of 48 ")
    same = {id_: mark for id_, mark in before.items() if id_ not in changed}
    assert all((one.symbol, one.colour) == now[id_][4:] for id_, one in same.items())
    assert show(page, "Now") == now

    # Whoever has the address sees the same.
    visitor = new_page(reduced_motion="reduce")
    open_at(visitor, page.url)
    assert {mark.id: mark for mark in marks_of(visitor)} == now

    page.locator(".st-key-kept-back button").click()
    wait_without(page, "hits=")
    assert groups_of(page) == first
    assert not page.locator(".st-key-keep input").is_checked()


def test_the_passages_that_moved_are_listed_and_lead_to_a_search_by_keyboard(new_page, url):
    page = new_page(reduced_motion="reduce")
    open_at(page, url + START)
    press(page, page.locator(".st-key-refine-open button").first)
    press(page, page.locator(".st-key-keep input"), "Space")
    wait_for_address(page, "hits=")
    box = page.get_by_label("What are you looking for?")
    box.fill(OTHER)
    box.press("Enter")
    page.locator(".sc-kept", has_text=OTHER).wait_for()
    settle(page)
    marks = {mark.id: mark for mark in marks_of(page)}
    press(page, page.locator(".st-key-kept summary"))
    n_rows, lines = table_in(page, ".st-key-kept")
    assert n_rows == len(marks) == 48
    told = [re.fullmatch(r"(stays|moves a little|moves far) \((\d+\.\d\d)\)", c[-3]) for c in lines]
    numbers = [float(one.group(2)) for one in told]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > 0
    choose_row(page, ".st-key-kept")
    wait_for_address(page, "passage=")
    (farthest,) = address(page)["passage"]
    assert farthest in marks
    assert page.locator(".st-key-chosen li").get_attribute("data-passage") == farthest

    press(page, page.locator(".st-key-kept-search button"))
    wait_without(page, "hits=")
    assert address(page)["q"] == [OTHER]
    assert page.locator(".st-key-kept").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_beside_kept_hits(new_page, url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_at(page, f"{url}{START.replace('the+American+war', 'a+tax')}&hits=the+American+war")
    page.locator(".st-key-kept summary").click()
    page.locator(".st-key-kept canvas").first.wait_for()
    settle(page)
    assert grave_violations(page) == []
