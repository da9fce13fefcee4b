"""While other groups take the place of those before, no card shows what is not its own."""

import pytest
from explore_walk import open_at, press, settle, wait_for_address

START = "/?method=default&groups={}&q=the+American+war"

# After each change of the page: the most names that one card shows.
WATCH = """() => {
    window.mostNames = 0;
    const look = () => {
        for (const card of document.querySelectorAll('[class*=st-key-card-group-]')) {
            const names = [...card.querySelectorAll('[class*=st-key-group-] button')];
            const seen = names.filter(name => name.checkVisibility()).length;
            window.mostNames = Math.max(window.mostNames, seen);
        }
    };
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
    look();
}"""


@pytest.mark.parametrize(("first", "key", "last"), [(3, "ArrowRight", 6), (6, "ArrowLeft", 3)])
def test_a_card_never_shows_the_name_of_another_group(new_page, app_url, first, key, last):
    page = new_page()
    open_at(page, app_url + START.format(first))
    assert page.locator(".st-key-group-other button").count() == 1
    page.locator(".st-key-refine-open button").first.click()
    settle(page)
    page.evaluate(WATCH)
    slider = page.locator(".st-key-groups input")
    for number in range(first, last, 1 if last > first else -1):
        press(page, slider, key)
        wait_for_address(page, f"groups={number + (1 if last > first else -1)}")
    settle(page)
    assert page.locator("[class*=st-key-card-group-]").count() == last + 1
    assert page.evaluate("() => window.mostNames") == 1
