"""Whether a library seems to answer a question."""

import numpy as np
import pytest

from subclust.core.records import Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import Retriever, answering
from subclust.text.retrieval.answering import (
    BOUNDS,
    N_NEAREST,
    holds_all_words,
    nearest_cosine,
    seems_answered,
)

BOUND = 0.3


@pytest.fixture
def retriever(tmp_path):
    encoder = HashingEncoder(64)
    library = PassageLibrary.create(
        tmp_path,
        "farm",
        embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    texts = [f"cows and barley in field {n}" for n in range(20)] + ["a note on the old barn"]
    passages = [Passage(f"p{n:02}", text, title="Farming") for n, text in enumerate(texts)]
    library.add(passages, encoder.encode(texts))
    return Retriever(library, encoder)


@pytest.fixture
def calibrated(retriever, monkeypatch):
    monkeypatch.setitem(answering.BOUNDS, retriever.encoder.revision, BOUND)
    return retriever


@pytest.mark.parametrize("n_passages", [1, N_NEAREST - 1, N_NEAREST, 40])
def test_the_cosine_is_the_mean_of_the_nearest(n_passages):
    random = np.random.default_rng(0)
    vectors = random.normal(size=(n_passages + 1, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = sorted((float(vectors[0] @ one) for one in vectors[1:]), reverse=True)
    expected = sum(cosines[:N_NEAREST]) / min(N_NEAREST, n_passages)
    assert nearest_cosine(vectors[0], vectors[1:]) == pytest.approx(expected, abs=1e-6)


def test_without_hits_there_is_no_cosine():
    assert nearest_cosine(np.ones(4, np.float32), np.zeros((0, 4), np.float32)) is None
    assert seems_answered("q", [], None, next(iter(BOUNDS))) is None


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        ("effects of acid rain on forests", "Acid rain affected the forest; its effect", True),
        ("effects of acid rain on forests", "acid rain, and rain again in the forests", False),
        ("What caused the war?", "Causes of wars", True),
        ("Brexit referendum", "a referendum", False),
        ("1848", "in 1848, everywhere", True),
        ("who is it", "who is it", False),  # no word says anything
        ("", "anything", False),
        ("Müller", "Herr MÜLLER", True),
    ],
)
def test_which_texts_hold_all_words(question, text, held):
    assert holds_all_words(question, ["something else", text]) is held


@pytest.mark.parametrize(
    ("cosine", "texts", "answered"),
    [
        (BOUND + 0.01, ["nothing of it"], True),
        (BOUND - 0.01, ["nothing of it"], False),
        (BOUND - 0.01, ["nothing of it", "on acid rains"], True),
    ],
)
def test_the_bound_and_the_words_decide(monkeypatch, cosine, texts, answered):
    monkeypatch.setitem(answering.BOUNDS, "known", BOUND)
    assert seems_answered("acid rain", texts, cosine, "known") is answered
    assert seems_answered("acid rain", texts, cosine, "unknown") is None


@pytest.mark.parametrize("mode", ["fusion", "vector"])
def test_a_search_says_whether_it_is_answered(calibrated, mode):
    near = calibrated.search(Query("cows and barley in a field"), mode=mode)
    assert near.answered is True and near.nearest_cosine > BOUND
    far = calibrated.search(Query("zzyzx qwertz"), mode=mode)
    assert far.answered is False and far.nearest_cosine < BOUND
    # One passage alone is about it, so its neighbours are far, but it holds the words.
    few = calibrated.search(Query("notes of an old barn"), mode=mode)
    assert few.answered is True


def test_of_another_encoder_and_of_words_alone_nothing_is_said(retriever, calibrated):
    assert calibrated.search(Query("zzyzx"), mode="text").answered is None
    assert calibrated.search(Query("zzyzx"), mode="text").nearest_cosine is None
    answering.BOUNDS.pop(retriever.encoder.revision)
    uncalibrated = retriever.search(Query("zzyzx"))
    assert uncalibrated.answered is None and uncalibrated.nearest_cosine is not None
