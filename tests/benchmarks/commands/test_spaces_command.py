import json

import pytest
from small_sets import labelled

from benchmarks import spaces


@pytest.fixture
def words(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(spaces, "RESULTS_DIR", tmp_path / "results")
    data = labelled(tmp_path / "set.jsonl", n_passages=12)
    return ["spaces", data, "--method", "tfidf", "--method", "sbert-cosine"]


def test_the_promised_object_is_printed_and_saved(run, words, tmp_path):
    status, out, err = run(*words, "--save", "--json")
    assert status == 0, err
    told = json.loads(out)
    saved = tmp_path / "results" / "spaces" / "set.json"
    assert told == json.loads(saved.read_text(encoding="utf-8"))
    assert list(told) == ["task", "story", "rule", "queries"]
    assert (told["task"], len(told["queries"])) == ("set", 4)
    assert {"commit", "versions", "device", "granularity", "checkpoints"} <= set(told["story"])
    assert [method["label"] for method in told["queries"][0]["methods"]] == [
        "TF-IDF",
        "SBERT cosine",
    ]


def test_in_words_each_query_has_its_scores(run, words, tmp_path):
    status, out, _ = run(*words, "--query", "topic3")
    assert status == 0 and not (tmp_path / "results").exists()
    rule, empty, query, *methods = out.splitlines()
    assert rule and not empty
    assert query == "topic3 (12 passages, 3 subtopics)"
    assert [line.split()[:2] for line in methods] == [["tfidf", "ARI"], ["sbert-cosine", "ARI"]]


def test_wrong_usage(run, words):
    assert run(*words, "--queries", "0")[0] == 2
    assert run(*words, "--queries", "2", "--query", "topic3")[0] == 2
    status, _, err = run(*words, "--query", "topic33")
    assert status == 1 and err.count("\n") == 1 and "'topic33'" in err
