"""Reports of training curves, spaces and searches, by made-up measurements."""

import re
import xml.etree.ElementTree as ET

import pytest
import small_measurements as made
from raising import numbers, raises

from benchmarks.published import PUBLISHED_DIR, read_paper
from benchmarks.report import (
    as_markdown,
    build_report,
    check_reports,
    report_files,
    write_reports,
)
from benchmarks.saved import SavedResults
from subclust.core.exceptions import BenchmarkError

PAPER = read_paper(PUBLISHED_DIR / "cob.toml")

# Every 10 steps; "fast" takes 0.1 s a step, "plain" 1 s, and an epoch has 40 steps of either.
FAST = made.run("cob", 0.1, 40, [0.2, 0.3, 0.42, 0.45])
PLAIN = made.run("sbert-triplet", 1.0, 400, [0.2, 0.25, 0.3, 0.4, 0.35])
NEVER = made.run("cob-query", 0.2, 40, [0.2, 0.39, 0.38])

GOLD = ["tax", "war", "war", "tax", "war"]


def report_of(folder, *runs, **others):
    """Report with one measurement of training on 20 Newsgroups, and others by kind and name."""
    if runs:
        content = made.convergence(list(runs), "sbert-triplet", "newsgroups20")
        made.save(folder, "convergence", "newsgroups20", content)
    for kind, (name, content) in others.items():
        made.save(folder, kind, name, content)
    return build_report(PAPER, SavedResults(folder))


def read(report, figure):
    """Return the numbers that the sentences on a figure have."""
    return [numbers(said)[1:] for said in report["reading"] if said.startswith(figure)]


def figure_of(report, name):
    return next(figure for figure in report["figures"] if figure["name"] == name)


def test_when_a_run_reaches_the_best_of_the_reference_is_read_off_its_curve(tmp_path):
    report = report_of(tmp_path, PLAIN, NEVER, FAST)
    (panel,) = figure_of(report, "figure-3")["ours"]["panels"]
    assert panel["reference"] == "SBERT Triplet" and panel["reference_best"] == 0.4
    assert [run["label"] for run in panel["runs"]][:2] == ["SBERT COB", "SBERT Triplet"]
    fast, plain, never = panel["runs"]
    # 20 steps of 0.1 s against 30 of 1 s; an epoch of 4 s against one of 400 s.
    assert (fast["reached_seconds"], fast["speedup"]) == (2.0, 15.0)
    assert (fast["epoch_speedup"], fast["best"]) == (100.0, 0.45)
    assert (plain["reached_seconds"], plain["speedup"]) == (30.0, 1.0)
    assert (never["reached_seconds"], never["speedup"], never["epoch_speedup"]) == (None, None, 50)
    assert panel["training"] == ["made_train"] and panel["validation"] == "made_validation"


def test_runs_of_one_method_are_told_apart_by_their_checkpoints(tmp_path):
    again = {**FAST, "checkpoint": "two"}
    (panel,) = figure_of(report_of(tmp_path, FAST, again, PLAIN), "figure-3")["ours"]["panels"]
    assert {run["label"] for run in panel["runs"]} == {
        "SBERT COB (one)",
        "SBERT COB (two)",
        "SBERT Triplet",
    }


def test_the_reading_says_how_much_sooner_and_how_much_faster(tmp_path):
    report = report_of(tmp_path, FAST, PLAIN, NEVER)
    assert read(report, "Figure 3") == [["20", "0.400", "2", "30", "15"], ["20", "0.390", "0.400"]]
    assert read(report, "Figure 4") == [[]]
    assert read(report, "Figure 5") == [["20", "4", "6.7", "100"], ["20", "8", "6.7", "50"]]


def test_a_slower_method_is_called_slower(tmp_path):
    slow = made.run("cob", 4.0, 200, [0.2, 0.3, 0.42])
    report = report_of(tmp_path, slow, PLAIN)
    assert read(report, "Figure 3") == [["20", "0.400", "1.3", "30", "2.7"]]  # 80 s against 30 s
    assert read(report, "Figure 5") == [["20", "13", "6.7", "2.0"]]  # 800 s against 400 s
    assert all("slower" in said for said in report["reading"] if said.startswith("Figure 5"))


def test_a_method_that_is_as_good_untrained_is_not_called_infinitely_faster(tmp_path):
    ahead = made.run("cob", 1.0, 40, [0.5, 0.45])
    report = report_of(tmp_path, ahead, PLAIN)
    assert read(report, "Figure 3") == [["20"]]
    (panel,) = figure_of(report, "figure-3")["ours"]["panels"]
    assert (panel["runs"][0]["reached_seconds"], panel["runs"][0]["speedup"]) == (0, None)
    assert "| 0 s |" in as_markdown(report)


def test_spaces_keep_the_subtopics_largest_first_and_count_the_queries_won(tmp_path):
    queries = [
        (
            query,
            GOLD,
            [
                made.space("sbert-euclid", 0.1, GOLD, 1.0),
                made.space("sbert-triplet@wikipedia-n30", theirs, GOLD, 0.5),
                made.space("cob@wikipedia-n30", mine, GOLD, 0.1),
            ],
        )
        for query, mine, theirs in (("A", 0.9, 0.5), ("B", 0.2, 0.5), ("C", 0.5, 0.5))
    ]
    report = report_of(tmp_path, spaces=("trec_car_a", made.spaces(queries)))
    (panel,) = figure_of(report, "figure-4")["ours"]["panels"]
    assert (panel["n_won"], panel["n_compared"]) == (1, 3)
    first = panel["queries"][0]
    assert first["subtopics"] == ["war", "tax"] and first["gold"] == [1, 0, 0, 1, 0]
    assert [m["label"] for m in first["methods"]] == ["SBERT Euclid", "SBERT Triplet", "SBERT COB"]
    assert read(report, "Figure 4")[0][:2] == ["1", "3"]
    text = as_markdown(report)
    assert "| A | 5 | 2 | 0.100 (70%) | 0.500 (70%) | 0.900 (70%) |" in text


def test_the_method_of_another_checkpoint_is_not_the_papers(tmp_path):
    query = ("A", GOLD, [made.space("cob@wikipedia", 0.4, GOLD, 0.1)])
    report = report_of(tmp_path, spaces=("trec_car_a", made.spaces([query])))
    (panel,) = figure_of(report, "figure-4")["ours"]["panels"]
    assert panel["queries"][0]["methods"][0]["label"] != "SBERT COB"
    assert panel["n_compared"] == 0 and not any("Figure 4" in one for one in report["reading"])


def test_a_search_stands_beside_the_papers(tmp_path):
    values = {"objective.interpolation": 61.5, "objective.regularisation": 2.25}
    found = made.search(values, "cob-newsgroups20", ari=0.431)
    report = report_of(tmp_path, search=("cob-newsgroups20", found))
    first, second, third = report["searches"][0]["rows"]
    assert first["ours"]["values"] == [61.5, 2.25] and first["ours"]["n_trials"] == 4
    assert second["ours"] is None and third["ours"] is None
    text = as_markdown(report)
    assert "| NG20 | 90.0 | 61.5 | 1.0 | 2.25 | 0.431 | 4 |" in text
    assert "| CAR coarse | 47.0 | " in text


def test_measurements_are_no_methods_and_change_the_digest(tmp_path):
    before = SavedResults(tmp_path).digest(PAPER.tasks, PAPER.measurements)
    made.fill_cob(tmp_path)
    results = SavedResults(tmp_path)
    assert results.folders("trec_car_a") == []
    assert results.digest(PAPER.tasks, PAPER.measurements) != before
    assert results.digest(PAPER.tasks) == before


@pytest.mark.parametrize("text", ["{", "[]", '{"runs": []}'])
def test_a_damaged_measurement_is_one_sentence(tmp_path, text):
    path = made.save(tmp_path, "convergence", "wikipedia", {})
    path.write_text(text)
    with raises(BenchmarkError):
        build_report(PAPER, SavedResults(tmp_path))


def test_pictures_stand_beside_the_text_and_are_checked_with_it(tmp_path):
    report = build_report(PAPER, SavedResults(made.fill_cob(tmp_path / "results")))
    folder = tmp_path / "out"
    names = [path.name for path in write_reports({"cob": report}, folder)]
    pictures = ["cob-figure-3.svg", "cob-figure-4.svg", "cob-figure-5.svg"]
    assert names == ["cob.md", *pictures]
    text = (folder / "cob.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text) == pictures
    check_reports({"cob": report}, folder)
    (folder / "cob-figure-4.svg").write_text("older")
    with raises(BenchmarkError, names="cob-figure-4.svg"):
        check_reports({"cob": report}, folder)


def test_the_report_of_a_paper_that_was_not_run_has_no_pictures(tmp_path):
    report = build_report(PAPER, SavedResults(tmp_path))
    assert list(report_files(report)) == ["cob.md"]
    assert [read(report, f"Figure {number}") for number in (3, 4, 5)] == [[[]]] * 3


def test_every_passage_is_a_mark_in_the_picture(tmp_path):
    report = build_report(PAPER, SavedResults(made.fill_cob(tmp_path)))
    picture = ET.fromstring(report_files(report)["cob-figure-4.svg"])
    marks = picture.findall("{http://www.w3.org/2000/svg}path")
    (panel,) = figure_of(report, "figure-4")["ours"]["panels"]
    assert len(marks) == sum(len(one["gold"]) * 3 for one in panel["queries"])


def test_without_the_reference_the_reading_says_so(tmp_path, paper, results):
    (results.folder / "plain" / "made.json").unlink()
    report = build_report(paper, SavedResults(results.folder))
    assert numbers(report["reading"][0]) == ["1"] and "Plain" in report["reading"][0]
    assert report["tables"][0]["columns"][0]["n_queries"] == 3
