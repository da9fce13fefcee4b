import json

import pytest

pytestmark = pytest.mark.usefixtures("library")

ASKED = ("compare", "harbour army tax", "--library", "small")


def test_two_methods_are_compared_over_the_same_hits(run):
    status, out, _ = run(*ASKED, "--method", "tfidf", "--method", "jaccard", "--json")
    assert status == 0
    told = json.loads(out)
    assert [told["columns"][letter]["method"] for letter in "AB"] == ["tfidf", "jaccard"]
    assert len(told["passages"]) == told["n_passages"] == 24
    for letter in "AB":
        sizes = {one["id"]: one["size"] for one in told["columns"][letter]["subtopics"]}
        counted = [passage["groups"][letter] for passage in told["passages"]]
        assert {group: counted.count(group) for group in set(counted)} == sizes


def test_what_is_given_once_counts_for_all_columns(run):
    words = ("--method", "tfidf", "--n-clusters", "3", "--n-clusters", "5", "--n-clusters", "auto")
    told = json.loads(run(*ASKED, *words, "--json")[1])
    assert [told["columns"][letter]["method"] for letter in "ABC"] == ["tfidf"] * 3
    assert [told["columns"][letter]["n_clusters"] for letter in "AB"] == [3, 5]
    assert len(told["pairs"]) == 3


def test_the_labels_are_those_of_the_library(run):
    told = json.loads(
        run(*ASKED, "--method", "tfidf", "--n-clusters", "3", "--n-clusters", "2", "--json")[1]
    )
    gold = [told["columns"][letter]["gold"] for letter in "AB"]
    assert gold[0]["n_labels"] == 3
    assert gold[0]["ari"] > gold[1]["ari"]


def test_the_same_is_told_in_words(run):
    status, out, _ = run(*ASKED, "--method", "tfidf", "--method", "jaccard")
    assert status == 0 and "A and B" in out


def test_columns_are_compared_over_a_set_of_queries(run, tmp_path):
    path = tmp_path / "queries.txt"
    path.write_text("army\n\ntax\nfish harbour\ntax\n", encoding="utf-8")
    words = ("--method", "tfidf", "--n-clusters", "3", "--n-clusters", "2", "--queries", path)
    told = json.loads(run(*ASKED, *words, "--json")[1])["queries"]
    assert [one["query"] for one in told["per_query"]] == ["army", "tax", "fish harbour"]
    means = [sum(one["scores"][letter]["ari"] for one in told["per_query"]) / 3 for letter in "AB"]
    assert [told["mean_ari"][letter] for letter in "AB"] == pytest.approx(means)
    assert told["differences"][0]["test"]["mean_difference"] == pytest.approx(means[1] - means[0])
    assert "minus A" in run(*ASKED, *words)[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--method", "tfidf"), "2 to 4 columns"),
        (("--method", "tfidf") * 5, "2 to 4 columns"),
        (
            ("--method", "tfidf", "--method", "jaccard") + ("--n-clusters", "3") * 3,
            "2 to 4 columns",
        ),
        (("--method", "tfidf", "--method", "nonsense"), "nonsense"),
        (("--method", "tfidf", "--method", "jaccard", "--queries", "/no/file"), "cannot be read"),
    ],
)
def test_what_goes_wrong_is_one_plain_sentence(run, words, sentence):
    status, out, err = run(*ASKED, *words)
    assert (status, out) == (1, "")
    assert sentence in err
    assert "Traceback" not in err
