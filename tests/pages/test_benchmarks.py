import json

import pytest
from streamlit.testing.v1 import AppTest

from subclust.benchmarks.report import REPORTS_DIR
from subclust.benchmarks.results import RESULTS_DIR
from subclust.settings import PROJECT_ROOT
from subclust.ui import reports
from subclust.ui.published_table import table_html

REPORT = json.loads((REPORTS_DIR / "qs3m.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def shipped_models(monkeypatch):
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(PROJECT_ROOT / "models"))


@pytest.fixture
def open_benchmarks():
    def open_at(**params):
        page = AppTest.from_file(PROJECT_ROOT / "pages" / "benchmarks.py", default_timeout=60)
        for name, value in params.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_at


def texts(page):
    return " ".join(str(element.value) for element in page.get("html"))


def test_the_page_opens_with_a_sentence_from_the_results(open_benchmarks):
    page = open_benchmarks()
    shown = texts(page)
    saved = json.loads((RESULTS_DIR / "centred-qs3m/trec_car_a.json").read_text(encoding="utf-8"))
    mean = saved["granularities"]["flat"]["true_k"]["ari"]["mean"]
    assert f"On {len(saved['queries'])} queries of TREC CAR (flat), Centred QS3M" in shown
    assert "the app&#x27;s default" in shown
    assert f"ARI {mean:.3f} against " in shown
    assert not page.warning


def test_every_row_of_the_paper_and_every_own_method_is_in_the_table(open_benchmarks):
    shown = texts(open_benchmarks())
    table = REPORT["tables"][0]
    assert len(table["rows"]) == 16
    for row in (*table["rows"], *table["own"]):
        assert f"<th role='rowheader' scope='row'>{row['label']}" in shown
    assert "0.300" in shown and "≈ 0" in shown and "not run" in shown


def test_another_measure_changes_table_reading_and_bars(open_benchmarks):
    page = open_benchmarks()
    before = texts(page)
    page.selectbox(key="measure-qs3m-table-2").set_value("ari-flat-car-b").run()
    assert not page.exception
    assert texts(page) != before
    assert "On 451 queries of Wikipedia 2021" in texts(page)
    frame = next(f for f in page.dataframe if "Query" in f.value.columns).value
    assert len(frame) == 451


def test_the_bars_have_a_table_twin_sorted_from_help_to_hurt(open_benchmarks):
    page = open_benchmarks()
    page.selectbox(key="first").set_value("QS3M-Title").run()
    page.selectbox(key="second").set_value("SBERT cosine").run()
    frame = next(f for f in page.dataframe if "Query" in f.value.columns).value
    assert list(frame.columns) == ["Query", "QS3M-Title", "SBERT cosine ", "Difference"]
    assert frame["Difference"].is_monotonic_decreasing
    assert frame["Difference"].tolist() == pytest.approx(
        (frame["QS3M-Title"] - frame["SBERT cosine "]).tolist()
    )


def test_a_method_may_be_compared_with_itself(open_benchmarks):
    page = open_benchmarks()
    page.selectbox(key="second").set_value(page.selectbox(key="first").value).run()
    assert not page.exception


def test_the_other_table_has_an_address(open_benchmarks):
    page = open_benchmarks(table="Table 4")
    assert page.selectbox(key="table").value == "table-4"
    assert not page.warning


def test_the_address_of_a_table_is_read_in_another_language(open_benchmarks):
    page = open_benchmarks(table="Table 4", lang="de")
    assert page.selectbox(key="table").value == "table-4"
    assert page.selectbox(key="table").options == ["Tabelle 2", "Tabelle 4"]
    page = open_benchmarks(table="Tabelle 4", lang="en")
    assert page.selectbox(key="table").value == "table-4"


def test_conditions_and_recipe_are_told(open_benchmarks):
    page = open_benchmarks()
    frame = next(f for f in page.dataframe if "Commit" in f.value.columns).value
    told = frame.set_index("Result").loc["centred-qs3m"]
    assert told["Seed"] == 0 and len(told["Commit"]) == 10 and told["Device"]
    assert "learning_rate" in told["Recipe"] and "torch" in told["Versions"]
    assert told["Seconds"] > 0


def test_the_report_can_be_taken_along(open_benchmarks):
    buttons = open_benchmarks().get("download_button")
    assert [button.proto.label for button in buttons] == ["CSV", "JSON", "Markdown"]


def test_new_results_are_compared_anew(open_benchmarks, monkeypatch, tmp_path):
    monkeypatch.setattr(reports, "RESULTS_DIR", tmp_path)
    page = open_benchmarks()
    assert "Nothing was run on TREC CAR yet." in texts(page)
    assert "Fewer than two methods" in " ".join(caption.value for caption in page.caption)


def test_a_damaged_result_is_one_plain_sentence(open_benchmarks, monkeypatch, tmp_path):
    (tmp_path / "tfidf").mkdir()
    (tmp_path / "tfidf" / "trec_car_a.json").write_text("{")
    monkeypatch.setattr(reports, "RESULTS_DIR", tmp_path)
    page = open_benchmarks()
    assert len(page.warning) == 1 and "cannot be read" in page.warning[0].value


def test_subjects_and_ablations_are_drawn_where_they_were_measured(
    open_benchmarks, monkeypatch, tmp_path
):
    subjects = ["Astrophysics", "Statistics"]
    for method, fold, values in (
        ("qs3m@arxiv-fold2", 1, [0.5, 0.4]),
        ("qs3m@arxiv-fold1", 2, [0.7, 0.2]),
        ("sbert-cosine", 1, [0.3, 0.4]),
        ("sbert-cosine", 2, [0.1, 0.4]),
    ):
        write(tmp_path, method, f"arxiv_fold{fold}", subjects, values)
    write(tmp_path, "qs3m", "trec_car_a", ["a", "b"], [0.5, 0.7], {"no-query": [0.4, 0.5]})
    monkeypatch.setattr(reports, "RESULTS_DIR", tmp_path)
    page = open_benchmarks()
    assert "better on 1 of 2 subjects" in " ".join(caption.value for caption in page.caption)
    frames = [frame.value for frame in page.dataframe]
    bars = next(frame for frame in frames if "Subject" in frame.columns and len(frame) == 2)
    assert bars["QS3M-Title"].tolist() == ["0.600 ± 0.100", "0.300 ± 0.100"]
    ablated = next(frame for frame in frames if "with no query" in frame.columns)
    assert ablated["with no query"].tolist() == [0.45]


def write(folder, method, task, queries, values, ablation=None):
    def metric(numbers):
        mean = sum(numbers) / len(numbers)
        return {"ari": {"mean": mean, "stderr": 0.1, "per_instance": numbers}}

    flat = {"true_k": metric(values), "story": {"seed": 0, "commit": None, "versions": {}}}
    if ablation:
        flat["ablation"] = {name: metric(numbers) for name, numbers in ablation.items()}
    path = folder / method / f"{task}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"queries": queries, "granularities": {"flat": flat}}))


def test_markup_in_labels_is_shown_not_run():
    table = json.loads(json.dumps(REPORT["tables"][0]))
    table["rows"][0]["label"] = "<script>"
    shown = table_html(table, 0, None)
    assert "<script>" not in shown and "&lt;script&gt;" in shown


def test_a_whole_collection_has_no_interval_and_no_test(open_benchmarks):
    page = open_benchmarks()
    page.selectbox(key="paper").set_value("aecl").run()
    told = texts(page)
    assert "on the whole collection; " in told and " against the reference" in told
    assert "so nothing is tested" in told and "Bonferroni" not in told
    assert "95% from" not in told and "over 1 queries" not in told
    assert "queries here" not in told and "Better queries" not in told
    assert "Query by query" not in [header.value for header in page.header]
