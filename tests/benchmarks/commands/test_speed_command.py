import json


def test_speed_times_both(run, library):
    status, out, _ = run("speed", "--library", "small", "--method", "tfidf", "--rounds", "1",
                         "--top-k", "10", "--json")  # fmt: skip
    result = json.loads(out)
    assert status == 0 and result["n_hits"] == result["n_hits_all"] == 10
    for regrouped in ("regroup", "regroup_all"):
        assert 0 < result[regrouped]["median_ms"] < result["query"]["median_ms"] * 5


def test_speed_times_the_first_grouping(run, library):
    words = (
        "speed",
        "--library",
        "small",
        "--method",
        "tfidf",
        "--first-time",
        "--top-k",
        "10",
    )
    status, out, _ = run(*words, "--json")
    result = json.loads(out)
    assert status == 0 and result["n_hits"] == 10 and result["first"]["n"] == result["again"]["n"]
    assert result["first"]["median_ms"] > 0 and result["n_tokens"] > 1
    assert run(*words)[1].startswith("10 hits of ")
