"""Corrections that nobody has saved yet: kept for their own browser, and for no other."""

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from subclust.core.exceptions import CorrectionsError
from subclust.core.settings import Settings
from subclust.labelled.corrections import CorrectionStore, DraftStore
from subclust.serving.visitor import COOKIE, VisitorCookie

WAR = "the American war"
STAMPS = ["stamp-act:1#1", "stamp-act:2#2"]
ME, YOU = "a" * 32, "b" * 32


@pytest.fixture(autouse=True)
def drafts(data_dir):
    folder = Settings.from_environment().corrections_dir / "drafts"
    yield DraftStore(folder)
    for path in folder.glob("*"):
        path.unlink()


@pytest.fixture
def open_as(open_page, visitor):
    def open_at(number, **params):
        visitor(number)
        return open_page(correcting=True, q=WAR, groups="4", passage=STAMPS, list="table", **params)

    return open_at


def said(page):
    return next(one.value for one in page.get("html") if "role='status'" in one.value)


def marks(page):
    return page.dataframe[0].value["Mark"]


def click(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return page


def keys(page):
    return [button.key for button in page.button]


def test_what_was_corrected_is_there_again_at_the_next_visit(open_as):
    page = click(click(open_as(ME), "correct-accepted"), "correct-unsure")
    click(page, "undo")
    again = open_as(ME)
    assert "1 correction" in said(again) and "not saved" in said(again)
    assert set(marks(again)[STAMPS]) == {"accepted"}
    click(again, "redo")
    assert set(marks(again)[STAMPS]) == {"unsure"}
    assert set(marks(open_as(ME))[STAMPS]) == {"unsure"}


def test_a_restored_draft_has_the_tools_open_and_no_second_way_to_them(open_as, open_page):
    click(open_as(ME), "correct-accepted")
    again = keys(open_page(q=WAR, groups="4", group="0"))
    assert "dig-name" in again and "undo" in again
    assert not {"correct-group", "correct-begin"} & set(again)


@pytest.mark.parametrize("other", [YOU, ""])
def test_no_other_visitor_sees_it(open_as, other):
    click(open_as(ME), "correct-accepted")
    page = open_as(other)
    assert not marks(page).any()
    assert page.button(key="undo").disabled
    click(page, "correct-unsure")
    assert set(marks(open_as(ME))[STAMPS]) == {"accepted"}


def test_without_a_number_of_the_browser_nothing_is_kept(open_as, drafts):
    click(open_as(""), "correct-accepted")
    assert not drafts.folder.exists() or not list(drafts.folder.glob("*.json"))


def test_a_draft_is_discarded_and_redo_brings_it_back(open_as, drafts):
    page = click(open_as(ME), "correct-accepted")
    click(page, "correct-discard")
    assert not marks(page).any() and "correct-discard" not in keys(page)
    assert not list(drafts.folder.glob("*.json"))
    assert not marks(open_as(ME)).any()
    click(page, "redo")
    assert set(marks(page)[STAMPS]) == {"accepted"}
    assert set(marks(open_as(ME))[STAMPS]) == {"accepted"}


def test_what_is_saved_is_no_draft_and_what_comes_after_is_one_again(open_as, drafts, data_dir):
    page = click(click(open_as(ME), "correct-accepted"), "save")
    page.text_input(key="save-name").set_value("war")
    click(page, "save-now")
    assert not list(drafts.folder.glob("*.json"))
    click(page, "correct-unsure")
    saved = open_as(YOU, corrections="war")
    assert set(marks(saved)[STAMPS]) == {"accepted"}
    mine = open_as(ME, corrections="war")
    assert set(marks(mine)[STAMPS]) == {"unsure"}
    click(mine, "correct-discard")
    assert set(marks(mine)[STAMPS]) == {"accepted"}
    CorrectionStore(Settings.from_environment().corrections_dir).delete("war")


def test_two_windows_of_one_browser_do_not_overwrite_each_other(open_as):
    first, second = open_as(ME), open_as(ME)
    click(first, "correct-accepted")
    click(second, "correct-unsure")
    assert "another window" in said(second) and "sc-refused" in said(second)
    assert not marks(second).any()
    click(first, "correct-unsure")
    assert set(marks(first)[STAMPS]) == {"unsure"}
    assert set(marks(open_as(ME))[STAMPS]) == {"unsure"}


def test_a_disk_that_takes_no_draft_is_told_and_nothing_is_lost(open_as, monkeypatch):
    def full(*args):
        raise CorrectionsError("A draft of your corrections cannot be kept (no space left).")

    monkeypatch.setattr(DraftStore, "keep", full)
    page = click(open_as(ME), "correct-accepted")
    assert "Accepted 2 passages." in said(page) and "no space left" in said(page)
    assert set(marks(page)[STAMPS]) == {"accepted"}


def test_a_damaged_draft_is_one_sentence(open_as, drafts):
    click(open_as(ME), "correct-accepted")
    (path,) = drafts.folder.glob("*.json")
    path.write_text("{")
    page = open_as(ME)
    assert "damaged" in said(page) and not marks(page).any()
    assert not page.exception


async def a_page(request):
    return HTMLResponse("<p>in</p>")


@pytest.fixture
def client():
    app = Starlette(routes=[Route("/{path:path}", a_page)])
    return TestClient(VisitorCookie(app), headers={"accept": "text/html,*/*"})


def test_a_browser_gets_a_number_with_the_page_and_keeps_it(client):
    first = client.get("/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Max-Age=2592000" in cookie
    number = first.cookies[COOKIE]
    assert len(number) == 32 and int(number, 16)
    assert client.get("/compare").cookies[COOKIE] == number
    client.cookies.clear()
    assert client.get("/").cookies[COOKIE] != number


@pytest.mark.parametrize("known", ["", "x", "../" * 20, "A" * 32, "a" * 33])
def test_a_number_that_is_not_ours_is_replaced(client, known):
    given = client.get("/", headers={"cookie": f"{COOKIE}={known}"}).cookies[COOKIE]
    assert given != known and len(given) == 32


def test_what_is_no_page_brings_no_number(client):
    answer = client.get("/_stcore/health", headers={"accept": "*/*"})
    assert "set-cookie" not in answer.headers
