"""The first three steps: a set is brought, its columns are named, it is checked and kept."""

import gzip

import pytest
from app_files import PAGES
from labelled_files import GOOD_ROWS, csv_text, xlsx_bytes
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.labelled.sets import LabelledSetStore

FAULTY = [row[:] for row in GOOD_ROWS]
FAULTY[1][2], FAULTY[4][1], FAULTY[7][0] = "", "", ""
THEIRS = ["Question", "Abstract", "Subtopic"]


@pytest.fixture
def data_dir(tmp_path):
    """Give a data folder of this test's own: what is kept in one is not seen in another."""
    return tmp_path / "data"


@pytest.fixture
def page():
    train = AppTest.from_file(PAGES / "train.py", default_timeout=120).run()
    assert not train.exception
    return train


def bring(page, name, content, key="train-file"):
    content = content.encode() if isinstance(content, str) else content
    field = next(one for one in page.file_uploader if one.key.startswith(key))
    field.set_value((name, content, "text/csv"))
    page.run()
    assert not page.exception
    return page


def click(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return page


def test_a_new_visitor_is_told_what_a_set_is_and_can_have_a_template(page):
    assert page.header[0].value.startswith("Upload ")
    assert "Rain gardens" in texts(page)
    assert len(page.get("download_button")) == 3
    assert "aria-current='step'>Your set" in texts(page)


def test_a_faulty_set_is_mended_and_kept_under_the_name_it_was_given(page, data_dir):
    bring(page, "Fruit.csv", csv_text(FAULTY, THEIRS))
    assert [page.selectbox(key=k).value for k in column_keys(page)] == THEIRS
    click(page, "train-check")
    assert "4 of 20" in texts(page)
    for row in ('Row 3: the column "Subtopic" is empty', "Row 6:", "Row 9:"):
        assert row in texts(page)
    page.text_input(key="train-name").set_value("my-fruit").run()
    bring(page, "again.csv", csv_text(GOOD_ROWS, THEIRS), key="train-mended")
    assert "Row 3" not in texts(page)
    assert page.text_input(key="train-name").value == "my-fruit"
    click(page, "train-keep")
    kept = LabelledSetStore(data_dir / "sets").sets()
    assert [(one.name, one.n_passages, one.n_left_out) for one in kept] == [("my-fruit", 20, 0)]
    assert page.query_params["set"] == "my-fruit@1"
    assert any(header.value == "Which method?" for header in page.header)


def test_one_may_go_on_without_the_rows_at_fault(page, data_dir):
    bring(page, "Fruit.csv", csv_text(FAULTY, THEIRS))
    click(click(page, "train-check"), "train-keep")
    kept = LabelledSetStore(data_dir / "sets").load("fruit")
    assert kept.n_left_out >= 3
    assert "left out" in texts(page)


def test_a_file_that_is_no_table_of_that_kind_is_checked_and_cannot_be_kept(page):
    bring(page, "one.csv", csv_text(GOOD_ROWS[:2]))
    click(page, "train-check")
    assert not [button for button in page.button if button.key == "train-keep"]
    assert "You cannot continue" in " ".join(caption.value for caption in page.caption)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set.pkl", b"\x80\x04\x95"),
        ("set.csv", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("set.xlsm", b"PK\x03\x04"),
        ("set.xlsx", b"PK\x03\x04 no archive"),
        ("set.jsonl.gz", gzip.compress(b"\x00" * 100, mtime=0)),
        ("set.csv", b""),
    ],
)
def test_what_is_no_labelled_set_is_refused_with_a_sentence(page, data_dir, name, content):
    bring(page, name, content)
    assert len(page.error) == 1
    assert name in page.error[0].value.replace("\\", "")
    assert page.header[0].value.startswith("Upload ")
    left = data_dir / "sets" / "incoming"
    assert not left.exists() or not list(left.iterdir())


def test_columns_can_be_changed_and_each_holds_one_thing(page):
    bring(page, "set.csv", csv_text(GOOD_ROWS, ["a", "b", "c"]))
    assert page.button(key="train-check").disabled
    query, text, label = column_keys(page)
    for key, column in ((query, "a"), (text, "b"), (label, "b")):
        page.selectbox(key=key).set_value(column).run()
    assert "chosen twice" in page.warning[0].value
    page.selectbox(key=label).set_value("c").run()
    click(page, "train-check")
    assert "No problems: " in texts(page)
    click(page, "train-back")
    assert [page.selectbox(key=k).value for k in column_keys(page)] == ["a", "b", "c"]


def test_columns_that_are_called_as_on_the_page_are_guessed():
    page = AppTest.from_file(PAGES / "train.py", default_timeout=120)
    page.query_params["lang"] = "de"
    theirs = ["Frage", "Textstelle", "Unterthema"]
    bring(page.run(), "satz.csv", csv_text(GOOD_ROWS, theirs))
    assert [page.selectbox(key=key).value for key in column_keys(page)] == theirs
    assert not page.button(key="train-check").disabled


def test_a_workbook_is_taken_and_a_kept_set_can_be_used_and_deleted(page, data_dir):
    bring(page, "Fruit.xlsx", xlsx_bytes(GOOD_ROWS))
    click(click(page, "train-check"), "train-keep")
    click(page, "train-other-set")
    assert "set" not in page.query_params
    click(page, "train-use-set")
    assert page.query_params["set"] == "fruit@1"
    click(page, "train-other-set")
    click(page, "train-delete")
    page.button(key="train-delete-yes").click()
    click(page, "train-delete")
    assert LabelledSetStore(data_dir / "sets").sets() == []
    (back,) = [one for one in page.button if one.key.startswith("put-back")]
    back.click().run()
    assert [one.label for one in LabelledSetStore(data_dir / "sets").sets()] == ["fruit@1"]


def test_a_name_that_cannot_be_is_a_sentence_and_nothing_is_lost(page):
    bring(page, "Fruit.csv", csv_text(GOOD_ROWS))
    click(page, "train-check")
    page.text_input(key="train-name").set_value("../etc").run()
    click(page, "train-keep")
    assert page.error
    page.text_input(key="train-name").set_value("fruit").run()
    click(page, "train-keep")
    assert page.query_params["set"] == "fruit@1"


def test_an_address_of_a_set_that_is_gone_is_one_plain_sentence():
    page = AppTest.from_file(PAGES / "train.py", default_timeout=120)
    page.query_params["set"] = "gone@3"
    page.run()
    assert not page.exception
    assert "“gone”" in page.warning[0].value
    click(page, "train-restart")
    assert page.header[0].value.startswith("Upload ")


def column_keys(page):
    keys = [one.key for one in page.selectbox if str(one.key).startswith("train-column-")]
    return [
        next(key for key in keys if key.startswith(f"train-column-{name}-"))
        for name in ("query", "text", "label")
    ]
