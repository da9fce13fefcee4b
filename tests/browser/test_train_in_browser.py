"""From a faulty file to a model that is judged, taken into use, searched with and given back."""

import json
import re

import pytest
import river_set
from served_app import add_models, served
from test_accessibility_in_browser import grave_violations
from training_walk import (
    MAP,
    choose,
    click,
    curve,
    groups_on_the_map,
    pipeline_groups,
    scroll_place,
    set_field,
    settle,
    texts,
    upload,
    wait_for_longer_curve,
)

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.jobs import JobStore, LocalLauncher
from subclust.judging.judgement import JUDGEMENT_FILE
from subclust.judging.record import Judgement

pytestmark = pytest.mark.slow

QUESTION = "the American war"
HOURGLASS = 1_200_000
"""Milliseconds for what waits for the worker, which gives way to everything else."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, random_checkpoint):
    """Give the data folder of a library of its own, with one model of random weights in use."""
    import small_library

    folder = tmp_path_factory.mktemp("training")
    small_library.build(folder, "demo")
    add_models(folder, random_checkpoint, "before")
    yield folder
    settings = Settings(data_dir=folder, models_dir=folder / "models", device="cpu")
    for job in JobStore(settings.jobs_dir).jobs():  # which outlives even a test that failed
        LocalLauncher(settings).cancel(job, kill=True)


def faulty(rows):
    """Plant three faults: row 17 without label, row 42 without text, row 100 said before."""
    rows = [list(row) for row in rows]
    rows[17 - 2][2] = ""
    rows[42 - 2][1] = ""
    rows[100 - 2] = list(rows[97 - 2])
    return rows


def test_a_faulty_file_becomes_a_better_model_that_can_be_given_back(new_page, folder):
    with served(folder) as url:
        page = new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.set_default_timeout(120_000)
        bring_and_mend(page, url)
        held_out = choose_and_start(page)
        watch_and_reload(page, folder)
        judgement = see_before_and_after(page, folder, held_out)
        see_two_maps(page, judgement)
        take_into_use_search_and_give_back(page, url, folder)


def bring_and_mend(page, url):
    page.goto(f"{url}/train")
    page.get_by_role("heading", name="Upload a labelled set").wait_for()
    settle(page)
    rows = river_set.rows()
    upload(page, "train-file", "rivers.csv", river_set.csv_bytes(faulty(rows)))
    page.get_by_role("heading", name="Which column holds what?").wait_for()
    settle(page)
    for label, column in {"Question": "query", "Passage": "text", "Subtopic": "label"}.items():
        assert page.get_by_role("combobox", name=label, exact=True).input_value() == column
    click(page, "Check the set")
    page.get_by_role("heading", name="What the check found").wait_for()
    settle(page)
    assert texts(page, ".sc-verdict") == [
        "2 of 720 passages cannot be used as they are; the others can: 40 questions with "
        "718 passages in 120 subtopics."
    ]
    assert texts(page, "[class*=st-key-train-problems] strong") == [
        'Row 17: the column "label" is empty.',
        'Row 42: the column "text" is empty.',
        "Row 100: the question has the passage already, with the same label, in row 97.",
    ]
    boxes = page.locator(".sc-verdict, [class*=st-key-train-problems] li").evaluate_all(
        "items => items.map(item => item.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    assert len(boxes) == 4 and min(boxes)[0] > 60 and max(boxes)[1] < 800
    page.get_by_text("All problems as a table (3)").click()
    settle(page)
    assert grave_violations(page) == []

    upload(page, "train-mended", "mended.csv", river_set.csv_bytes(rows))
    page.get_by_text("No problems: ").wait_for()
    settle(page)
    assert texts(page, ".sc-verdict") == [
        "No problems: 40 questions with 720 passages in 120 subtopics."
    ]
    click(page, "Store this set and continue")
    page.get_by_role("heading", name="Which method?").wait_for()
    settle(page)


def choose_and_start(page):
    """Give the queries that are set aside for the comparison."""
    assert page.get_by_role("radio", name="QS3M (recommended)").is_checked()
    page.get_by_text("Advanced settings").click()
    settle(page)
    assert page.get_by_role("combobox", name="Start from").input_value() == "before, in use now"
    for label, value in {"Epochs": "100", "Learning rate": "0.001", "Patience": "0"}.items():
        set_field(page, label, value)
    click(page, "Continue with this method")
    page.get_by_text("List the questions").click()
    settle(page)
    parts = page.locator("[class*=st-key-train-split-queries] ul").evaluate_all(
        "lists => lists.map(list => [...list.children].map(item => item.textContent))"
    )
    assert [len(part) for part in parts] == [24, 6, 10]
    assert sorted(sum(parts, [])) == sorted(river_set.queries())
    assert page.get_by_label("Name of the new model", exact=True).input_value() == "rivers"
    click(page, "Start the training")
    page.wait_for_url(re.compile("job=qs3m-rivers"))
    return parts[2]


def watch_and_reload(page, folder):
    store = JobStore(folder / "jobs")
    first = wait_for_longer_curve(page, "loss", [], timeout=HOURGLASS)
    assert store.load("qs3m-rivers").kind == "train"
    page.set_viewport_size({"width": 1280, "height": 500})
    page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 120)")
    scrolled = scroll_place(page)
    assert scrolled == 120
    second = wait_for_longer_curve(page, "loss", first)
    assert goes_on(second, first) and second[-1][1] < first[0][1]
    assert scroll_place(page) == scrolled
    assert len(curve(page, "held-out")) >= 1
    assert grave_violations(page) == []

    before = store.load("qs3m-rivers")
    page.reload()
    third = wait_for_longer_curve(page, "loss", second)
    assert goes_on(third, second)
    (state,) = texts(page, "h2 .stMarkdownBadge")
    assert state.startswith("running, ")
    after = store.load("qs3m-rivers")
    assert (after.pid, after.process_started) == (before.pid, before.process_started)
    assert after.attempts == 1 and after.outcome is None
    assert [job.id for job in store.jobs()] == ["qs3m-rivers"]


def goes_on(curve, before):
    """Return whether a curve has the same values as before, where it still has the steps."""
    known = dict(before)
    same = [known[step] == value for step, value in curve if step in known]
    return bool(same) and all(same)


def see_before_and_after(page, folder, held_out):
    page.locator(".sc-judged-better").wait_for(timeout=HOURGLASS)
    settle(page)
    path = JobStore(folder / "jobs").path("qs3m-rivers") / JUDGEMENT_FILE
    judgement = Judgement.from_dict(json.loads(path.read_text()))
    assert judgement.verdict == "better"
    assert judgement.sentence in texts(page, ".stMarkdown p")
    assert sorted(one.query for one in judgement.queries) == sorted(held_out)
    rows = page.locator("[data-testid=stTable] tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )
    assert [row[0].split(",")[0] for row in rows] == [
        "After: qs3m/rivers",
        "Before: qs3m/before",
        "Centred cosine",
    ]
    for row, method in zip(rows, judgement.methods, strict=True):
        shown = [f"{method.means[name]:.3f}" for name in ("ari", "ami", "auto_ari", "auto_ami")]
        assert [cell.replace("−", "-") for cell in row[1:]] == shown
    best = [f"{query} ({change:+.2f})" for query, change in judgement.changes()[:3]]
    (helped,) = [
        said
        for said in texts(page, "[data-testid=stCaptionContainer]")
        if said.startswith("Improved most")
    ]
    assert helped == f"Improved most: {'; '.join(best)}"
    assert grave_violations(page) == []
    return judgement


def see_two_maps(page, judgement):
    query = judgement.changes()[0][0]
    choose(page, "Held-out question", query)
    page.locator("[class*=st-key-judge-map-1] .js-plotly-plot .points path").first.wait_for()
    before, after = (page.evaluate(MAP, number) for number in (0, 1))
    n_passages = len(river_set.WORDS) * river_set.PASSAGES_OF_A_LABEL
    assert sorted(before) == sorted(after) and len(after) == n_passages
    assert {id: label for id, (label, _) in before.items()} == {
        id: label for id, (label, _) in after.items()
    }
    assert {label for label, _ in after.values()} == set(river_set.WORDS)
    scores = next(one for one in judgement.queries if one.query == query).scores
    in_place = [sum(place == "in" for _, place in one.values()) for one in (before, after)]
    assert scores["new"]["ari"] > scores["base"]["ari"] and in_place[1] > in_place[0]
    for number, (role, n_in) in enumerate(zip(("base", "new"), in_place, strict=True)):
        title = page.locator(f"[class*=st-key-judge-map-{number}] .annotation-text").text_content()
        said = f"ARI {scores[role]['ari']:.2f}, {n_in} of {n_passages} in place"
        assert said in title.replace("−", "-")


def take_into_use_search_and_give_back(page, url, folder):
    assert page.get_by_role("textbox", name="Why do you want").count() == 0
    store = CheckpointStore(folder / "models")
    assert store.promoted("qs3m") == "before"
    click(page, "Use this model")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("searches of all visitors with QS3M").wait_for()
    assert store.promoted("qs3m") == "before"
    dialog.get_by_text("on 24 articles that came with Subclust").wait_for(timeout=180_000)
    dialog.get_by_role("button", name="Use rivers from now on").click()
    page.get_by_text("In use: searches with QS3M now use rivers.").wait_for()
    assert store.promoted("qs3m") == "rivers"
    old, new = (pipeline_groups(folder, name, QUESTION) for name in ("before", "rivers"))
    assert old != new and len(frozenset().union(*new)) == 48

    page.get_by_role("link", name="Search with it").click()
    assert groups_on_the_map(page, QUESTION) == new
    page.locator(".st-key-about button").click()
    page.locator(".sc-terms", has_text="QS3M: rivers is your own model").wait_for()
    page.keyboard.press("Escape")

    page.get_by_role("link", name="Models").click()
    page.get_by_role("button", name="Roll back to before").click()
    page.get_by_text("before is in use again.").wait_for()
    settle(page)
    assert store.promoted("qs3m") == "before"
    assert grave_violations(page) == []
    page.get_by_role("link", name="Explore").click()
    assert groups_on_the_map(page, QUESTION) == old
    page.locator(".st-key-about button").click()
    page.locator(".sc-terms", has_text="QS3M: before is your own model").wait_for()
    page.keyboard.press("Escape")
