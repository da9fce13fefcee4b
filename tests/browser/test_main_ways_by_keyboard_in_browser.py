"""The main way of each page by keyboard alone: Tab, Enter, Space, arrows and typing.

Nothing here clicks, and nothing but the keys moves the focus.
"""

import re

import pytest
import river_set
import small_library
from explore_walk import (
    DIALOG,
    address,
    groups_of,
    names_of,
    press,
    said,
    settle,
    wait_for_address,
)
from served_app import add_models, served
from test_accessibility_in_browser import SETTLED

from subclust.core.settings import Settings
from subclust.jobs import JobStore, LocalLauncher
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.text.library import PassageLibrary

pytestmark = pytest.mark.slow

RIS = "TY  - JOUR\nTI  - Maps {0}\nAB  - Old shelves and maps, number {0}.\nPY  - 1990\nER  - \n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory, random_checkpoint):
    made = tmp_path_factory.mktemp("keys")
    small_library.build(made, "demo")
    add_models(made, random_checkpoint, "shipped", "ours")
    yield made
    settings = Settings(data_dir=made, models_dir=made / "models", device="cpu")
    for job in JobStore(settings.jobs_dir).jobs():  # which outlives even a test that failed
        LocalLauncher(settings).cancel(job, kill=True)


@pytest.fixture(scope="module")
def url(folder):
    with served(folder) as address_:
        yield address_


def drawn(page):
    page.wait_for_function(SETTLED)


def button(page, key):
    return page.locator(f".st-key-{key} button").first


def named(page, name, role="button"):
    return page.get_by_role(role, name=name, exact=True).first


def fill(page, field, text):
    """Write into a field, and press Enter."""
    press(page, field, "Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def go(page, url, name):
    """Open the app, and go to a page by the links at its top."""
    page.goto(f"{url}/?method=tfidf&groups=4&q=number+words")
    settle(page)
    press(page, page.get_by_test_id("stTopNavLink").filter(has_text=name))
    page.wait_for_url(f"**/{name.lower()}*")
    page.get_by_role("heading").first.wait_for()
    drawn(page)


def give_file(page, name, content):
    """Press the button of the upload; the system's own dialog then chooses a file."""
    with page.expect_file_chooser() as chooser:
        press(page, page.get_by_test_id("stFileUploaderDropzone").locator("button").first)
    chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": content})


def focus_back(page, key):
    page.locator(DIALOG).wait_for(state="detached")
    page.locator(f".st-key-{key} button:focus").wait_for()


def test_explore(new_page, url, folder):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{url}/?method=tfidf&groups=4&q=number+words")
    settle(page)
    fill(page, page.get_by_role("textbox", name="What are you looking for?"), "the American war")
    wait_for_address(page, "American+war")
    before = groups_of(page)

    press(page, button(page, "group-0"))
    wait_for_address(page, "group=0")
    press(page, button(page, "correct-group"))
    press(page, button(page, "correct-rename"))
    page.locator(f"{DIALOG} input:focus").wait_for()
    page.keyboard.type("A name of my own")
    page.keyboard.press("Enter")
    said(page, "to “A name of my own”")
    focus_back(page, "correct-rename")
    assert names_of(page)[0] == "A name of my own"

    mover = page.locator(".st-key-open-group [data-move]").first
    moved = mover.get_attribute("data-move")
    press(page, mover)
    press(page, page.locator(f"{DIALOG} .st-key-move-to-group-1 button"))
    now = said(page, "Moved 1 passage to")
    assert now[1] == before[1] | {moved} and now[0] == before[0] - {moved}

    press(page, button(page, "save"))
    page.locator(f"{DIALOG} input:focus").wait_for()
    page.keyboard.type("by-keys")
    page.keyboard.press("Enter")
    said(page, "Saved as “by-keys”")
    focus_back(page, "save")
    kept = CorrectionStore(folder / "corrections").load("by-keys")
    assert [len(kept.history.done), kept.basis.query] == [2, "the American war"]

    press(page, button(page, "take-away"))
    page.locator(DIALOG).wait_for()
    with page.expect_download() as download:
        press(page, page.locator(DIALOG).get_by_role("button", name="CSV", exact=True))
    assert "A name of my own" in download.value.path().read_text("utf-8-sig")
    press(page, page.locator(DIALOG).get_by_role("button", name="Copy to clipboard"))
    page.wait_for_function(
        "async () => (await navigator.clipboard.readText()).includes('corrections=by-keys')"
    )
    page.keyboard.press("Escape")
    focus_back(page, "take-away")


def test_compare(new_page, url):
    page = new_page()
    go(page, url, "Compare")
    page.locator(".st-key-compare-take button").first.wait_for()
    drawn(page)
    press(page, button(page, "columns-open"))
    page.locator(".st-key-columns-shown").wait_for()
    for letter, method in (("A", "Jaccard"), ("B", "TF-IDF")):
        field = page.locator(f".st-key-method-{letter} input")
        press(page, field, "Control+a")
        page.keyboard.type(method)
        page.keyboard.press("Enter")
        page.locator("h3.sc-column", has_text=re.compile(method, re.I)).first.wait_for()
        drawn(page)
    told = address(page)
    assert told["a"][0].startswith("jaccard") and told["b"][0].startswith("tfidf")
    press(page, page.locator("[class*='st-key-of-B-'] button").first)
    page.wait_for_function("() => location.search.includes('marked=')")


def test_library(new_page, url, folder):
    page = new_page()
    go(page, url, "Library")
    press(page, page.get_by_role("radio", name="Libraries"), "ArrowRight", "Enter")
    page.wait_for_url("**show=import*")
    drawn(page)
    content = "".join(RIS.format(number) for number in range(12)).encode()
    give_file(page, "m.ris", content)
    page.get_by_text("12 records: 12 can be imported.").wait_for()
    drawn(page)
    fill(page, page.get_by_role("combobox", name="Library"), "mine")
    drawn(page)
    press(page, named(page, "Import 1 file"))
    page.get_by_text("12 records read, 12 imported, 0 rejected").wait_for(timeout=400_000)
    drawn(page)

    press(page, named(page, "Open the library"))
    page.get_by_role("heading", name="Passages", exact=True).wait_for()
    drawn(page)
    fill(page, page.get_by_role("textbox", name="Words"), "number 7")
    page.locator("[role=gridcell]").get_by_text("Maps 7", exact=True).first.wait_for(
        state="attached"
    )
    drawn(page)
    press(page, button(page, "library-delete-matching"))
    press(page, button(page, "library-delete-matching-yes"))
    page.get_by_text("1 passage of mine was deleted.").first.wait_for()
    page.locator(DIALOG).wait_for(state="detached")
    assert PassageLibrary.open(folder / "library", "mine").count() == 11


def test_train(new_page, url, folder):
    page = new_page()
    go(page, url, "Train")
    give_file(page, "rivers.csv", river_set.csv_bytes(river_set.rows()))
    page.get_by_role("heading", name="Which column holds what?").wait_for()
    drawn(page)
    press(page, named(page, "Check the set"))
    page.get_by_role("heading", name="What the check found").wait_for()
    drawn(page)
    press(page, button(page, "train-keep"))
    page.wait_for_url("**set=rivers*")
    drawn(page)
    (kept,) = LabelledSetStore(folder / "sets").sets()
    assert (kept.name, kept.n_queries) == ("rivers", 40)
    press(page, button(page, "train-decide"))
    button(page, "train-start").wait_for()
    drawn(page)
    press(page, named(page, "Start the training"))
    page.wait_for_url("**job=qs3m-rivers*")
    assert JobStore(folder / "jobs").load("qs3m-rivers").kind == "train"


def test_models(new_page, url):
    page = new_page()
    go(page, url, "Models")
    page.locator(".st-key-model-card").first.wait_for()
    drawn(page)
    assert page.get_by_role("heading", name="ours").count() == 1
    chosen = page.locator("[class*=st-key-model-of] input:checked")
    press(page, chosen, "ArrowDown")
    page.get_by_role("heading", name="shipped").wait_for()
    drawn(page)
    press(page, page.get_by_role("tab", name="About"), "ArrowRight", "Enter")
    page.get_by_role("tabpanel").filter(visible=True).first.wait_for()
    press(page, page.locator("[class*=st-key-use-qs3m] button").first)
    page.locator(DIALOG).wait_for()
    page.keyboard.press("Escape")
    page.locator("[class*=st-key-use-qs3m] button:focus").wait_for()


def test_benchmarks(new_page, url):
    page = new_page()
    go(page, url, "Benchmarks")
    page.locator("table.sc-published").wait_for()
    drawn(page)
    before = page.get_by_role("combobox", name="Paper").input_value()
    press(page, page.get_by_role("combobox", name="Paper"), "ArrowDown", "ArrowDown", "Enter")
    page.wait_for_function("() => location.search.includes('paper=')")
    drawn(page)
    assert page.get_by_role("combobox", name="Paper").input_value() != before
