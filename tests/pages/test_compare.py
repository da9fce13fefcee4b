import csv
import io
import json

import pytest
from app_files import PAGES
from openpyxl import load_workbook
from page_texts import texts
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from subclust.comparison import Column, score_query
from subclust.core import access
from subclust.core.records import MAX_QUESTION
from subclust.core.settings import Settings
from subclust.ui import state
from subclust.ui.compare import answer as compare_take
from subclust.ui.compare.answer import _about, _passages_csv, _workbook
from subclust.ui.components.data_folder import told_of_others
from subclust.ui.components.view import View
from subclust.ui.components.words import method_label, plain

WAR = "the American war"


@pytest.fixture
def open_compare():
    def open_at(**params):
        page = AppTest.from_file(PAGES / "compare.py", default_timeout=120)
        for name, value in ({"q": WAR, "a": "tfidf;groups:4", "b": "jaccard"} | params).items():
            page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_at


def groups_of(page, letter):
    return [one for one in page.button if str(one.key).startswith(f"of-{letter}-")]


def frame(page, column):
    return next(one.value for one in page.dataframe if column in one.value.columns)


def test_two_columns_group_the_same_passages(open_compare):
    page = open_compare()
    assert "48 passages in 4 groups" in texts(page)
    for letter in "AB":
        sizes = [int(one.label.rsplit(" · ", 1)[1]) for one in groups_of(page, letter)]
        assert sum(sizes) == 48
    assert frame(page, "From")["Passages"].sum() == 48
    assert frame(page, "ARI")["Passages"].tolist() == [48]


def test_a_question_is_asked_by_the_button_too(open_compare):
    page = open_compare()
    for empty in ("", " "):
        page.text_input(key="compare-query").set_value(empty).run()
        assert page.info and not page.warning
    page.text_input(key="compare-query").set_value("taxes and tea")
    page.button(key="compare-search").click().run()
    assert page.query_params["q"] == "taxes and tea" and groups_of(page, "A")


def test_of_a_question_that_is_too_long_the_beginning_is_asked(open_compare):
    page = open_compare()
    box = page.text_input(key="compare-query")
    assert box.proto.max_chars == 0  # with a limit, the browser drops what is pasted, in silence
    box.set_value("the American war " * 200).run()
    assert len(page.text_input(key="compare-query").value) == MAX_QUESTION
    assert f"{MAX_QUESTION:,}" in " ".join(one.value for one in page.caption)
    assert groups_of(page, "A")


def test_where_all_libraries_are_others_it_is_said_whom_to_ask(open_compare, monkeypatch):
    monkeypatch.setattr("subclust.text.library.folder.may_use", lambda name, folder: False)
    monkeypatch.setattr(access, "_forbidden", True)  # no link to a page that a test does not open
    page = open_compare()
    (told,) = page.info
    assert told.value == told_of_others(Settings.from_environment()) and not page.warning


def test_columns_are_added_and_removed_and_the_address_carries_them(open_compare):
    page = open_compare()
    page.button(key="add-column").click().run()
    page.selectbox(key="n_clusters-C").set_value(3).run()
    assert page.query_params["a"] == "tfidf;groups:4"
    assert page.query_params["c"] == "jaccard;groups:3"
    assert len(frame(page, "ARI")) == 3
    page.radio(key="compare-between").set_value((1, 2)).run()
    assert page.query_params["between"] == "bc"
    page.button(key="remove-A").click().run()
    assert page.query_params["a"] == "jaccard"
    assert page.query_params["b"] == "jaccard;groups:3"
    assert "c" not in page.query_params
    assert "between" not in page.query_params
    assert page.selectbox(key="n_clusters-B").value == 3


def test_marking_a_group_lists_its_passages_with_their_group_in_each_column(open_compare):
    page = open_compare()
    button = groups_of(page, "B")[0]
    size = int(button.label.rsplit(" · ", 1)[1])
    button.click().run()
    marked = page.query_params["marked"].split(",")
    assert len(marked) == size
    chosen = frame(page, "In A")
    assert len(chosen) == size
    assert chosen["In B"].nunique() == 1
    groups_of(page, "B")[0].click().run()
    assert "marked" not in page.query_params


def test_marks_of_the_address_are_shown_and_can_be_cleared(open_compare):
    page = open_compare(marked="stamp-act%3A1%231,peace-treaty%3A2%232")
    assert "Chosen: 2 passages" in texts(page)
    assert set(frame(page, "In A").index) == {"stamp-act:1#1", "peace-treaty:2#2"}
    page.button(key="compare-clear").click().run()
    assert "Chosen" not in texts(page)


def test_only_what_moved_is_listed_by_id(open_compare):
    page = open_compare(b="tfidf;groups:3")
    moved = next(
        one.value
        for one in page.dataframe
        if list(one.value.columns)[1:] == ["In A", "In B", "Passage"]
    )
    same = next(one.value for one in page.dataframe if "From" in one.value.columns)
    split = same[[a[1:] != b[1:] for a, b in zip(same["From"], same["To"], strict=True)]]
    assert 0 < len(moved) < 48
    assert moved.index.is_unique
    assert len(moved) <= split["Passages"].sum()
    assert f"{len(moved)} of 48 passages" in texts(page)


def test_columns_that_agree_say_so(open_compare):
    page = open_compare(b="tfidf;groups:4")
    assert "Nothing moved" in texts(page)


def test_columns_are_scored_against_the_labels_of_the_library(open_compare):
    scores = frame(open_compare(b="tfidf;groups:2"), "B³ F1")
    assert scores["ARI"][0] > scores["ARI"][1]
    assert scores["ARI"][0] > 0.9


def test_columns_are_compared_over_many_questions(open_compare):
    page = open_compare(b="tfidf;groups:2")
    page.text_area(key="compare-questions").set_value("war\npeace treaty\ntax paper\nwar").run()
    page.button(key="compare-over").click().run()
    table = frame(page, "B − A")
    assert list(table["Question"])[-1] == "Mean"
    assert set(table["Question"]) == {"war", "peace treaty", "tax paper", "Mean"}
    assert table["B − A"].iloc[-1] == pytest.approx(table["B − A"].iloc[:-1].mean())


def test_a_question_without_labels_is_shown_as_plain_text(open_compare, monkeypatch):
    asked, bars = ":red[**tax**]", []
    draw = DeltaGenerator.progress

    def progress(self, value, text=None, **more):
        bars.append(text)
        return draw(self, value, text, **more)

    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    monkeypatch.setattr(
        compare_take,
        "score_query",
        lambda query, *given: None if query == asked else score_query(query, *given),
    )
    page = open_compare(b="tfidf;groups:2")
    page.text_area(key="compare-questions").set_value(f"war\n{asked}").run()
    page.button(key="compare-over").click().run()
    assert not page.exception
    assert [one for one in page.caption if plain(asked) in one.value]
    assert plain(asked) in bars and asked not in bars


def test_a_column_can_ask_under_another_question(open_compare):
    page = open_compare(b="tfidf;q:peace;groups:4")
    assert "under “peace”" in texts(page)
    assert "48 passages in 4 groups" in texts(page)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"library": "empty"}, "fewer words"),
        ({"library": "nowhere"}, "“nowhere”"),
        ({"b": "nonsense"}, "“nonsense”"),
        ({"b": "tfidf;model:mine"}, "is not trained"),
        ({"b": "qs3m;model:mine"}, "mine"),
    ],
)
def test_what_goes_wrong_is_one_plain_sentence(open_compare, params, sentence):
    page = open_compare(**params)
    assert len(page.warning) == 1
    assert sentence in page.warning[0].value
    assert page.button(key="add-column")  # the visitor can go on from here


def test_after_an_error_another_choice_works(open_compare):
    page = open_compare(b="nonsense")
    page.selectbox(key="method-B").set_value("tfidf").run()
    assert not page.warning
    assert groups_of(page, "B")


def test_the_files_hold_every_passage_with_its_groups(open_compare, monkeypatch):
    kept = []
    monkeypatch.setattr(compare_take, "draw_downloads", kept.append)
    page = open_compare(marked="")
    found = page.session_state["comparison"][1]
    assert found.columns == (Column("tfidf", n_clusters=4), Column("jaccard"))
    rows = list(csv.DictReader(io.StringIO(_passages_csv(found).decode("utf-8-sig"))))
    assert {row["id"]: int(row["B_group"]) for row in rows} == found.groups(1)
    sheets = load_workbook(io.BytesIO(_workbook(found, _about(found))))
    assert sheets.sheetnames == ["about", "passages", "agreement"]
    about = [value for _name, value in sheets["about"].iter_rows(values_only=True)]
    assert about[:2] == [WAR, "demo"]
    assert {method_label("tfidf"), method_label("jaccard")} <= {*about}
    assert sheets["passages"].max_row == 49
    told = json.loads(json.dumps(found.to_dict()))
    assert {one["id"]: one["groups"]["A"] for one in told["passages"]} == found.groups(0)


def test_a_cell_is_never_a_formula():
    import pandas as pd

    frame = pd.DataFrame({"title": ["=1+1", "@cmd", "plain"], "rank": [-1, 2, 3]})
    harmless = compare_take._harmless(frame)
    assert list(harmless["title"]) == ["'=1+1", "'@cmd", "plain"]
    assert list(harmless["rank"]) == [-1, 2, 3]


def test_what_was_asked_on_explore_is_compared():
    page = AppTest.from_file(PAGES / "compare.py", default_timeout=120)
    explored = View(query=WAR, library="tiny", method="tfidf", n_clusters=2, top_k=50)
    page.session_state[state.VIEW] = explored
    page.run()
    assert not page.exception
    assert page.text_input(key="compare-query").value == WAR
    assert page.selectbox(key="compare-library").value == "tiny"
    assert {name: page.query_params[name] for name in ("q", "library", "top", "a")} == {
        "q": WAR,
        "library": "tiny",
        "top": "50",
        "a": "tfidf;groups:2",
    }
    page.text_input(key="compare-query").set_value("tea").run()
    page.query_params.clear()  # as coming back from another page does
    page.run()
    assert page.text_input(key="compare-query").value == "tea"
    page.session_state[state.VIEW] = explored.changed(query="taxes")
    page.query_params.clear()
    page.run()
    assert page.text_input(key="compare-query").value == "taxes"
