"""Ways to divide the same passages: shown, chosen, typed, in the address, side by side."""

from dataclasses import replace

import pytest
import small_library
from explore_walk import address, groups_of, open_at, parts_of, press, settle, wait_for_address
from served_app import served

from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary

QUESTION = "the American war"
START = "/?method=centred-cosine&groups=4&q=the+American+war"
WAYS = ".st-key-ways button"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """Serve a library whose records have languages that go across its subjects."""
    folder, encoder = tmp_path_factory.mktemp("ways"), HashingEncoder()
    library = PassageLibrary.create(
        folder / "library",
        "demo",
        embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    passages = [
        replace(one, metadata={"language": ("eng", "ger", "fre")[row % 3]})
        for row, one in enumerate(small_library.passages())
    ]
    library.add(passages, encoder.encode([one.text for one in passages]))
    with served(folder) as found:
        yield found


def open_ways(page):
    page.locator(".st-key-divide button").first.click()
    page.locator(WAYS).first.wait_for()
    settle(page)


def test_a_way_is_chosen_with_one_click_and_the_address_carries_it(new_page, url):
    page = new_page(reduced_motion="reduce")
    own = open_at(page, url + START)
    open_ways(page)
    page.locator(".st-key-way-field-language button").click()
    wait_for_address(page, "by=field")
    page.locator(".sc-kept").wait_for()
    settle(page)
    assert address(page)["by"] == ["field:language"] and address(page)["hits"] == [QUESTION]
    divided = groups_of(page)
    assert set.union(*divided.values()) == set.union(*own.values())
    assert sorted(map(len, divided.values())) == [16, 16, 16]
    numbers = {one: int(one.rpartition("#")[2]) for group in divided.values() for one in group}
    for group in divided.values():
        assert len({numbers[one] % 3 for one in group}) == 1
    visitor = new_page(reduced_motion="reduce")
    open_at(visitor, page.url)
    assert parts_of(groups_of(visitor)) == parts_of(divided)
    page.locator(".st-key-kept-back button").click()
    page.locator(".sc-kept").wait_for(state="detached")
    settle(page)
    assert parts_of(groups_of(page)) == parts_of(own)


def test_own_words_divide_by_a_field_too_and_by_keyboard(new_page, url):
    page = new_page(reduced_motion="reduce")
    open_at(page, url + START)
    press(page, page.locator(".st-key-divide button").first)
    field = page.locator(".st-key-divide-by input")
    field.wait_for()
    page.wait_for_function("document.activeElement.matches('.st-key-divide-by input')")
    page.keyboard.type("by language")
    page.keyboard.press("Enter")
    page.locator(".sc-kept").wait_for()
    settle(page)
    assert address(page)["q"] == ["by language"] and "by" not in address(page)
    assert sum(map(len, groups_of(page).values())) == 48


def test_the_ways_are_compared_side_by_side(new_page, url):
    page = new_page(reduced_motion="reduce")
    open_at(page, url + START)
    open_ways(page)
    n_ways = page.locator(WAYS).count()
    page.get_by_role("link", name="Compare these ways").click()
    shown = min(1 + n_ways, 4)
    page.locator(f".st-key-groups-{'ABCD'[shown - 1]} button").last.wait_for()
    assert page.locator("[class*='st-key-groups-']").count() == shown
    columns = [address(page)[letter][0] for letter in "abcd" if letter in address(page)]
    place = next(row for row, one in enumerate(columns) if "field%3Alanguage" in one)
    groups = page.locator(f".st-key-groups-{'ABCD'[place]} button").all_inner_texts()
    assert all(one.endswith(" 16") for one in groups) and len(groups) == 3
