"""Training curves, spaces and searches on the Benchmarks page, over made-up measurements."""

import json
import sys

import pytest
from streamlit.testing.v1 import AppTest

from subclust.settings import PROJECT_ROOT
from subclust.ui import reports

sys.path.insert(0, str(PROJECT_ROOT / "tests" / "benchmarks"))
import small_measurements

COB = "COB (Kashyapi and Dietz, 2021)"
CACTUS = "CACTUS (under review)"
AECL = "AECL (Yao and Li)"
SCL = "SCL and FCL (Shi and Sakai, 2023)"


@pytest.fixture
def results(monkeypatch, tmp_path):
    monkeypatch.setattr(reports, "RESULTS_DIR", tmp_path)
    return tmp_path


@pytest.fixture
def open_cob(monkeypatch):
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(PROJECT_ROOT / "models"))

    def open_at(**params):
        page = AppTest.from_file(PROJECT_ROOT / "pages" / "benchmarks.py", default_timeout=60)
        for name, value in ({"paper": COB} | params).items():
            page.query_params[name] = value
        page.run()
        assert not page.exception and not page.warning
        return page

    return open_at


def said(page):
    captions = [caption.value for caption in page.caption]
    return " ".join([*captions, *(str(element.value) for element in page.get("html"))])


def frame_with(page, column):
    return next(f.value for f in page.dataframe if column in f.value.columns)


def charts(page):
    return [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]


def test_the_paper_is_chosen_by_name_and_keeps_its_tables(open_cob, results):
    page = open_cob(table="Table 6")
    papers = page.selectbox(key="paper").options
    assert papers == ["QS3M (Kashyapi and Dietz, 2022)", AECL, CACTUS, COB, SCL]
    assert page.selectbox(key="table").options == ["Table 4", "Table 6", "Table 7"]
    assert page.selectbox(key="table").value == "table-6"
    assert page.selectbox(key="measure-cob-table-6").value == "ari-coarse-car"
    page.selectbox(key="paper").set_value("qs3m").run()
    assert not page.exception
    # It has no table 6: the page shows the first that it has.
    assert page.selectbox(key="table").value == "table-2"
    page.selectbox(key="table").set_value("table-4").run()
    page.selectbox(key="paper").set_value("cob").run()
    assert not page.exception
    assert page.selectbox(key="table").value == "table-4"
    assert page.selectbox(key="measure-cob-table-4").value == "ari-20ng"


def test_the_paper_of_the_default_method_comes_first(results, monkeypatch):
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(PROJECT_ROOT / "models"))
    page = AppTest.from_file(PROJECT_ROOT / "pages" / "benchmarks.py", default_timeout=60).run()
    assert page.selectbox(key="paper").value == "qs3m"


def test_what_was_not_measured_is_said_in_a_sentence(open_cob, results):
    page = open_cob()
    assert said(page).count("SBERT COB and SBERT Triplet were not measured here yet.") == 3
    found = frame_with(page, "λ, here")
    assert found["λ, published"].tolist() == ["90.0", "47.0", "103.0"]
    assert set(found["λ, here"]) == {"not run"}


def test_curves_and_epochs_are_drawn_with_a_table_beside(open_cob, results):
    small_measurements.fill_cob(results)
    page = open_cob()
    assert "SBERT COB is as good as SBERT Triplet ever gets (ARI 0.356" in said(page)
    assert "One epoch of SBERT COB takes 2.2 s, one of SBERT Triplet 3.1 min" in said(page)
    drawn = charts(page)
    curves = [chart for chart in drawn if chart["layout"]["xaxis"].get("type") == "log"]
    assert len(curves) == 2
    table = frame_with(page, "As good as the reference after")
    assert len(table) == 6
    row = table[table["Data"] == "20 Newsgroups"].set_index("Method").loc["SBERT COB"]
    assert row["Times sooner"] == pytest.approx(51.6, abs=0.1)
    assert row["As good as the reference after"] == "4.5 s" and row["One epoch"] == "2.2 s"
    assert "61.5" in frame_with(page, "λ, here")["λ, here"].tolist()


def test_the_spaces_of_all_queries_then_of_one_flat_and_in_depth(open_cob, results):
    small_measurements.fill_cob(results)
    page = open_cob()
    (grid,) = [chart for chart in charts(page) if len(chart["data"]) > 20]
    assert {trace["type"] for trace in grid["data"]} == {"scattergl"}
    table = frame_with(page, "Gold subtopics")
    assert len(table) == 4 * 3 and table["Query"].nunique() == 4

    page.selectbox(key="figure-4-query").set_value("Fudge").run()
    flat = [c for c in charts(page) if c["data"][0]["type"] == "scattergl"]
    assert len(flat) == 3 and all(len(chart["data"]) == 10 for chart in flat)
    assert "40 passages in 10 gold subtopics." in said(page)
    assert "Section 1 of Fudge <i>" in said(page)

    page.segmented_control(key="figure-4-view").set_value("In depth").run()
    assert not page.exception
    deep = [c for c in charts(page) if c["data"][0]["type"] == "scatter3d"]
    assert len(deep) == 3 and page.selectbox(key="figure-4-query").value == "Fudge"
    assert "Drag to turn a space" in said(page)


def test_in_depth_all_queries_are_too_many_and_the_first_is_shown(open_cob, results):
    small_measurements.fill_cob(results)
    page = open_cob()
    page.segmented_control(key="figure-4-view").set_value("In depth").run()
    assert not page.exception
    deep = [c for c in charts(page) if c["data"][0]["type"] == "scatter3d"]
    assert len(deep) == 3
    assert "Anti-slavery International" in [header.value for header in page.subheader]


def test_memory_and_time_are_drawn_and_listed(open_cob, results):
    small_measurements.save(results, "context", "minilm-float32-cpu", small_measurements.context())
    page = open_cob(paper=CACTUS)
    assert "Figure 4: memory and time as subsets grow" in [one.value for one in page.header]
    assert "SIA takes 1.10 times the memory of NIA" in said(page)
    drawn = [chart for chart in charts(page) if len(chart["data"]) == 3]
    titles = [chart["layout"]["yaxis"]["title"]["text"] for chart in drawn]
    assert titles == ["memory above the model's, MB", "processor time, seconds"]
    table = frame_with(page, "Word pieces each")
    assert list(table.columns) == [
        "Entities", "Word pieces each", "NIA, MB", "SIA, MB", "FIA, MB", "NIA, s", "SIA, s",
        "FIA, s",
    ]  # fmt: skip
    assert len(table) == 6


def test_a_figure_that_was_not_measured_is_said(open_cob, results):
    assert "SIA and FIA were not measured here yet" in said(open_cob(paper=CACTUS))
