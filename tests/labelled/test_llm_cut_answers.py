"""Answers that the language model was not allowed to finish."""

import pytest
from raising import raises
from stub_model import chat

from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.llm import ChatEndpoint, LLMLabeller, label_file
from subclust.labelled.reading.instances import read_instances

TEXTS = ["red pen", "red ink", "red chalk", "oak bed", "oak chair"]
BEGINNING = "Red:\n- red pen\n- red ink\n- red chalk\n\nOak:\n- oak"


@pytest.fixture
def labeller(stub):
    endpoint = ChatEndpoint(stub.url, "small-1", timeout=5.0, n_retries=2, sleep=lambda _: None)
    return LLMLabeller(endpoint, "things")


def subset(number):
    passages = tuple(Passage(f"{number}-{place}", text) for place, text in enumerate(TEXTS))
    return ClusteringInstance(Query(f"list {number}"), passages)


@pytest.mark.parametrize("said", [BEGINNING, "", None, "Red things: first"])
def test_a_cut_answer_is_discarded_and_asked_for_once(stub, labeller, said):
    # With three of five placed, the beginning alone would be read as an answer.
    stub.script = [chat(said, finish_reason="length")]
    found = labeller.label(subset(0))
    assert (found.labels, found.reason) == ((), "cut")
    assert (found.tokens_in, found.tokens_out, found.n_missing) == (30, 20, 0)
    assert len(stub.requests) == 1


def test_the_same_words_that_were_not_cut_are_an_answer(stub, labeller):
    stub.script = [BEGINNING]
    assert labeller.label(subset(0)).labels == ("Red", "Red", "Red", None, None)


def test_subsets_with_a_cut_answer_are_counted_and_not_asked_again(stub, labeller, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    other = ClusteringInstance(Query("other"), subset(1).passages[::-1])
    stub.script = [chat(BEGINNING, finish_reason="length")]
    with raises(InputError, model="small-1"):
        label_file([subset(0)], labeller, path)
    stub.script = [BEGINNING + " bed\n- oak chair"]
    done = label_file([subset(0), other], labeller, path)
    assert (done.n_asked, done.n_labelled, done.n_missing) == (2, 1, 0)
    assert done.discarded == {"cut": 1} and len(stub.requests) == 2
    assert [one.query.text for one in read_instances(path)] == ["other"]
