"""Passages that go with the same of the things that a question lists come together."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import Query
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.dividing import DividingSimilarity
from subclust.grouping.similarity.division import DivisionGate
from subclust.grouping.similarity.listed_things import WEIGHT, ListedThings, load_listed

DIM = 6
THINGS = {"tax": 0, "war": 1, "art": 2}
TEXTS = [f"passage {number}" for number in range(8)]
ABOUT = np.array([0, 0, 1, 1, 2, 2, 5, 5])
"""The axis of each passage; the last two are about none of the things."""


def axes(numbers):
    return np.eye(DIM, dtype=np.float32)[list(numbers)]


@pytest.fixture
def listed():
    """A passage fits the thing of its axis, and the last axis is none of them."""
    passages = np.concatenate([20 * np.eye(DIM), np.zeros((DIM, DIM))]).astype(np.float32)
    none = np.zeros(2 * DIM, dtype=np.float32)
    none[DIM - 1] = 20.0
    things = np.zeros((DIM, DIM), dtype=np.float32)
    return ListedThings(passages, things, none, np.float32(0.0))


def test_passages_of_one_thing_are_alike_and_those_of_none_of_them_too(listed):
    found = listed.likeness(axes(ABOUT), axes(THINGS.values()))
    same = (ABOUT[:, None] == ABOUT) & ~np.eye(len(ABOUT), dtype=bool)
    apart = ABOUT[:, None] != ABOUT
    assert found[same].min() > 1 > 0 > found[apart].max()
    assert np.array_equal(found, found.T)
    assert np.diagonal(found).tolist() == [0.0] * len(ABOUT)
    assert found.sum() == pytest.approx(0, abs=1e-3)


def test_things_that_no_passage_is_about_change_next_to_nothing(listed):
    others = listed.likeness(axes([5] * 8), axes([3, 4]))
    assert abs(others).max() < 1e-3


def test_what_is_saved_is_read_for_its_encoder(listed, tmp_path):
    file = tmp_path / "listed.npz"
    listed.save(file, "an encoder")
    found = load_listed("an encoder", file)
    assert np.array_equal(found.passages, listed.passages)
    assert load_listed("another encoder", file) is None
    assert load_listed("an encoder", tmp_path / "none.npz") is None


@pytest.fixture
def similarity(listed):
    torch.manual_seed(0)
    model = CentredSiamese(DIM, 4, shared_words=False, gate=True)
    usual = DivisionGate(
        question=np.zeros((DIM, 1), dtype=np.float32),
        question_shift=np.zeros(1, dtype=np.float32),
        hidden=np.zeros((3, 1), dtype=np.float32),
        hidden_shift=np.zeros(1, dtype=np.float32),
        out=np.zeros((1, 3), dtype=np.float32),
        out_shift=np.array([0, 0, 9], dtype=np.float32),
        thresholds=np.zeros(2, dtype=np.float32),
    )
    return DividingSimilarity(
        model,
        usual,
        threshold=0.5,
        encode=lambda things: axes(THINGS[thing] for thing in things),
        listed=listed,
    )


def embeddings():
    noise = np.random.default_rng(0).normal(size=(len(TEXTS), DIM))
    own = noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return np.concatenate([own, axes(ABOUT)], axis=1).astype(np.float32)


def asked(text, **values):
    vector = np.full(2 * DIM, 1 / np.sqrt(2 * DIM), dtype=np.float32)
    return Query(text, embedding=vector, **values)


def test_a_list_in_the_question_adds_its_likeness_to_the_scores(similarity, listed):
    plain = similarity.score_matrix(asked("a question"), TEXTS, embeddings())
    found = similarity.score_matrix(asked("tax, war and art"), TEXTS, embeddings())
    deviation = (plain - np.diag(np.diagonal(plain))).std()
    alike = listed.likeness(axes(ABOUT), axes(THINGS.values()))
    moved = similarity.score_matrix(asked("tax war art"), TEXTS, embeddings())
    np.testing.assert_allclose(moved, plain, atol=1e-6)
    np.testing.assert_allclose(found, plain + WEIGHT * deviation * alike, atol=1e-5)


@pytest.mark.parametrize("values", [{"way": "usual"}, {"words": ""}, {"context": "passages"}])
def test_whoever_chose_another_way_or_gave_no_question_is_not_answered_by_its_list(
    similarity, values
):
    with_list = asked("tax, war and art", **values)
    without = replace(with_list, text="a question")
    assert np.array_equal(
        similarity.score_matrix(with_list, TEXTS, embeddings()),
        similarity.score_matrix(without, TEXTS, embeddings()),
    )
