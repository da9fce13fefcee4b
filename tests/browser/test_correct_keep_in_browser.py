"""Corrections that stay: saved, reloaded, made again on other groups, taken along, trained on."""

import csv
import io
import json

import pytest
import small_library
from explore_walk import (
    DIALOG,
    address,
    close_dialog,
    groups_of,
    names_of,
    open_at,
    open_correcting,
    open_dialog,
    parts_of,
    said,
    settle,
    wait_for_address,
)
from served_app import served
from test_accessibility_in_browser import grave_violations

from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore

WAR, SNOW = "the American war", "snow at Valley Forge"
TREATY = ["peace-treaty:1#1", "peace-treaty:2#2", "peace-treaty:3#3"]
STAMP = "stamp-act:1#1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("corrections")
    small_library.build(made, "demo")
    return made


@pytest.fixture(scope="module")
def url(folder):
    with served(folder) as address_:
        yield address_


def start(url, question, *passages, groups=4, more=""):
    marked = "".join(f"&passage={one.replace('#', '%23')}" for one in passages)
    return f"{url}/?method=tfidf&groups={groups}&q={question.replace(' ', '+')}{marked}{more}"


def make_a_group(page, name, n_passages):
    page.locator(".st-key-correct-separate button").first.click()
    field = page.get_by_role("textbox", name="Name of the new group")
    field.fill(name)
    field.press("Enter")
    return said(page, f"Grouped {n_passages} passages? as “{name}”")


def save_as(page, name):
    open_dialog(page, "save").get_by_role("textbox", name="Name", exact=True).fill(name)
    page.locator(".st-key-save-now button").click()
    said(page, f"Saved as “{name}”")
    wait_for_address(page, f"corrections={name}")
    page.locator(DIALOG).wait_for(state="detached")


def rows_of(download):
    return list(csv.DictReader(io.StringIO(download.path().read_text("utf-8-sig"), newline="")))


def taken(page, key):
    with page.expect_download() as download:
        page.locator(f".st-key-{key} button").click()
    return download.value


def named(page):
    return {names_of(page)[number]: ids for number, ids in groups_of(page).items()}


def test_corrections_stay_under_a_name_and_others_see_them(new_page, url, folder):
    page = new_page()
    open_correcting(page, start(url, WAR, *TREATY))
    made = make_a_group(page, "Treaties", 3)
    save_as(page, "peace")
    store = CorrectionStore(folder / "corrections")
    assert [edit.passages for edit in store.load("peace").history.done] == [tuple(TREATY)]

    # A reload, and another visitor, see the corrected groups; the history came along.
    page.reload()
    settle(page)
    assert groups_of(page) == made
    visitor = new_page()
    assert open_at(visitor, page.url) == made
    visitor.locator(".st-key-undo button").first.click()
    said(visitor, "Undone: Grouped 3 passages")
    assert not any(ids == set(TREATY) for ids in groups_of(visitor).values())


@pytest.mark.slow
def test_corrections_are_made_again_elsewhere_taken_along_and_trained_on(new_page, url, folder):
    page = new_page()
    open_correcting(page, start(url, WAR, *TREATY))
    make_a_group(page, "Treaties", 3)
    save_as(page, "treaties")

    # Made again on six groups of another method: the same ids, the same name.
    replayed = new_page()
    open_at(replayed, start(url, WAR, groups=6).replace("tfidf", "centred-cosine"))
    untouched = groups_of(replayed)
    open_at(replayed, replayed.url + "&corrections=treaties")
    said(replayed, "as corrected in treaties")
    assert named(replayed)["Treaties"] == set(TREATY)
    rest = {frozenset(ids - set(TREATY)) for ids in untouched.values()} - {frozenset()}
    assert parts_of(groups_of(replayed)) == rest | {frozenset(TREATY)}

    # Of a second question, and of the first one otherwise: a contradiction.
    other = new_page()
    open_correcting(other, start(url, SNOW, STAMP))
    make_a_group(other, "One stamp", 1)
    save_as(other, "snow")
    against = new_page()
    open_correcting(against, start(url, WAR, TREATY[0], STAMP))
    make_a_group(against, "Odd pair", 2)
    save_as(against, "against")
    check_learning(against, folder)


def check_learning(page, folder):
    """Read what can be taken along, and follow the button to the Train page."""
    # Another dialog in between has the browser forget the choices of the first.
    for key in ("correct-keep", "save"):
        open_dialog(page, key)
        close_dialog(page)
    body = open_dialog(page, "correct-keep")
    body.locator(".st-key-learn-from [data-tag]").nth(2).wait_for()
    warned = body.get_by_role("alert").inner_text()
    assert "contradiction" in warned
    assert f"For “{WAR}”" in body.inner_text()
    assert "2 questions, 96 passages in" in body.inner_text()
    assert grave_violations(page) == []
    rows = rows_of(taken(page, "learn-corrections-csv"))
    ids = {passage.id for passage in small_library.passages()}
    for question in (WAR, SNOW):
        assert {row["id"] for row in rows if row["query"] == question} == ids
    odd = {row["id"] for row in rows if row["label"] == "Odd pair"}
    assert odd == {TREATY[0], STAMP}
    lines = taken(page, "learn-corrections-jsonl").path().read_text("utf-8").splitlines()
    told = {one["query"]: one["passages"] for one in map(json.loads, lines)}
    assert {query: len(passages) for query, passages in told.items()} == {WAR: 48, SNOW: 48}
    pairs = rows_of(taken(page, "learn-pairs-csv"))
    assert {row["same"] for row in pairs} == {"0", "1"}
    disputed = {frozenset(TREATY[:2]), frozenset([TREATY[0], STAMP])}
    of_war = [row for row in pairs if row["query"] == WAR]
    assert of_war and not disputed & {
        frozenset([row["first_id"], row["second_id"]]) for row in of_war
    }

    page.locator(".st-key-learn-train button").click()
    page.wait_for_url("**/train?*set=my-corrections*")
    page.get_by_text("my-corrections, version 1").first.wait_for()
    (kept,) = LabelledSetStore(folder / "sets").sets()
    assert (kept.label, kept.n_queries, kept.n_passages) == ("my-corrections@1", 2, 96)
    assert "set" in address(page)
