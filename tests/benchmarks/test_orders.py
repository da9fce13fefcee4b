"""The ways to order hits that are compared in the laboratory."""

import numpy as np
import pytest

from benchmarks.orders import ORDERS, compare, look
from benchmarks.rank_fusion import reciprocal_rank_fusion
from benchmarks.shelves import ABSENT, Shelf
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.text.retrieval import fuse

SUBJECTS = ("herring", "granite", "opera", "barley", "comets", "pottery")


@pytest.fixture
def encoder():
    return HashingEncoder(64)


@pytest.fixture
def shelf(encoder):
    instances = [
        ClusteringInstance(
            Query(subject),
            tuple(
                Passage(f"{subject}{n}", f"{subject} note{n} on {subject} {'again ' * n}", label="")
                for n in range(12)
            ),
        )
        for subject in SUBJECTS
    ]
    embeddings = [encoder.encode([one.text for one in i.passages]) for i in instances]
    return Shelf(instances, embeddings)


@pytest.fixture
def sight(shelf, encoder):
    gains = {row: 1.0 for row in range(24, 36)}
    return look(shelf, "opera note3", encoder.encode_asked("opera note3"), gains)


def test_the_rank_fusion_is_that_of_the_paper(sight):
    found = sight.found
    rankings = [
        [str(row) for row in found.rows[np.argsort(ranks, kind="stable")][: (ranks < ABSENT).sum()]]
        for ranks in (found.by_words, found.by_meaning)
    ]
    expected = dict(reciprocal_rank_fusion(rankings))
    scores = ORDERS["rank fusion"](sight)
    assert {str(row): s for row, s in zip(found.rows, scores, strict=True)} == pytest.approx(
        expected
    )


def test_one_of_them_is_the_order_of_the_product(sight):
    found = sight.found
    expected = fuse(found.bm25, found.cosines, sight.embeddings, sight.words)
    np.testing.assert_array_equal(ORDERS["meaning 0.7, neighbours twice 0.3"](sight), expected)


def test_a_question_is_widened_by_words_of_its_first_hits(shelf, encoder, sight):
    assert sight.widened[np.isin(sight.found.rows, list(sight.gains))].min() > 0
    again = shelf.bm25(dict.fromkeys(shelf.columns("again"), 1.0))
    assert sight.widened[np.argmax(again[sight.found.rows])] > 0


def test_each_is_compared_with_the_rank_fusion(sight, shelf, encoder):
    gains = {row: 1.0 for row in range(12)}
    others = [
        look(shelf, f"herring {n}", encoder.encode_asked(f"herring {n}"), gains) for n in range(6)
    ]
    result = compare([sight, *others])
    assert set(result) == set(ORDERS)
    assert "gain" not in result["rank fusion"]
    for name, one in result.items():
        assert 0 <= one["ndcg_at_10"] <= 1
        if name != "rank fusion":
            before = result["rank fusion"]["ndcg_at_10"]
            assert one["gain"] == pytest.approx(one["ndcg_at_10"] / before - 1, abs=2e-3)
    assert result["words"]["ndcg_at_10"] == 1
