"""Figure 4 of the CACTUS paper, by made-up measurements."""

import xml.etree.ElementTree as ET

import small_measurements as made
from raising import numbers

from benchmarks.published import PUBLISHED_DIR, read_paper
from benchmarks.report import (
    as_markdown,
    build_report,
    report_files,
)
from benchmarks.report.pictures import growth_of, longest_of
from benchmarks.saved import SavedResults

PAPER = read_paper(PUBLISHED_DIR / "cactus.toml")
NAME = "minilm-float32-cpu"


def report_of(folder, content=None):
    if content is not None:
        made.save(folder, "context", NAME, content)
    return build_report(PAPER, SavedResults(folder))


def panel_of(report):
    (panel,) = report["figures"][0]["ours"]["panels"]
    return panel


def test_every_size_has_memory_and_time_of_each_context(tmp_path):
    panel = panel_of(report_of(tmp_path, made.context()))
    assert panel["contexts"] == ["nia", "sia", "fia"]
    assert [(size["n_tokens"], size["n_entities"]) for size in panel["sizes"]] == [
        (16, 10), (16, 50), (16, 200), (128, 10), (128, 50), (128, 200),
    ]  # fmt: skip
    assert panel["sizes"][0]["memory"] == {"nia": 1.6, "sia": 1.76, "fia": 0.256}
    assert panel["growth"]["fia"] == {"memory": {"entities": 2.0, "tokens": 2.0}, "time": None}


def test_it_is_told_in_sentences_a_table_and_a_picture(tmp_path):
    report = report_of(tmp_path, made.context())
    memory, time = (said for said in report["reading"] if said.startswith("Figure 4, MiniLM."))
    assert numbers(memory) == ["4", "1.10", "1.20"]
    assert numbers(time) == ["4", "67", "50", "90", "56"]
    text = as_markdown(report)
    assert "| 10 | 16 | 1.6 | 1.8 | 0.3 | 0.002 | 0.003 | 0.010 |" in text
    assert "| FIA | N^2.00 L^2.00 | – |" in text
    picture = ET.fromstring(report_files(report)["cactus-figure-4.svg"])
    lines = [one for one in picture.iter() if one.tag.endswith("polyline")]
    assert len(lines) == 6


def test_where_a_context_was_not_measured_shorter_entities_are_drawn(tmp_path):
    content = made.context()
    for row in content["rows"]:
        if row["context"] == "fia" and row["n_tokens"] == 128 and row["n_entities"] > 10:
            row |= {"seconds": None, "cpu_seconds": None, "peak_mb": None, "failed": "Too large."}
    report = report_of(tmp_path, content)
    panel = panel_of(report)
    assert longest_of(panel) == 16
    assert [curve.label for curve in growth_of(panel, "memory")] == ["NIA", "SIA", "FIA"]
    assert growth_of(panel, "time")[2].sizes == (10, 50, 200)
    assert "| 200 | 128 | 256.0 | 281.6 | – | 0.256 | 0.512 | – |" in as_markdown(report)


def test_what_was_not_measured_is_said(tmp_path):
    report = report_of(tmp_path)
    assert report["figures"][0]["ours"] is None
    assert [numbers(said) for said in report["reading"] if said.startswith("Figure")] == [["4"]]
    assert "cactus-figure-4.svg" not in report_files(report)


def test_too_little_for_a_comparison_says_nothing_of_it(tmp_path):
    content = made.context()
    for compared in content["compared"].values():
        compared |= {"least": None, "median": None, "most": None}
    assert not any("MiniLM" in one for one in report_of(tmp_path, content)["reading"])
