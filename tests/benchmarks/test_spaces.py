import json

import numpy as np
import pytest
from raising import numbers, raises

from benchmarks.spaces import evenly_spaced, picture_spaces, principal_components
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.judging.bench import embed, run_benchmark

WORDS = "river tower bread flour stone water boat wall oven king law tax".split()


def instance(number, n_passages=12):
    """Make a query whose subtopics are told by words, more or less clearly."""
    random = np.random.default_rng(number)
    passages = []
    for place in range(n_passages):
        told = WORDS[place % 3 * 2 : place % 3 * 2 + 2] if random.random() < number / 8 else []
        noise = random.choice(WORDS, 5).tolist()
        passages.append(
            Passage(
                f"{number}-{place}",
                " ".join([*told, *noise, f"word{place}"]),
                label=f"part {place % 3}",
                path=f"part {place % 3} / {place % 6}",
            )
        )
    return ClusteringInstance(Query(f"query {number}"), tuple(passages))


INSTANCES = [instance(number) for number in range(8)] + [instance(99, n_passages=9)]


@pytest.fixture
def picture(read_only_store, encoder):
    def make(*methods, **options):
        return picture_spaces("made", INSTANCES, methods, encoder, read_only_store, **options)

    return make


def test_evenly_spaced_goes_from_the_best_to_the_worst():
    gains = [0.1, -0.5, 0.9, 0.3, -0.1, 0.5, 0.0]
    # In order: 2, 5, 3, 0, 6, 4, 1.
    assert evenly_spaced(gains, 4) == [2, 3, 6, 1]
    assert evenly_spaced(gains, 2) == [2, 1]
    assert evenly_spaced(gains, 1) == [0]
    assert evenly_spaced(gains, 9) == evenly_spaced(gains, 7) == [2, 5, 3, 0, 6, 4, 1]
    assert evenly_spaced([0.0, 0.0, 0.0], 2) == [0, 2]
    assert evenly_spaced([0.4], 4) == [0]


def test_queries_are_chosen_from_best_to_worst_whatever_flatters(picture, read_only_store, encoder):
    told = picture("tfidf", "jaccard", "sbert-cosine")
    scores = run_benchmark("made", INSTANCES, ["tfidf", "sbert-cosine"], encoder, read_only_store)[
        "methods"
    ]
    by_query = {
        method: dict(
            zip([i.query.text for i in INSTANCES], values["ari"]["per_instance"], strict=True)
        )
        for method, values in scores.items()
    }
    gains = {
        i.query.text: by_query["tfidf"][i.query.text] - by_query["sbert-cosine"][i.query.text]
        for i in INSTANCES[:8]
    }
    assert len(set(gains.values())) > 4
    ranked = sorted(gains.values(), reverse=True)
    chosen = [query["query"] for query in told["queries"]]
    assert [gains[text] for text in chosen] == [ranked[0], ranked[2], ranked[5], ranked[7]]
    # The same groups as in the benchmark, by their scores.
    for query in told["queries"]:
        found = {method["method"]: method["ari"] for method in query["methods"]}
        assert list(found) == ["tfidf", "jaccard", "sbert-cosine"]
        for method in by_query:
            assert found[method] == pytest.approx(by_query[method][query["query"]], abs=1e-6)
    assert numbers(told["rule"]) == ["8", "10", "4"]
    assert told["rule"].index("tfidf") < told["rule"].index("sbert-cosine")


def test_what_is_drawn_fits_the_passages(picture, encoder):
    told = picture("sbert-cosine", "centred-qs3m@tiny", texts=["query 7", "query 99"])
    assert "default" not in json.dumps(told)
    assert [query["query"] for query in told["queries"]] == ["query 7", "query 99"]
    for query, labelled in zip(told["queries"], (INSTANCES[7], INSTANCES[8]), strict=True):
        assert set(query) == {"query", "gold", "n_clusters", "methods"}
        assert query["gold"] == labelled.gold() and query["n_clusters"] == 3
        plain, moved = query["methods"]
        for method in (plain, moved):
            assert set(method) == {
                "method", "label", "ari", "groups", "coordinates", "explained",
            }  # fmt: skip
            assert sorted(set(method["groups"])) == [0, 1, 2]
            expected = adjusted_rand_index(query["gold"], method["groups"])
            assert method["ari"] == pytest.approx(expected, abs=1e-6)
            assert np.shape(method["coordinates"]) == (len(query["gold"]), 3)
            np.testing.assert_array_equal(np.round(method["coordinates"], 4), method["coordinates"])
            assert 0 < sum(method["explained"]) <= 1.0001
        (vectors,) = embed([labelled], encoder)
        np.testing.assert_allclose(
            plain["coordinates"], principal_components(vectors)[0], atol=5.1e-5
        )
        # The network's own space, not the encoder's.
        assert moved["coordinates"] != plain["coordinates"]
    assert told["checkpoints"] == {"sbert-cosine": None, "centred-qs3m@tiny": "tiny"}
    assert numbers(told["rule"]) == []


def test_full_paths_are_gold_where_they_are_asked_for(picture):
    told = picture("tfidf", "jaccard", n_queries=2, granularity="hierarchical")
    assert [query["n_clusters"] for query in told["queries"]] == [6, 6]
    assert told["queries"][0]["gold"][0] == "part 0 / 0"


@pytest.mark.parametrize(
    ("methods", "options", "values"),
    [
        (["tfidf"], {}, {}),
        (["tfidf"], {"texts": ["absent"]}, {"task": "made", "text": "absent", "text_2": "query 0"}),
    ],
)
def test_what_cannot_be_chosen_is_one_sentence(picture, methods, options, values):
    with raises(BenchmarkError, **values):
        picture(*methods, **options)


def test_queries_of_few_passages_are_never_chosen(read_only_store, encoder):
    with raises(BenchmarkError, task="made", min_passages=10):
        picture_spaces("made", INSTANCES[8:], ["tfidf", "jaccard"], encoder, read_only_store)
