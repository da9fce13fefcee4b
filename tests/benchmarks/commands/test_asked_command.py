import json

import pytest

from benchmarks import asked


@pytest.fixture(autouse=True)
def results(monkeypatch, tmp_path):
    monkeypatch.setattr(asked, "RESULTS_DIR", tmp_path)
    return tmp_path


def test_names_are_printed_and_kept_with_the_size_of_their_groups(run, library, results):
    status, out, err = run(
        "asked",
        "--library",
        "small",
        "--method",
        "tfidf",
        "--question",
        "harbour towns",
        "--top-k",
        "20",
        "--save",
    )
    assert status == 0, err
    told = json.loads(out.splitlines()[-1])
    kept = json.loads((results / "asked" / "small.json").read_text(encoding="utf-8"))
    found = kept["asked"]["harbour towns"]
    assert found["groups"]
    assert told == {"questions": 1, "names": len(found["groups"]), "faults": kept["faults"]}
    for fault, count in kept["faults"].items():
        assert sum(fault in one["faults"] for one in found["groups"]) == count
    assert sum(one["size"] for one in found["groups"]) + found["other"] + found["set_aside"] == 20
    assert all(f"{one['name']} ({one['size']}" in out for one in found["groups"])
