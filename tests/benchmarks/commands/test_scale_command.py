import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from small_sets import labelled

from benchmarks import scale
from benchmarks.scale import keep
from benchmarks.scale_texts import ScaleTexts
from subclust.core.records import Passage


@pytest.fixture
def words(library, tmp_path, monkeypatch):
    folder = tmp_path / "results"
    monkeypatch.setattr(scale, "keep", lambda measured: keep(measured, folder))
    questions = tmp_path / "questions.jsonl"
    lines = [
        {"query": f"{word} in year {year}", "passages": [{"id": "x", "text": "y", "label": "z"}]}
        for word in ("tax", "army", "cod")
        for year in range(1760, 1770)
    ]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    texts = labelled(tmp_path / "texts.jsonl", n_passages=12)
    return ["scale", "--library", "small", "--texts", texts, "--questions", questions,
            "--queries", "25", "--sizes", "250,200"]  # fmt: skip


def test_sizes_are_built_searched_kept_and_drawn(run, words, tmp_path):
    status, out, err = run(*words, "--save", "--json")
    assert status == 0, err
    sizes = json.loads(out)["sizes"]
    assert [one["n_passages"] for one in sizes] == [200, 250]
    for one in sizes:
        assert (one["n_queries"], one["top_k"], one["recall"], one["has_index"]) == (5, 200, 1, 0)
        assert one["n_texts"] == 24 + 72 and one["n_encoded"] == 24
        assert one["n_bytes"] > 0 and one["resident_mb"] > 10
        for mode in ("fusion", "text", "vector", "exact"):
            times = one[f"{mode}_ms"]
            assert 0 < times["p50"] <= times["p95"] <= times["max"]
    kept = json.loads((tmp_path / "results" / "passages.json").read_text("utf-8"))["sizes"]
    assert kept == sizes
    ET.fromstring((tmp_path / "results" / "passages.svg").read_text("utf-8"))


def test_another_size_is_kept_beside_the_others_and_the_same_in_its_place(tmp_path):
    def measured(n_passages, megabytes):
        times = {"p50": 1.0, "p95": 2.0, "max": 3.0}
        return {
            **{f"{mode}_ms": times for mode in ("fusion", "text", "vector", "exact")},
            "n_passages": n_passages, "resident_mb": megabytes, "n_bytes": 10**6,
            "filling_seconds": 0.0, "indexing_seconds": 1.0,
        }  # fmt: skip

    for n_passages, megabytes in ((2000, 5), (1000, 6), (2000, 7)):
        path = keep(measured(n_passages, megabytes), tmp_path)
    kept = json.loads(path.read_text("utf-8"))["sizes"]
    assert [(one["n_passages"], one["resident_mb"]) for one in kept] == [(1000, 6), (2000, 7)]
    assert "2,000" in path.with_suffix(".svg").read_text("utf-8")


def test_libraries_stay_only_in_a_folder_that_was_named(run, words, tmp_path):
    words[-1] = "200"
    status, out, _ = run(*words, "--folder", tmp_path / "built")
    assert status == 0 and out.startswith("200 passages: fused p50 ")
    assert (tmp_path / "built" / "library" / "scale-200.lance").is_dir()


def test_wrong_usage(run, words):
    assert run(*words[:-1], "10,x")[0] == 2
    status, _, err = run(*words[:-1], "100")
    assert status == 1 and err.values["top_k"] == 200 and err.count("\n") == 1
    status, _, err = run(*words, "--queries", "5")
    assert status == 1 and err.values["warmed_by"] == 21


def test_made_passages_are_all_different_and_their_vectors_of_length_one():
    passages = [Passage(f"p{n}", " ".join(f"w{n}-{at}" for at in range(12))) for n in range(7)]
    vectors = np.eye(8, dtype=np.float32)[:5]
    texts = ScaleTexts(passages, vectors)
    made, found = texts.batch(0, 40)
    assert len({one.id for one in made}) == len({one.text for one in made}) == 40
    np.testing.assert_array_equal(found[:5], vectors)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert len(np.unique(found.round(5), axis=0)) == 40
    again, same = texts.batch(0, 40)
    assert again == made and (same == found).all()
