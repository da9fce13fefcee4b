import json

import pytest
from small_sets import labelled


@pytest.fixture
def sets(tmp_path):
    parts = {"training": 0, "validation": 10, "test": 20}
    return {name: labelled(tmp_path / f"{name}.jsonl", first=at) for name, at in parts.items()}


def test_the_rule_is_chosen_on_the_validation_queries(run, settings, sets):
    status, out, _ = run(
        "run", sets["test"], "--validation", sets["validation"], "--training", sets["training"],
        "--method", "kmeans", "--method", "tfidf", "--json",
    )  # fmt: skip
    chosen = json.loads(out)["auto_k"]["methods"]
    assert status == 0
    assert chosen["tfidf"]["count"]["rule"] == "threshold"
    told = chosen["kmeans"]["count"]
    assert told["rule"] in ("mean", "silhouette") and set(told["validation"]) == {
        "mean", "silhouette",
    }  # fmt: skip
    # All queries have three subtopics.
    if told["rule"] == "mean":
        assert told["value"] == 3.0 and chosen["kmeans"]["n_clusters"] == [3] * 6
    own = json.loads(run("run", sets["test"], "--method", "tfidf", "--json")[1])
    assert "count" not in own["auto_k"]["methods"]["tfidf"]


@pytest.mark.parametrize(
    ("words", "other"),
    [
        (("--validation", "a"), "--training"),
        (("--training", "a"), "--validation"),
        (("--validation", "a", "--training", "b", "--count", "gap"), "--count"),
    ],
)
def test_half_of_it_or_two_rules_are_wrong_usage(run, settings, sets, words, other):
    status, _, err = run("run", sets["test"], *words)
    assert status == 2 and other in err.splitlines()[-1]
