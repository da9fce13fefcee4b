"""The bound below which a question counts as not answered."""

import numpy as np
import pytest

from benchmarks.answered import (
    Asked,
    Pool,
    ask_and_take_out,
    choose_bound,
    denied,
)
from benchmarks.results import OTHER_FOLDERS, RESULTS_DIR, read_result
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.text.retrieval.answering import BOUNDS


def asked(*cosines, held=False):
    return [Asked("q", cosine, held) for cosine in cosines]


def test_a_query_is_asked_with_its_passages_and_without():
    encoder = HashingEncoder(64)
    instances = [
        ClusteringInstance(
            Query(subject), tuple(Passage(f"{subject}{n}", f"{subject} {n}") for n in range(12))
        )
        for subject in ("cows", "ships")
    ]
    vectors = encoder.encode([one.query.text for one in instances])
    embeddings = [encoder.encode([p.text for p in one.passages]) for one in instances]
    answered, unanswered = ask_and_take_out(instances, vectors, embeddings)
    assert [one.held for one in answered] == [True, True]
    assert [one.held for one in unanswered] == [False, False]
    for at, other in ((0, 1), (1, 0)):
        cosines = np.sort(embeddings[other] @ vectors[at])[::-1][:10]
        assert unanswered[at].cosine == pytest.approx(cosines.mean(), abs=1e-3)
        assert answered[at].cosine > unanswered[at].cosine


def test_the_words_must_stand_in_one_passage():
    pool = Pool(["acid soil", "rain falls"], np.eye(2, dtype=np.float32))
    vector = np.array([1, 0], np.float32)
    assert not pool.ask("acid rain", vector).held
    assert pool.ask("falling rain", vector).held
    assert not pool.ask("falling rain", vector, range(1, 2)).held


def test_the_bound_lies_between_what_is_apart():
    bound = choose_bound(asked(0.5, 0.6, 0.7), asked(0.1, 0.2, 0.3))
    assert 0.3 < bound <= 0.31


def test_a_denied_answer_counts_double():
    # .41 would recognise one more of four unanswered and deny one of five answered.
    answered, unanswered = asked(0.35, 0.6, 0.6, 0.6, 0.6), asked(0.1, 0.1, 0.1, 0.4)
    assert choose_bound(answered, unanswered) == 0.11
    assert denied(answered, 0.41) == 0.2 and denied(unanswered, 0.41) == 1.0
    assert denied(asked(0.1, held=True), 0.41) == 0.0


def test_the_bounds_in_use_are_those_that_were_measured():
    measured = {}
    for path in (RESULTS_DIR / "answered").glob("*.json"):
        result = read_result(path)
        measured[result["encoder_revision"]] = result["bound"]
        (kept,) = result["validation"].values()
        columns = [
            [Asked("", *row) for row in zip(*kept[kind].values(), strict=True)]
            for kind in ("answered", "unanswered")
        ]
        assert choose_bound(*columns) == result["bound"]
    assert measured == BOUNDS
    assert "answered" in OTHER_FOLDERS
