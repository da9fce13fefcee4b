import gzip
import json

import pytest
from raising import numbers
from stub_model import chat, grouped

from subclust.labelled.llm import endpoint
from subclust.labelled.reading.instances import read_instances

USERS = [["0", "1", "2"], ["2", "0", "1"], ["1", "2"]]


@pytest.fixture
def named(stub, settings, monkeypatch):
    monkeypatch.setenv("SUBCLUST_LLM_URL", stub.url)
    monkeypatch.setenv("SUBCLUST_LLM_MODEL", "small-1")
    monkeypatch.setenv("SUBCLUST_LLM_KEY", "secret")


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "lists.jsonl"
    texts = [["red pen", "red ink", "blue pen"], ["oak bed", "oak chair", "elm chair"]]
    lines = [
        json.dumps({"query": f"list {n}", "passages": [{"text": text} for text in one]})
        for n, one in enumerate(texts)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def words(lists, tmp_path):
    return ("label", lists, "--out", tmp_path / "a.jsonl.gz", "--yes")


def test_nothing_is_sent_unless_a_model_is_named(run, settings, lists, tmp_path):
    status, out, err = run("label", lists, "--out", tmp_path / "a.jsonl.gz", "--yes")
    assert status == 1 and not out
    assert "SUBCLUST_LLM_URL" in err and err.count("\n") == 1


def test_nothing_is_sent_before_somebody_has_seen_the_cost(run, named, stub, lists, tmp_path):
    words = (
        "label",
        lists,
        "--out",
        tmp_path / "a.jsonl.gz",
        "--price-in",
        "1",
        "--price-out",
        "2",
    )
    status, out, _ = run(*words)
    assert status == 0 and stub.requests == [] and list(tmp_path.glob("a.*")) == []
    assert numbers(out)[:2] == ["2", "6"] and "0.00" in out
    assert f"small-1 at {stub.url}" in out and "secret" not in out
    status, out, _ = run(*words, "--json")
    estimate = json.loads(out)["estimate"]
    assert (estimate["n_requests"], estimate["n_entities"]) == (2, 6) and stub.requests == []


def test_a_set_is_labelled_and_can_be_trained_on(run, named, stub, lists, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    status, out, _ = run("label", lists, "--out", path, "--yes")
    assert status == 0 and {"2", "4", "60", "40"} <= set(numbers(out)) and "secret" not in out
    assert [one.gold() for one in read_instances(path)] == [
        ["Red things", "Red things", "Blue things"],
        ["Oak things", "Oak things", "Elm things"],
    ]
    assert "Cluster these passages:" in stub.requests[0][2]["messages"][0]["content"]
    status, _, err = run("label", lists, "--out", path, "--yes")
    assert status == 1 and err.values["path"] == str(path)


def test_as_one_object_with_what_was_left_out(run, named, stub, lists, tmp_path):
    stub.script = ["Red:\n- red pen\n- red ink", "no clusters"]
    status, out, err = run("label", lists, "--out", tmp_path / "a.jsonl.gz", "--yes", "--json")
    done = json.loads(out)
    assert status == 0
    assert (done["n_asked"], done["n_labelled"], done["n_missing"]) == (2, 1, 1)
    assert done["discarded"] == {"unparsable": 1} and done["model"] == "small-1"
    stub.script = ["Red:\n- red pen\n- red ink", ""]
    status, out, _ = run("label", lists, "--out", tmp_path / "b.jsonl.gz", "--yes")
    assert "1 left" in out
    assert "1 texts" in out


def test_sequences_of_items(run, named, stub, tmp_path):
    items, sequences = tmp_path / "items.jsonl.gz", tmp_path / "sequences.jsonl.gz"
    for path, records in (
        (items, [{"id": str(n), "title": t} for n, t in enumerate(["red pen", "red ink", "oak"])]),
        (sequences, [{"user": f"A{n}", "items": users} for n, users in enumerate(USERS)]),
    ):
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    words = ("label", sequences, "--items", items, "--things", "products", "--limit", "2")
    status, _, _ = run(*words, "--out", tmp_path / "a.jsonl.gz", "--yes")
    assert status == 0 and len(stub.requests) == 2
    assert "Cluster these products:" in stub.requests[0][2]["messages"][0]["content"]
    assert [one.query.text for one in read_instances(tmp_path / "a.jsonl.gz")] == ["A0", "A1"]


@pytest.mark.parametrize("status", [401, 500])
def test_a_model_that_refuses_is_one_sentence(
    run, named, stub, lists, tmp_path, monkeypatch, status
):
    monkeypatch.setattr(endpoint, "_LONGEST_PAUSE", 0.0)
    stub.script = [status]
    code, out, err = run("label", lists, "--out", tmp_path / "a.jsonl.gz", "--yes", "--json")
    cost, told = err.splitlines()
    assert (code, out) == (1, "") and "2 requests" in cost and f"status {status}" in told


@pytest.mark.parametrize(
    "words", [("--timeout", "0"), ("--timeout", "nan"), ("--price-in", "-1"), ("--limit", "0")]
)
def test_wrong_values_are_wrong_usage(run, lists, tmp_path, words):
    assert run("label", lists, "--out", tmp_path / "a.jsonl.gz", *words)[0] == 2


@pytest.mark.parametrize("as_json", [False, True])
def test_the_cost_is_told_before_anything_is_sent(run, named, stub, words, capsys, as_json):
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


def test_an_answer_that_was_cut_is_told(run, named, stub, words):
    cut = chat("Red:\n- red pen\n- red ink", finish_reason="length")
    stub.script = [cut, grouped]
    status, out, _ = run(*words)
    assert status == 0 and "1 of 2" in out
    words[3].unlink()
    stub.script = [cut, grouped]
    status, out, _ = run(*words, "--json")
    assert status == 0 and json.loads(out)["discarded"] == {"cut": 1}
