"""Charts follow the theme, and the back button leads to what was looked at."""

import json

import pytest
from test_accessibility_in_browser import SETTLED
from train_runs_made import as_card, make_job, make_judgement, write_judgement

INK = """() => {
    const text = document.querySelector('.js-plotly-plot text');
    return text === null ? null : getComputedStyle(text).fill;
}"""
"""Colour of a chart's words; null while the chart is drawn anew."""


@pytest.fixture(scope="module")
def judged_url(tmp_path_factory, random_checkpoint):
    """Serve the app with one training that has ended, and whose model was judged."""
    import small_library
    from served_app import add_models, served

    folder = tmp_path_factory.mktemp("judged")
    small_library.build(folder, "demo")
    store = add_models(folder, random_checkpoint, "shipped", "mine")
    judgement = make_judgement("qs3m/mine", [0.2, -0.25, 0.3, -0.2, 0.01, -0.1, 0.0, 0.1])
    (store.place("qs3m", "mine") / "card.json").write_text(json.dumps(as_card(judgement)))
    job = make_job(folder, outcome="finished", finished=1000.0)
    write_judgement(folder, job, judgement)
    with served(folder) as url:
        yield url


def test_a_chart_takes_another_theme_at_once(new_page, judged_url):
    page = new_page(color_scheme="light")
    page.goto(f"{judged_url}/train?show=Trainings&job=qs3m-mine")
    page.locator(".js-plotly-plot text").first.wait_for(state="attached")
    page.wait_for_function(SETTLED)
    for scheme in ("dark", "light"):
        before = page.evaluate(INK)
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"before => ![null, before].includes(({INK})())", arg=before)
    page.wait_for_function(f"() => ({INK})() === 'rgb(27, 36, 48)'")


@pytest.mark.parametrize(
    ("address", "shown", "link"),
    [
        ("/train?show=Trainings&job=qs3m-mine", "h2:has(.stMarkdownBadge)", "Search with it"),
        ("/models?way=qs3m&model=shipped", ".st-key-model-heading h2", "Benchmarks"),
    ],
)
def test_the_back_button_leads_to_the_same_run_and_model(
    new_page, judged_url, address, shown, link
):
    page = new_page()
    page.goto(judged_url + address)
    page.locator(shown).wait_for()
    page.wait_for_function(SETTLED)
    before = page.locator(shown).inner_text(), page.url
    page.get_by_role("link", name=link).click()
    page.locator(shown).wait_for(state="detached")
    page.locator(".js-plotly-plot, table.sc-published").first.wait_for(state="attached")
    page.wait_for_function(SETTLED)
    page.go_back()
    page.locator(shown).wait_for()
    page.wait_for_url(before[1])
    assert page.locator(shown).inner_text() == before[0]


def test_the_way_to_explore_is_one_step_back_and_its_address_leads_to_the_same(
    new_page, judged_url
):
    page = new_page()
    page.goto(f"{judged_url}/?q=taxes")
    page.locator(".sc-headline").wait_for()
    page.wait_for_function(SETTLED)
    page.get_by_role("link", name="Models").click()
    page.locator(".st-key-model-heading h2").wait_for()
    page.wait_for_function(SETTLED)
    left = page.url
    page.get_by_role("link", name="Explore").click()
    page.locator(".sc-headline").wait_for()
    page.wait_for_url("**/?q=taxes")
    page.wait_for_function(SETTLED)
    page.locator(".st-key-group-0 button").click()
    page.wait_for_url("**/?q=taxes&group=0")
    page.wait_for_function(SETTLED)
    page.go_back()
    page.wait_for_url("**/?q=taxes")
    page.go_back()
    page.wait_for_url(left)
    page.locator(".st-key-model-heading h2").wait_for()
