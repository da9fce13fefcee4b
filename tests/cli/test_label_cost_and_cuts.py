import json

import pytest
from raising import numbers
from stub_model import chat, grouped


@pytest.fixture
def stub(stub, settings, monkeypatch):
    monkeypatch.setenv("SUBCLUST_LLM_URL", stub.url)
    monkeypatch.setenv("SUBCLUST_LLM_MODEL", "small-1")
    return stub


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "lists.jsonl"
    texts = [["red pen", "red ink", "blue pen"], ["oak bed", "oak chair", "elm chair"]]
    lines = [
        json.dumps({"query": f"list {number}", "passages": [{"text": text} for text in one]})
        for number, one in enumerate(texts)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return ("label", path, "--out", tmp_path / "a.jsonl.gz", "--yes")


@pytest.mark.parametrize("as_json", [False, True])
def test_the_cost_is_told_before_anything_is_sent(run, stub, words, capsys, as_json):
    told = []

    def watched(prompt):
        told.append(capsys.readouterr())
        return grouped(prompt)

    stub.script = [watched]
    status, out, _ = run(*words, *["--json"] * as_json)
    first = told[0].err if as_json else told[0].out
    assert status == 0 and numbers(first)[:2] == ["2", "6"] and stub.url in first
    if as_json:
        assert not told[0].out and json.loads(out)["estimate"]["n_requests"] == 2


def test_an_answer_that_was_cut_is_told(run, stub, words):
    cut = chat("Red:\n- red pen\n- red ink", finish_reason="length")
    stub.script = [cut, grouped]
    status, out, _ = run(*words)
    assert status == 0 and "1 of 2" in out
    words[3].unlink()
    stub.script = [cut, grouped]
    status, out, _ = run(*words, "--json")
    assert status == 0 and json.loads(out)["discarded"] == {"cut": 1}
