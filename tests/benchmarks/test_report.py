import json
import math
import os
import subprocess
import sys

import pytest
import small_results
from raising import numbers, raises
from scipy.stats import kendalltau

from benchmarks.published import read_paper
from benchmarks.report import (
    as_markdown,
    build_report,
    build_reports,
    check_reports,
    read_column,
    report_files,
    write_reports,
)
from benchmarks.report.summary import check_summary
from benchmarks.report.tables import compare_order
from benchmarks.results import OTHER_FOLDERS
from benchmarks.saved import SavedResults
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import PROJECT_ROOT
from subclust.methods import METHODS


@pytest.fixture
def report(paper, results):
    return build_report(paper, results)


def rows_of(report):
    table = report["tables"][0]
    return {row["label"]: row["cells"] for row in (*table["rows"], *table["own"])}


def paper_of(tmp_path, text):
    path = tmp_path / "small.toml"
    path.write_text(text, encoding="utf-8")
    return read_paper(path)


def test_gap_gain_and_test_are_those_computed_by_hand(report):
    best = rows_of(report)["Best"][0]
    assert best["published"] == {"value": 0.3, "mark": "▲", "approximate": False}
    assert best["ours"] == {"mean": 0.6, "stderr": 0.1, "n_queries": 3}
    assert best["difference"] == 0.3
    assert best["gain"] == {"published": 0.5, "ours": 0.5}  # 0.3 / 0.2 and 0.6 / 0.4
    # Differences 0.3, 0.1, 0.2: t = 2 sqrt 3 with 2 degrees of freedom; 3 tests in the column.
    p_value = 1 - math.sqrt(12 / 14)
    assert best["test"]["p_corrected"] == pytest.approx(3 * p_value, abs=1e-6)
    assert best["test"]["mean_difference"] == 0.2
    assert 0.1 <= best["test"]["low"] <= 0.2 <= best["test"]["high"] <= 0.3
    assert [best["test"][key] for key in ("wins", "ties", "losses")] == [3, 0, 0]
    assert best["test"]["mark"] == ""


def test_a_constant_gain_is_significant_and_the_reference_is_starred(report):
    rows = rows_of(report)
    assert rows["Second"][0]["test"]["mark"] == "▲"
    assert rows["Second"][0]["test"]["p_corrected"] == 0.0
    assert rows["Plain"][0]["test"] == {"mark": "★"}


def test_what_was_not_run_or_not_measured_says_so(report):
    rows = rows_of(report)
    assert rows["Nobody"][0]["ours"] is None and rows["Nobody"][0]["missing"] == "not run"
    assert rows["Best"][1]["missing"] == "not measured"
    assert rows["Best"][1]["published"]["value"] == 0.7
    assert rows["Second"][1]["published"] is None
    assert rows["Second"][1]["difference"] is None


def test_queries_on_which_a_metric_is_undefined_are_left_out(report):
    second = rows_of(report)["Second"][1]
    assert second["ours"]["n_queries"] == 2
    assert second["test"]["wins"] == 2 and second["test"]["mean_difference"] == 0.2


def test_our_own_methods_come_last_and_are_tested_too(report):
    table = report["tables"][0]
    assert [row["label"] for row in table["own"]] == ["ours (mine)"]
    cell = table["own"][0]["cells"][0]
    assert cell["published"] is None and cell["ours"]["mean"] == 0.4
    assert [cell["test"][key] for key in ("wins", "ties", "losses")] == [1, 1, 1]
    assert table["columns"][0]["n_comparisons"] == 3


def test_a_checkpoint_is_found_under_the_name_alone_only_if_it_is_that_one(results):
    assert results.find("best@one", "made").folder == "best"
    assert results.find("best@two", "made") is None
    assert results.find("ours", "made") is None


def test_the_order_of_the_methods_is_compared(report):
    order = report["tables"][0]["order"][0]
    assert order["published"] == ["Best", "Second", "Plain"]
    assert order["ours"] == ["Second", "Best", "Plain"]
    assert order["tau"] == pytest.approx(1 / 3, abs=1e-6)
    assert (order["n_pairs"], order["n_same"]) == (3, 2)
    assert order["swapped"] == [["Best", "Second"]]


@pytest.mark.parametrize(
    ("published", "ours"),
    [
        ([3, 2, 1, 0], [0.1, 0.4, 0.2, 0.3]),
        ([1, 1, 2, 3, 3], [5, 4, 4, 7, 6]),
        ([4, 3, 2], [1, 2, 3]),
    ],
)
def test_tau_is_kendalls_tau_b(published, ours):
    labels = [str(at) for at in range(len(ours))]
    found = compare_order(labels, published, ours)["tau"]
    assert found == pytest.approx(kendalltau(published, ours).statistic)


def test_an_order_of_equals_has_no_tau():
    assert compare_order(["a", "b"], [1, 1], [1, 2])["tau"] is None
    assert compare_order([], [], [])["tau"] is None


def test_helps_and_hurts_are_counted(report):
    ours = report["figures"][0]["ours"]
    assert (ours["n_queries"], ours["wins"], ours["share_won"]) == (3, 3, 1.0)
    assert ours["gain"] == 0.75  # 0.7 / 0.4


def test_queries_are_averaged_over_data_sets_with_their_error(paper, results, report):
    assert report["figures"][1]["ours"] is None
    # In another order than on the first data set: queries are matched by their text.
    save = small_results.save
    save(results.folder, "best@two", "second", "two", ari=[0.9, 0.7, 0.6],
         queries=["fish", "war", "peace"])  # fmt: skip
    save(results.folder, "plain", "second", ari=[0.6, 0.4, 0.2], queries=["fish", "war", "peace"])
    again = build_report(paper, SavedResults(results.folder))["figures"][1]["ours"]
    assert [row["query"] for row in again["queries"]] == ["war", "peace", "fish"]
    war = again["queries"][0]["series"]
    # 0.5 and 0.7: mean 0.6, standard deviation sqrt 0.02, error 0.1.
    assert war == [{"mean": 0.6, "stderr": 0.1, "n": 2}, {"mean": 0.3, "stderr": 0.1, "n": 2}]
    assert (again["n_won"], again["n_queries"]) == (3, 3)


def test_an_ablation_is_shown_if_it_was_measured(paper, results, report):
    assert report["ablations"][0]["rows"] == []
    small_results.save(results.folder, "best", "made", "one", ari=[0.5, 0.5, 0.8],
                       ablation={"no-query": [0.4, 0.4, 0.7]})  # fmt: skip
    again = build_report(paper, SavedResults(results.folder))
    (row,) = again["ablations"][0]["rows"]
    assert (row["method"], row["whole"]["mean"]) == ("best", 0.6)
    assert list(row["variants"]) == ["no-query"]
    assert row["variants"]["no-query"]["gain"] == 0.2
    assert row["variants"]["no-query"]["test"]["mark"] == "▲"
    assert any(numbers(said)[-2:] == ["0.600", "0.500"] for said in again["reading"])
    assert "| not run |" in as_markdown(again)


def test_an_ablation_averages_the_seeds_of_a_training(paper, results):
    for folder, ari, without in (
        ("best@one", [0.5, 0.5, 0.8], [0.4, 0.4, 0.7]),
        ("best@one-seed-1", [0.7, 0.3, 0.8], [0.4, 0.2, 0.9]),
    ):
        small_results.save(results.folder, folder, "made", ari=ari, ablation={"no-query": without})
    (row,) = build_report(paper, SavedResults(results.folder))["ablations"][0]["rows"]
    assert row["method"] == "best@one"
    assert row["whole"]["mean"] == pytest.approx(0.6)
    assert row["variants"]["no-query"]["mean"] == pytest.approx(0.5)


def test_the_reading_says_what_the_numbers_say(report):
    best, published, order, *_ = report["reading"]
    assert numbers(best) == ["1", "3", "75", "0.700", "0.400", "3", "0", "0"]
    assert best.index("Second") < best.index("Plain")
    assert numbers(published) == ["1", "50", "50"]
    assert published.index("Best") < published.index("Plain") < published.index("Theirs")
    assert numbers(order) == ["1", "3", "2", "3", "0.33", "1"]


def test_the_default_is_read_first_where_it_was_run(report):
    table = report["tables"][0]
    for default, first in (
        ("ours@mine", "ours (mine)"),
        ("second", "Second"),
        ("absent", "Second"),
    ):
        assert f"(flat), {first}, " in read_column(table, 0, default)[0]


def test_the_markdown_shows_both_sides(report):
    text = as_markdown(report)
    assert "| Best | 0.300▲ · 0.600 | 0.700 · not measured |" in text
    assert "| Nobody | ≈0▼ · " in text
    assert "Best and Second" in text and "Nobody: Not here." in text
    assert "| 3 / 0 / 0 |" in text and "| Theirs | 5 |" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert len(tables) > 20 and text.endswith("|\n")


def test_of_one_collection_there_is_no_interval_and_no_test(paper, tmp_path):
    for method, ari in (("plain", 0.2), ("second", 0.5)):
        small_results.save(tmp_path, method, "made", queries=["all"], ari=[ari])
    report = build_report(paper, SavedResults(tmp_path))
    text = as_markdown(report)
    assert numbers(report["reading"][0]) == ["1", "150", "0.500", "0.200"]
    assert "±" not in text.partition("## Table 1")[2].partition("## Figure 1")[0]
    assert "t-test" not in text and "queries, flat" not in text
    assert "| Second | 0.250 | 0.500 | +0.250 | +25.0% | +150.0% | – | – | 1 / 0 / 0 |" in text


def test_intervals_stand_beside_both_sides_where_the_paper_prints_them(tmp_path, results):
    text = small_results.PAPER.replace('"0.300▲"', '"0.300±0.016▲"')
    text = text.replace('main = "ari"', 'main = "ari"\nintervals = true')
    report = build_report(paper_of(tmp_path, text), results)
    best = rows_of(report)["Best"][0]
    assert best["published"]["spread"] == 0.016
    # The standard error of three queries is 0.1, and Student's quantile with two degrees 4.302653.
    assert best["ours"]["spread"] == pytest.approx(0.430265, abs=1e-6)
    text = as_markdown(report)
    assert "0.300 ± 0.016▲ · 0.600 ± 0.430" in text


def test_a_number_of_groups_that_was_validated_comes_before_the_methods_own(tmp_path, results):
    column = 'metric = "ari"\ngranularity = "flat"'
    text = small_results.PAPER.replace(column, column + '\ngroups = "validated"', 1)
    paper = paper_of(tmp_path, text)
    assert rows_of(build_report(paper, results))["Plain"][0]["ours"] is None
    path = results.folder / "plain" / "made.json"
    content = json.loads(path.read_text())
    for key, found, mean in (
        ("auto_k", {"ari": small_results.metric([0.1, 0.2, 0.3])}, 0.2),
        ("auto_k_by_rule", {"validated": {"ari": small_results.metric([0.4, 0.5, 0.6])}}, 0.5),
    ):
        content["granularities"]["flat"][key] = found
        path.write_text(json.dumps(content))
        again = build_report(paper, SavedResults(results.folder))
        assert rows_of(again)["Plain"][0]["ours"]["mean"] == pytest.approx(mean)


def test_results_of_different_queries_are_not_compared(paper, results):
    small_results.save(results.folder, "second", "made", ari=[1, 1, 1], queries=["x", "y", "z"])
    with raises(BenchmarkError, folder="second", folder_2="plain", task="made"):
        build_report(paper, SavedResults(results.folder))


@pytest.mark.parametrize("text", ["{", "[]", '{"queries": []}'])
def test_a_damaged_result_is_one_error(paper, results, text):
    (results.folder / "plain" / "made.json").write_text(text)
    with raises(BenchmarkError, path=str(results.folder / "plain" / "made.json")):
        build_report(paper, results)


def test_a_metric_with_too_few_values_is_one_sentence(paper, results):
    path = results.folder / "plain" / "made.json"
    content = json.loads(path.read_text())
    content["queries"].append("one more")
    path.write_text(json.dumps(content))
    with raises(BenchmarkError, count=4, other_count=3, name="ari"):
        build_report(paper, results)


def test_without_any_result_the_report_still_stands(paper, tmp_path):
    report = build_report(paper, SavedResults(tmp_path / "nowhere"))
    assert [numbers(said) for said in report["reading"]] == [["1"], ["1"], ["2"]]
    assert all(cell["missing"] == "not run" for row in rows_of(report).values() for cell in row)
    assert as_markdown(report).count("not run") >= 8


def test_files_are_checked_byte_for_byte(report, tmp_path):
    folder = tmp_path / "out"
    reports = {"small": report}
    with raises(BenchmarkError, names="small.md"):
        check_reports(reports, folder)
    assert [path.name for path in write_reports(reports, folder)] == ["small.md"]
    check_reports(reports, folder)
    assert [path.name for path in folder.iterdir()] == ["small.md"]
    (folder / "small.md").write_text("older")
    with raises(BenchmarkError, names="small.md"):
        check_reports(reports, folder)


def test_the_digest_follows_the_results(paper, results):
    before = results.digest(paper.tasks)
    small_results.save(results.folder, "third", "elsewhere", ari=[1, 1, 1])
    assert results.digest(paper.tasks) == before
    small_results.save(results.folder, "third", "made", ari=[1, 1, 1])
    assert results.digest(paper.tasks) != before


def test_what_is_no_methods_result_is_left_out_of_reports(paper, results):
    before = (results.folders("made"), results.digest(["made"]), build_report(paper, results))
    for folder in OTHER_FOLDERS:
        (results.folder / folder).mkdir()
        (results.folder / folder / "made.json").write_text('{"queries": []}')
    again = SavedResults(results.folder)
    assert (again.folders("made"), again.digest(["made"]), build_report(paper, again)) == before
    assert not OTHER_FOLDERS & set(METHODS)


def test_the_report_is_the_same_whatever_the_seed_of_hashes_and_the_order_of_keys(
    paper, results, tmp_path
):
    path = results.folder / "second" / "made.json"
    expected = report_files(build_report(paper, results) | {"results": ""})
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content, sort_keys=True))
    program = (
        "import sys; from pathlib import Path\n"
        "from benchmarks.published import read_paper\n"
        "from benchmarks.report import build_report, report_files\n"
        "from benchmarks.saved import SavedResults\n"
        "report = build_report(read_paper(Path(sys.argv[1])), SavedResults(Path(sys.argv[2])))\n"
        "report['results'] = ''\n"
        "sys.stdout.buffer.write(''.join(report_files(report).values()).encode())\n"
    )
    paths = [str(tmp_path / "published" / "small.toml"), str(results.folder)]
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, *paths],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(PROJECT_ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert runs[0].decode() == "".join(expected.values())


def test_the_reports_in_git_are_those_of_the_results():
    reports = build_reports(SavedResults())
    check_reports(reports)
    check_summary(reports)


CONTRAST = """
[[contrasts]]
name = "second"
label = "What the second adds"
caption = "With and without."
table = "table-1"
metric = "ari"
granularity = "flat"
against = "Plain"

[[contrasts.pairs]]
label = "Two seeds"
row = "Best"
methods = ["two", "two-seed-1", "two-seed-2"]
others = ["plain"]

[[contrasts.pairs]]
label = "Never run"
row = "Second"
methods = ["absent"]
others = ["plain"]
"""


def test_a_contrast_averages_the_seeds_that_were_measured(tmp_path, results):
    paper = paper_of(tmp_path, small_results.PAPER + CONTRAST)
    assert build_report(paper, results)["contrasts"][0]["rows"] == []
    small_results.save(results.folder, "two", "made", ari=[0.2, 0.6, 0.6])
    small_results.save(results.folder, "two-seed-1", "made", ari=[0.4, 0.6, 1.0])
    report = build_report(paper, SavedResults(results.folder))
    (row,) = report["contrasts"][0]["rows"]
    assert row["with"]["n_seeds"] == 2 and row["without"]["n_seeds"] == 1
    assert row["with"]["mean"] == pytest.approx((0.3 + 0.6 + 0.8) / 3, abs=1e-6)
    assert row["gain"]["ours"] == pytest.approx(1.7 / 1.2 - 1, abs=1e-5)
    assert row["gain"]["published"] == pytest.approx(0.5)
    assert row["test"]["wins"] == 3
    markdown = as_markdown(report)
    assert "| Two seeds | `made` | 2 / 1 |" in markdown
    assert "+50.0%" in markdown and "+41.7%" in markdown


def test_a_row_averages_the_seeds_that_were_measured(tmp_path, results):
    text = small_results.PAPER.replace(
        'method = "best@one"', 'method = "best@one"\nfurther = ["best@one-seed-1", "absent"]', 1
    )
    small_results.save(results.folder, "best@one-seed-1", "made", ari=[0.3, 0.7, 0.2])
    small_results.save(results.folder, "plain-seed-1", "made", ari=[0.9, 0.9, 0.9])
    report = build_report(paper_of(tmp_path, text), SavedResults(results.folder))
    rows = rows_of(report)
    assert rows["Best"][0]["ours"]["mean"] == pytest.approx((0.4 + 0.6 + 0.5) / 3, abs=1e-6)
    assert rows["Plain"][0]["ours"]["mean"] == pytest.approx(0.4)
    assert [row["label"] for row in report["tables"][0]["own"]] == ["ours (mine)"]


def test_seeds_of_other_queries_are_not_averaged(tmp_path, results):
    text = small_results.PAPER.replace('main = "ari"', 'main = "ari"\nown = false')
    small_results.save(results.folder, "two", "made", ari=[0.2, 0.6], queries=["war", "peace"])
    with raises(BenchmarkError, folder="plain", folder_2="two", task="made"):
        build_report(paper_of(tmp_path, text + CONTRAST), SavedResults(results.folder))
