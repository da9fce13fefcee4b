import copy
import csv
import io
import re

import pytest
from app_files import PAGES
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.core.settings import PROJECT_ROOT
from subclust.judging.published import as_csv, read_published
from subclust.ui.measured import _at_a_glance, table_html

PAPERS = {paper["name"]: paper for paper in read_published()}
TABLE = PAPERS["qs3m"]["tables"][0]


@pytest.fixture(autouse=True)
def shipped_models(monkeypatch):
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(PROJECT_ROOT / "models"))


@pytest.fixture
def open_benchmarks():
    def open_at(**params):
        page = AppTest.from_file(PAGES / "benchmarks.py", default_timeout=60)
        for name, value in params.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_at


def test_the_page_opens_with_a_sentence_from_the_results(open_benchmarks):
    page = open_benchmarks()
    shown = texts(page)
    at = [column["name"] for column in TABLE["columns"]].index(TABLE["main"])
    own = next(row for row in TABLE["own"] if row["cells"][at].get("folder") == "centred-qs3m")
    ours = own["cells"][at]["ours"]
    assert re.search(rf"\b{ours['n_queries']}\b.*Centred QS3M.*ARI {ours['mean']:.3f} ", shown)
    assert "class='sc-default'" in shown
    assert not page.warning


def test_the_first_sentence_and_picture_are_of_the_most_questions(open_benchmarks):
    found = _at_a_glance(PAPERS.values(), "centred-qs3m")
    assert found.n_questions == max(
        column["n_queries"] for column in TABLE["columns"] if column["metric"] == "ari"
    )
    assert found.n_better + found.n_equal + found.n_worse == found.n_questions
    shown = texts(open_benchmarks())
    assert all(f"flex:{n}'" in shown for n in (found.n_better, found.n_equal, found.n_worse))


def test_a_method_that_was_not_measured_has_no_first_sentence():
    assert _at_a_glance(PAPERS.values(), "no-such-method") is None


def test_every_row_of_the_paper_and_every_own_method_is_in_the_table(open_benchmarks):
    shown = texts(open_benchmarks())
    assert len(TABLE["rows"]) == 16
    for row in (*TABLE["rows"], *TABLE["own"]):
        assert f"<th role='rowheader' scope='row'>{row['label']}" in shown
    assert "0.300" in shown and "≈ 0" in shown and "not run" in shown


def test_another_measure_changes_table_and_reading(open_benchmarks):
    page = open_benchmarks()
    before = texts(page)
    page.selectbox(key="measure-qs3m-table-2").set_value("ari-flat-car-b").run()
    assert not page.exception
    assert texts(page) != before
    assert "On 451 questions of Wikipedia 2021" in texts(page)


def test_the_other_table_has_an_address(open_benchmarks):
    page = open_benchmarks(table="Table 4")
    assert page.selectbox(key="table").value == "table-4"
    assert not page.warning


def test_the_address_of_a_table_is_read_in_another_language(open_benchmarks):
    page = open_benchmarks(table="Table 4", lang="de")
    assert page.selectbox(key="table").value == "table-4"
    options = page.selectbox(key="table").options
    assert (options[0], options[-1]) == ("Tabelle 2", "Tabelle 4")
    page = open_benchmarks(table="Tabelle 4", lang="en")
    assert page.selectbox(key="table").value == "table-4"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_measure_can_be_drawn(paper):
    for table in PAPERS[paper]["tables"]:
        for at, column in enumerate(table["columns"]):
            assert all(column["sentences"])
            assert table_html(table, at, None).count("<tr ") >= 2 + len(table["rows"])


def test_in_german_labels_and_numbers_are_german(open_benchmarks):
    shown = texts(open_benchmarks(lang="de"))
    assert "flach" in shown and "0,300" in shown and "≈ 0" in shown


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_all_tables_of_a_paper_can_be_taken_along(paper):
    lines = list(csv.DictReader(io.StringIO(as_csv(paper))))
    cells = [
        (table["label"], row["label"], cell)
        for table in paper["tables"]
        for row in (*table["rows"], *table["own"])
        for cell in row["cells"]
    ]
    assert [(line["table"], line["method"]) for line in lines] == [cell[:2] for cell in cells]
    for line, (_, _, cell) in zip(lines, cells, strict=True):
        assert line["published"] == str(cell.get("published", {}).get("value", ""))
        assert line["mean"] == str(cell.get("ours", {}).get("mean", ""))


def test_markup_in_labels_is_shown_not_run():
    table = copy.deepcopy(TABLE)
    table["rows"][0]["label"] = "<script>"
    shown = table_html(table, 0, None)
    assert "<script>" not in shown and "&lt;script&gt;" in shown


def test_a_whole_collection_has_no_interval_and_no_test(open_benchmarks):
    page = open_benchmarks()
    page.selectbox(key="paper").set_value("aecl").run()
    told = texts(page)
    assert "whole collection" in told and "Bonferroni" not in told
    assert "95% from" not in told and "over 1 questions" not in told
    assert "queries here" not in told and "Better queries" not in told
