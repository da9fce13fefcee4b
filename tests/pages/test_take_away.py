"""Export and sessions on the Explore page, without a browser."""

import json
import re

import pytest
import streamlit as st
from page_texts import texts
from raising import numbers

from subclust.core import access
from subclust.core.access import Person, Role
from subclust.core.exceptions import LibraryNotFoundError
from subclust.exports import FORMATS, Report
from subclust.labelled.corrections import History, making
from subclust.sessions import SessionStore
from subclust.text.library import PassageLibrary
from subclust.ui import state
from subclust.ui.components.view import View
from subclust.ui.components.words import file_name
from subclust.ui.explore import search
from subclust.ui.explore.answer_line import _file_maker
from subclust.ui.explore.correct.desk import Desk

WAR = "the American war"


@pytest.fixture
def own_data(data_dir, tmp_path, monkeypatch):
    """Give a data folder of this test's own, with the small library."""
    import small_library

    small_library.build(tmp_path / "own", "demo")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "own"))
    return tmp_path / "own"


@pytest.fixture
def sessions(own_data):
    return SessionStore(own_data / "sessions")


def answer_of(page):
    (found,) = list(page.session_state[state.ANSWERS].values())[-1:]
    return found


def save(page, name):
    page.button(key="save").click().run()
    page.text_input(key="save-name").set_value(name)
    if page.radio:
        page.radio(key="save-what").set_value("session")
    page.button(key="save-now").click().run()
    assert not page.exception
    return page


def test_every_format_has_a_button(open_page):
    page = open_page(q=WAR, groups="4")
    page.button(key="take-away").click().run()
    offered = [button.proto.label for button in page.get("download_button")]
    assert offered[: len(FORMATS)] == [kind.label for kind in FORMATS.values()]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".ris"])
def test_a_file_has_the_passages_that_are_shown(open_page, suffix):
    found = answer_of(open_page(q=WAR, groups="4"))
    content = _file_maker(Report(found.subtopics), found, FORMATS[suffix])().decode()
    for group in found.subtopics.subtopics:
        for member in group.passages:
            assert member.passage.id in content


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (WAR, "the-american-war.csv"),
        ("Übung: a/b\\c ..?", "übung-a-b-c.csv"),
        ("???", "subclust.csv"),
        ("x" * 500, "x" * 60 + ".csv"),
    ],
)
def test_a_file_is_named_after_the_question(question, name):
    assert file_name(question, ".csv") == name


def test_a_link_leads_to_a_group(open_page):
    page = open_page(q=WAR, groups="4")
    page.button(key="take-away").click().run()
    page.selectbox(key="link-group").set_value(2)
    page.button(key="take-away").click().run()
    links = [code.value for code in page.code if "?q=" in code.value]
    assert len(links) == 2
    assert "group=2" in links[1] and "group=" not in links[0]


def test_a_link_says_that_it_is_without_unsaved_corrections(open_page):
    page = open_page(correcting=True, q=WAR, groups="4", passage="stamp-act:1#1")
    page.button(key="take-away").click().run()
    before = len(page.caption)
    page.button(key="correct-accepted").click().run()
    page.button(key="take-away").click().run()
    assert len(page.caption) == before + 1


def test_a_session_opens_as_it_was_also_when_everything_has_changed(open_page, sessions, own_data):
    page = save(open_page(q=WAR, groups="4"), "My war")
    made = answer_of(page)
    (header,) = sessions.headers()
    assert (header.name, header.question, header.n_passages) == ("My war", WAR, 48)
    before = json.dumps(made.subtopics.to_dict())

    library = PassageLibrary.open(own_data / "library", "demo")
    library.discard(["stamp-act:1#1", "peace-treaty:2#2"])
    visitor = open_page(session=header.id, q=WAR, groups="4")
    found = answer_of(visitor)
    assert json.dumps(found.subtopics.to_dict()) == before
    assert found.subtopics == made.subtopics
    assert found.ranking.hits == made.ranking.hits
    assert visitor.query_params["session"] == header.id
    assert re.search(r"\b4 [^<]*“the American war”[^<]* 48 ", texts(visitor))
    (told,) = [one.value for one in visitor.warning]
    assert "48 passages" in told.replace("\\", "")

    # Whatever begins so looks like a line of the list of groups.
    lines = [str(one.key) for one in visitor.button if str(one.key).startswith("group-")]
    assert all(re.fullmatch(r"group-(other|\d+)", line) for line in lines) and len(lines) >= 4

    visitor.button(key="session-anew").click().run()
    assert "session" not in visitor.query_params
    assert re.search(r"\b4 [^<]*“the American war”[^<]* 46 ", texts(visitor))
    assert not visitor.warning


def test_an_open_session_says_so_and_ends_with_another_grouping(open_page, sessions):
    save(open_page(q=WAR, groups="4"), "My war")
    (header,) = sessions.headers()
    page = open_page(session=header.id, q=WAR, groups="4")
    assert "My war" in page.info[0].value
    page.button(key="group-1").click().run()
    assert page.query_params["session"] == header.id
    page.select_slider(key="groups").set_value(3).run()
    assert "session" not in page.query_params
    assert not page.info


def test_a_session_keeps_what_was_corrected_and_corrects_it_only_once(open_page, sessions):
    page = open_page(q=WAR, groups="4")
    made = answer_of(page).subtopics
    edits = (making.rename(made, 0, "By hand"), making.move(made, ["peace-treaty:3#3"], -1))
    page.session_state[state.DESKS] = {View(query=WAR).corrected(): Desk(History(edits))}
    page.run()
    save(page, "Corrected")
    (header,) = sessions.headers()
    _, kept = sessions.load(header.id)
    assert [one["kind"] for one in kept.corrections] == ["rename", "move"]
    page.button(key="take-sessions").click().run()
    page.button(key="session-open").click().run()
    assert page.query_params["session"] == header.id
    for shown in (answer_of(page), answer_of(open_page(q=WAR, groups="4", session=header.id))):
        groups = {group.name: group for group in shown.subtopics.subtopics}
        assert groups["By hand"].id == 0
        others = [member.passage.id for member in groups["Other passages"].passages]
        assert others.count("peace-treaty:3#3") == 1


def test_a_damaged_session_is_said_and_can_be_deleted(open_page, sessions):
    page = save(open_page(q=WAR, groups="4"), "My war")
    (header,) = sessions.headers()
    (file,) = sessions.folder.glob("*.subclust")
    file.write_bytes(file.read_bytes()[:20])
    page.button(key="take-sessions").click().run()
    assert any(header.id in warning.value for warning in page.warning)
    page.button(key=f"damaged-{header.id}").click().run()
    assert not page.exception
    assert sessions.damaged() == []


def test_a_session_is_shown_with_its_own_question_whatever_the_address_says(open_page, sessions):
    save(open_page(q=WAR, groups="4"), "My war")
    (header,) = sessions.headers()
    for other in ({}, {"q": "peace"}, {"q": WAR, "hits": "peace"}):
        page = open_page(**other, session=header.id)
        assert page.text_input(key="query").value == WAR
        assert answer_of(page).ranking.query.text == WAR
        assert page.query_params["session"] == header.id


def test_a_regrouped_answer_is_saved_under_both_questions(open_page):
    page = open_page(q="by decade", hits=WAR)
    page.button(key="save").click().run()
    assert page.text_input(key="save-name").value == f"{WAR}: by decade"


def test_a_session_whose_library_was_deleted_says_that_it_is_still_saved(
    open_page, sessions, monkeypatch
):
    save(open_page(q=WAR, groups="4"), "My war")
    (header,) = sessions.headers()

    def none_there(*_):
        raise LibraryNotFoundError("There is no library {name}.", name="gone")

    monkeypatch.setattr(search, "open_pipeline", none_there)
    (told,) = (one.value for one in open_page(session=header.id).warning)
    (other,) = (one.value for one in open_page(q=WAR).warning)
    assert header.library in told and told != other


def test_sessions_are_opened_renamed_and_deleted_on_the_page(open_page, sessions):
    page = save(open_page(q=WAR, groups="4"), "First")
    page.text_input(key="query").set_value("peace").run()
    save(page, "Second")
    first = next(one.id for one in sessions.headers() if one.name == "First")
    page.session_state[state.SAVED_SESSION] = first
    page.button(key="take-sessions").click().run()
    page.text_input(key=f"session-rename-{first}").set_value("Treaty")
    page.button(key="session-rename").click().run()
    assert {one.name for one in sessions.headers()} == {"Treaty", "Second"}
    page.button(key="take-sessions").click().run()
    page.button(key="session-open").click().run()
    assert (page.query_params["session"], page.query_params["q"]) == (first, WAR)
    page.button(key="take-sessions").click().run()
    assert page.button(key="session-delete").disabled
    page.checkbox(key=f"session-sure-{first}").check()
    page.button(key="take-sessions").click().run()
    page.button(key="session-delete").click().run()
    assert [one.name for one in sessions.headers()] == ["Second"]
    assert "session" not in page.query_params
    page.button(key="take-sessions").click().run()
    next(one for one in page.button if one.key.startswith("put-back")).click().run()
    assert {one.name for one in sessions.headers()} == {"Treaty", "Second"}
    assert not page.exception


def test_of_sessions_with_the_same_name_the_chosen_one_is_deleted(open_page, sessions):
    page = save(save(save(open_page(q=WAR, groups="4"), "My war"), "My war"), "My war")
    newest, *others = sessions.headers()
    page.button(key="take-sessions").click().run()
    page.selectbox(key=state.SAVED_SESSION).select_index(0)  # a browser sends its words alone
    page.button(key="take-sessions").click().run()
    page.checkbox(key=f"session-sure-{newest.id}").check()
    page.button(key="take-sessions").click().run()
    page.button(key="session-delete").click().run()
    assert {one.id for one in sessions.headers()} == {one.id for one in others}


def test_a_session_is_shared_on_the_page_and_stays_its_makers(open_page, sessions, monkeypatch):
    def acts(name):
        monkeypatch.setattr(access, "_identify", lambda: Person(name, Role.READER))

    acts("ada")
    page = save(open_page(q=WAR, groups="4"), "Hers")
    (header,) = sessions.headers()
    share = f"session-share-{header.id}"
    acts("rob")
    other = open_page(session=header.id, q=WAR)
    assert "Hers" not in texts(other) and other.warning
    acts("ada")
    page.button(key="take-sessions").click().run()
    assert len(page.selectbox(key=share).options) == 2
    page.selectbox(key=share).select_index(1).run()
    assert sessions.headers()[0].shared
    acts("rob")
    other = open_page(q=WAR)
    other.button(key="take-sessions").click().run()
    assert "Shared by ada." in texts(other)
    keys = {one.key for kind in (other.button, other.checkbox) for one in kind}
    assert "session-open" in keys and not {share, "session-delete", "session-rename"} & keys
    other.button(key="session-open").click().run()
    assert other.query_params["session"] == header.id and not other.exception


def test_a_name_that_cannot_be_used_is_one_sentence(open_page, sessions):
    page = save(open_page(q=WAR), "bell \a")
    assert numbers(page.session_state[state.SAVE_REJECTED])[:2] == ["1", "120"]
    assert sessions.headers() == []


@pytest.mark.parametrize("session", ["0" * 12, "ffffffffffff"])
def test_a_session_that_is_gone_is_one_sentence(open_page, session):
    page = open_page(session=session, q=WAR)
    assert len(page.warning) == 1


def test_a_damaged_address_of_a_session_is_no_session(open_page):
    page = open_page(session="../../etc", q=WAR)
    assert "48 passages" in texts(page)
    assert "session" not in page.query_params


def test_an_embedded_page_has_no_ways_elsewhere(open_page, monkeypatch):
    page = open_page(q=WAR)
    assert page.button(key="take-away")
    monkeypatch.setattr(type(st.context), "is_embedded", property(lambda self: True))
    page = open_page(q=WAR, groups="4")
    assert not [button for button in page.button if str(button.key).startswith("take-")]
    assert len([b for b in page.button if str(b.key).startswith("group-")]) >= 4


@pytest.mark.parametrize(
    "question",
    [
        "life and death",
        "Straßen für Fußgänger in Köln",
        "the \"Stamp Act\" and 'taxes' & more? 100% #1 +tea; a=b",
        "東京 العربية 🙂",
        "word " * 400,
        " padded ",
        "a\nb\tc",
    ],
)
def test_a_catalogue_can_link_with_any_question(open_page, question):
    page = open_page(q=question)
    assert not page.exception
    assert page.text_input(key="query").value == question
    assert page.query_params["q"] == question
    assert View.from_params({"q": [question]}).asked().text == question.strip()


@pytest.mark.parametrize("question", ["", "   "])
def test_a_link_without_a_question_asks_for_one(open_page, question):
    page = open_page(q=question)
    assert "Type a question" in page.info[0].value and not page.warning
