"""What the pages say where the library does not seem to answer the question."""

import pytest
import small_library
from app_files import PAGES
from known_relevance import judge_by_cosine
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.text.library.folder import name_file

WAR = "the American war"
STRANGE = "zzyzx <b>qwertz</b>"


@pytest.fixture
def bound(monkeypatch):
    judge_by_cosine(monkeypatch, 0.3)


def groups_of(page):
    return [button for button in page.button if str(button.key).startswith("group-")]


def nothing_answers(page):
    return [one for one in page.toggle if one.key == "unanswered-groups"]


def test_an_answered_question_is_answered_as_ever(bound, open_page):
    page = open_page(q=WAR, groups="4")
    assert not nothing_answers(page)
    assert len(groups_of(page)) == 4


def test_an_unanswered_one_says_so_first_with_its_hits_folded_and_no_groups(bound, open_page):
    page = open_page(q=STRANGE)
    assert not page.warning and nothing_answers(page)
    shown = texts(page)
    assert "<b>" not in shown and "&lt;b&gt;qwertz" in shown
    assert "48 passages were searched" in shown
    (folded,) = [one for one in page.expander if "10 best hits" in one.label]
    assert not folded.proto.expanded
    assert shown.count("<li data-passage=") == 10
    assert not groups_of(page)
    assert "how-many" not in {one.key for one in page.button}


def test_the_library_is_called_by_its_name(bound, open_page, data):
    small_library.build(data, "my-books")
    folder = Settings.from_environment().library_dir
    name_file(folder, "my-books").write_text('{"name": "My Books"}')
    shown = texts(open_page(q=STRANGE, library="my-books"))
    assert "My Books" in shown and "my-books" not in shown


def test_groups_are_shown_on_request_and_not_praised(bound, open_page):
    page = open_page(q=STRANGE, groups="4")
    page.toggle(key="unanswered-groups").set_value(True).run()
    shown = texts(page)
    assert len(groups_of(page)) >= 4
    assert "how-many" in {one.key for one in page.button}
    assert "may be mixed" not in shown
    assert nothing_answers(page)  # what was said first is still said
    page.toggle(key="unanswered-groups").set_value(False).run()
    assert not groups_of(page)


def test_the_request_holds_for_one_question(bound, open_page):
    page = open_page(q=STRANGE)
    page.toggle(key="unanswered-groups").set_value(True).run()
    page.text_input(key="query").set_value("yyzzy").run()
    assert not groups_of(page) and page.toggle(key="unanswered-groups").value is False
    page.text_input(key="query").set_value(WAR).run()
    assert groups_of(page) and not nothing_answers(page)


def test_a_link_to_a_group_opens_the_groups(bound, open_page):
    page = open_page(q=STRANGE, groups="4", group="1")
    assert groups_of(page) and page.toggle(key="unanswered-groups").value is True


def test_of_an_encoder_that_nothing_was_learnt_for_nothing_is_said(open_page):
    page = open_page(q=STRANGE, groups="4")
    assert not nothing_answers(page) and groups_of(page)


@pytest.mark.parametrize(("question", "said"), [(STRANGE, 1), (WAR, 0)])
def test_compare_says_it_above_the_maps(bound, question, said):
    page = AppTest.from_file(PAGES / "compare.py", default_timeout=60)
    page.query_params["q"] = question
    page.query_params["a"] = "tfidf;groups:4"
    page.query_params["b"] = "jaccard"
    page.run()
    assert not page.exception
    assert texts(page).count("seems to answer") == said
