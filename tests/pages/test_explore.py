import re
from dataclasses import replace
from itertools import islice

import pytest
import small_library
from app_files import APP
from page_texts import texts
from raising import numbers
from streamlit.testing.v1 import AppTest

from subclust.core import access
from subclust.core.records import MAX_QUESTION
from subclust.core.settings import Settings
from subclust.text.library import PassageLibrary
from subclust.text.sources.wikidump import demo_dump
from subclust.ui.components.data_folder import told_of_others
from subclust.ui.components.view import View
from subclust.ui.components.words import EXAMPLES
from subclust.ui.explore import passages as hits

WAR = "the American war"


def groups_of(page):
    return [button for button in page.button if str(button.key).startswith("group-")]


def test_a_new_visitor_sees_an_answer(open_page):
    page = open_page()
    assert page.text_input(key="query").value == EXAMPLES[0]
    assert len(groups_of(page)) >= 2
    assert not page.warning


def test_of_a_question_that_is_too_long_the_beginning_is_asked(open_page):
    page = open_page()
    box = page.text_input(key="query")
    assert box.proto.max_chars == 0  # with a limit, the browser drops what is pasted, in silence
    box.set_value("the American war " * 200).run()
    assert len(page.text_input(key="query").value) == MAX_QUESTION
    assert [caption for caption in page.caption if numbers(caption.value) == [f"{MAX_QUESTION:,}"]]
    assert groups_of(page)


@pytest.fixture
def first_visit(data, monkeypatch):
    """Open the app where there is no library yet; the demo has few articles here."""
    monkeypatch.setattr("subclust.text.ingest.demo.demo_dump", lambda: islice(demo_dump(), 8))
    page = AppTest.from_file(APP, default_timeout=60)  # the whole app, since the page links on
    page.query_params["method"] = "centred-cosine"
    return page


def test_without_a_library_the_demo_is_built_and_asked(first_visit, data):
    page = first_visit.run()
    assert page.info
    assert not page.warning
    page.button(key="build-demo").click().run()
    assert not page.exception
    assert PassageLibrary.names(data / "library") == ["demo"]
    assert not page.info


def test_without_a_library_a_reader_is_told_why_there_is_no_button(first_visit, monkeypatch):
    monkeypatch.setattr(access, "_forbidden", True)
    page = first_visit.run()
    assert page.info
    assert page.caption
    assert "build-demo" not in [one.key for one in page.button]


@pytest.mark.parametrize("whole", ["", "demo"])
def test_where_all_libraries_are_others_it_is_said_whom_to_ask(
    first_visit, data, monkeypatch, whole
):
    small_library.build(data, "demo", 3)
    monkeypatch.setattr("subclust.text.library.folder.may_use", lambda name, folder: False)
    if whole:
        first_visit.query_params["whole"] = whole
    page = first_visit.run()
    (told,) = page.info
    assert not page.warning and told.value == told_of_others(Settings.from_environment()) != ""
    assert "build-demo" not in [one.key for one in page.button]


def test_the_answer_is_a_sentence_and_a_line_a_group(open_page):
    page = open_page(q=WAR, groups="4")
    assert len([button for button in groups_of(page) if button.key != "group-other"]) == 4
    shown = texts(page)
    assert re.search(r"\b4 [^<]*“the American war”[^<]* 48 ", shown)
    assert shown.count("class='sc-about'") == shown.count("class='sc-bar'") == len(groups_of(page))
    assert "<li data-passage=" not in shown


def test_an_open_group_lists_its_passages_and_tells_its_quality_when_asked(open_page):
    page = open_page(q=WAR, groups="4", group="0")
    opened = page.container(key="open-group")
    size = next(
        one.size
        for one in page.session_state["answers"].popitem()[1].subtopics.subtopics
        if one.id == 0
    )
    assert texts(opened).count("<li data-passage=") == size
    assert "tight" not in texts(opened)
    page.session_state["quality-0"] = True
    page.run()
    assert "tight" in texts(page.container(key="open-group"))


def test_the_address_carries_the_view(open_page):
    page = open_page(q=WAR)
    page.select_slider(key="groups").set_value(4).run()
    page.selectbox(key="method").set_value("tfidf").run()
    groups_of(page)[1].click().run()
    assert page.query_params == {
        "q": WAR,
        "groups": "4",
        "method": "tfidf",
        "group": "1",
    }


def test_an_address_restores_the_view(open_page):
    page = open_page(q=WAR, groups="4", group="2", method="tfidf")
    assert page.text_input(key="query").value == WAR
    assert page.select_slider(key="groups").value == 4
    assert page.selectbox(key="method").value == "tfidf"
    assert page.container(key="open-group")


def test_a_new_question_drops_the_mark_but_not_the_method(open_page):
    page = open_page(q=WAR, groups="4", group="2")
    page.text_input(key="query").set_value("peace").run()
    assert "group" not in page.query_params
    assert page.query_params["method"] == "centred-cosine"
    assert page.query_params["q"] == "peace"


def test_clicking_a_marked_group_again_unmarks_it(open_page):
    page = open_page(q=WAR, groups="4")
    groups_of(page)[0].click().run()
    assert page.query_params["group"] == "0"
    groups_of(page)[0].click().run()
    assert "group" not in page.query_params


def test_passages_of_the_address_are_listed_and_can_be_cleared(open_page):
    page = open_page(q=WAR, passage=["stamp-act:1#1", "peace-treaty:2#2"])
    assert "Chosen: 2 passages" in texts(page)
    page.button(key="clear").click().run()
    assert "passage" not in page.query_params
    assert "Chosen" not in texts(page)


def test_an_example_becomes_the_question(open_page):
    page = open_page()
    page.button(key="example-2").click().run()
    assert page.text_input(key="query").value == EXAMPLES[2]
    assert page.query_params["q"] == EXAMPLES[2]


def test_the_table_shows_every_passage_of_the_map(open_page):
    frame = open_page(q=WAR, groups="4", list="table").dataframe[0].value
    assert len(frame) == 48
    assert frame.index.is_unique
    assert list(frame.columns) == [
        "Group", "Title", "Section", "Hit", "Fit", "Mark", "Passage",
    ]  # fmt: skip


def test_what_lies_in_another_tab_is_drawn_when_it_is_opened(open_page):
    page = open_page(q=WAR, groups="4")
    assert len(groups_of(page)) and not page.dataframe
    assert len(texts(page)) < len(texts(open_page(q=WAR, groups="4", list="hits")))
    page.session_state["view"] = replace(page.session_state["view"], listing="table")
    page.run()
    assert len(page.dataframe[0].value) == 48 and not groups_of(page)


def test_what_is_known_of_the_answer_is_told_when_it_is_asked_for(open_page):
    page = open_page(q=WAR)
    assert "ms in all" not in texts(page)
    page.button(key="about").click().run()
    assert "ms in all" in texts(page) and "demo" in texts(page)
    page.button(key="take-away").click().run()
    assert "method=centred-cosine" in page.code[0].value


def test_options_are_hidden_until_they_are_asked_for_and_counted_where_they_differ(open_page):
    page = open_page(q=WAR, groups="4")
    assert page.button(key="refine-open").label == "Refine (2)"  # the method is another, too
    assert page.container(key="refine-closed")
    page.button(key="refine-open").click().run()
    assert page.container(key="refine")


def test_the_tools_that_correct_appear_when_somebody_begins_to_correct(open_page):
    page = open_page(q=WAR, groups="4", group="0")

    def keys():
        return {button.key for button in page.button}

    assert "undo" not in keys()
    page.button(key="correct-group").click().run()
    assert {"undo", "correct-rename", "save"} <= keys()
    page.button(key="correct-end").click().run()
    assert "undo" not in keys() and "save" in keys()


def test_an_address_of_before_does_not_undo_a_change(open_page):
    page = open_page(q=WAR, groups="4")
    page.select_slider(key="groups").set_value(3).run()
    page.query_params["groups"] = "4"  # what a slow browser still sends
    page.button(key="group-1").click().run()
    assert page.query_params["groups"] == "3"
    assert page.query_params["group"] == "1"


def test_another_address_shows_another_view(open_page):
    page = open_page(q=WAR, groups="4")
    page.query_params["groups"] = "3"
    page.run()
    assert page.select_slider(key="groups").value == 3


def test_a_description_can_be_given(open_page):
    page = open_page(q=WAR, context="description", about="A longer wording", method="qs3m")
    assert page.text_area(key="description").value == "A longer wording"
    assert page.query_params["about"] == "A longer wording"


def test_one_hit_says_so(open_page):
    page = open_page(library="lonely", q=WAR)
    assert page.info
    assert len(groups_of(page)) == 1


@pytest.mark.parametrize("number", ["2", "3"])
def test_few_hits_are_grouped(open_page, number):
    page = open_page(library="tiny", q=WAR, groups=number)
    assert not page.warning
    assert f"{number} subtopics of “{WAR}” in 3 passages" in texts(page)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"library": "empty", "q": WAR}, "fewer words"),
        ({"library": "nowhere"}, "“nowhere”"),
        ({"library": "../etc"}, "library's name"),
        ({"method": "nonsense"}, "“nonsense”"),
        ({"method": "qs3m"}, "no trained model"),
        ({"method": None}, "No default method"),
    ],
)
def test_what_goes_wrong_is_one_plain_sentence(open_page, params, sentence):
    page = open_page(**params)
    assert len(page.warning) == 1
    assert sentence in page.warning[0].value
    assert not groups_of(page)
    assert page.text_input(key="query")  # the visitor can go on from here


def test_more_groups_than_hits_is_answered(open_page):
    page = open_page(library="tiny", q=WAR, groups="9")
    assert page.warning or "in 3 passages" in texts(page)


def test_an_encoder_that_cannot_be_loaded_is_one_plain_sentence(open_page, monkeypatch):
    monkeypatch.setattr(PassageLibrary, "encoder_name", "/no/such/folder")
    page = open_page(q=WAR)
    assert len(page.warning) == 1
    assert "/no/such/folder" in page.warning[0].value


def test_a_wrong_setting_is_one_plain_sentence(open_page, monkeypatch):
    monkeypatch.setenv("SUBCLUST_DEVICE", "toaster")
    assert r"SUBCLUST\_DEVICE must be" in open_page().warning[0].value


def test_after_an_error_another_choice_works(open_page):
    page = open_page(method="nonsense", q=WAR)
    page.selectbox(key="method").set_value("tfidf").run()
    assert not page.warning
    assert groups_of(page)


def test_markup_in_names_and_texts_is_shown_not_run(open_page):
    page = open_page(q="<script>alert(1)</script> war")
    assert "<script>" not in texts(page)


def test_the_app_opens_on_explore():
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["method"] = "tfidf"
    app.run()
    assert not app.exception
    assert app.text_input(key="query").value == EXAMPLES[0]


def ids_in_the_table(page):
    return set(page.dataframe[0].value.index)


def test_kept_hits_are_those_of_the_first_question(open_page):
    first = open_page(library="tiny", q="the Stamp Act", list="table")
    kept = open_page(library="tiny", q="snow at Valley Forge", hits="the Stamp Act", list="table")
    assert ids_in_the_table(kept) == ids_in_the_table(first)
    assert kept.query_params["hits"] == "the Stamp Act"


def test_an_address_leads_into_a_group(open_page):
    ids = [f"stamp-act:{number}#{number}" for number in range(1, 7)]
    view = View(query=WAR).into("Stamp Act", ids)
    page = open_page(**view.to_params(), list="table")
    assert ids_in_the_table(page) == set(ids)
    gone = open_page(**View(query=WAR).into("Gone", ["no such passage"]).to_params())
    assert gone.warning


def kinds_of_cards(page):
    return [child.type for child in page.container(key="cards").children.values()]


def test_cards_of_an_answer_with_more_groups_are_taken_away_at_once(open_page):
    page = open_page(q="number words", method="tfidf", groups="5")
    before = kinds_of_cards(page)
    page.select_slider(key="groups").set_value(3).run()
    after = kinds_of_cards(page)
    assert before.count("flex_container") == 5 and "empty" not in before
    assert after == ["flex_container"] * 3 + ["empty"] * 2


def test_of_many_hits_the_first_are_drawn_and_the_others_when_they_are_asked_for(
    open_page, monkeypatch
):
    monkeypatch.setattr(hits, "AT_ONCE", 20)
    page = open_page(q=WAR, groups="4", list="hits")
    first = re.findall(r"<li data-passage='([^']+)'", texts(page))
    assert len(first) == 20
    more = page.button(key="all-hits")
    assert numbers(more.label) == ["28"]
    more.click().run()
    shown = re.findall(r"<li data-passage='([^']+)'", texts(page))
    assert shown[:20] == first and len(set(shown)) == 48
    assert not [button for button in page.button if button.key == "all-hits"]


def test_of_many_chosen_passages_the_first_are_drawn_and_the_others_when_they_are_asked_for(
    open_page, monkeypatch
):
    def listed(page):
        return re.findall(r"<li data-passage='([^']+)'", texts(page.container(key="chosen")))

    monkeypatch.setattr(hits, "CHOSEN_AT_ONCE", 10)
    page = open_page(q=WAR, groups="4", list="hits")
    ids = re.findall(r"<li data-passage='([^']+)'", texts(page))[:25]
    page = open_page(q=WAR, groups="4", passage=ids)
    assert len(listed(page)) == 10
    more = page.button(key="all-chosen")
    assert numbers(more.label) == ["15"]
    more.click().run()
    assert set(listed(page)) == set(ids)
    assert not [button for button in page.button if button.key == "all-chosen"]
