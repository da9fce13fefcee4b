"""Under another question the same passages divide by another thing."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import Passage, Query, documents_by_text
from subclust.grouping.clustering.agglomerative import GatedSubtopics
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.dividing import (
    EVEN,
    FEW,
    SAME_DOCUMENT,
    DividingSimilarity,
    documents_of,
    groups_by_subject,
    share_documents,
    spread_evenly,
    without_means,
)
from subclust.grouping.similarity.division import SURE, WAYS, DivisionGate, load_gate
from subclust.grouping.similarity.network import NetworkSimilarity

DIM = 12
TEXTS = [f"{who} {what} {n}" for who in ("ada", "ben", "cid") for what in "xyz" for n in range(2)]
SUBJECT = np.repeat([0, 1, 2], 6)
ASPECT = np.tile(np.repeat([0, 1, 2], 2), 3)
DOCUMENTS = {text: text.split()[0] for text in TEXTS}
AXES = {"subjects": 0, "aspects": 1}


def gate(thresholds=(0.0, 0.0)):
    """Ask by the first axis for subjects, by the second for aspects, by others as usual."""
    question = np.zeros((DIM, 2), dtype=np.float32)
    question[0, 0] = question[1, 1] = 9.0
    hidden = np.zeros((5, 2), dtype=np.float32)
    hidden[0, 0] = hidden[1, 1] = 9.0
    return DivisionGate(
        question=question,
        question_shift=np.zeros(2, dtype=np.float32),
        hidden=hidden,
        hidden_shift=np.zeros(2, dtype=np.float32),
        out=np.eye(2, 3, dtype=np.float32),
        out_shift=np.array([0, 0, 4], dtype=np.float32),
        thresholds=np.array(thresholds, dtype=np.float32),
    )


def vectors():
    """Both halves have both divisions; the base half mainly subjects, the other mainly aspects."""
    generator = np.random.default_rng(0)
    halves = []
    for first, second in ((0.6, 1.0), (1.0, 0.3)):
        half = generator.normal(0, 0.05, (len(TEXTS), DIM))
        half[np.arange(len(TEXTS)), 2 + SUBJECT] += first
        half[np.arange(len(TEXTS)), 6 + ASPECT] += second
        halves.append(half / np.linalg.norm(half, axis=1, keepdims=True))
    return np.concatenate(halves, axis=1).astype(np.float32) / np.float32(np.sqrt(2))


def asked(way="usual", documents=None):
    axis = AXES.get(way, 11)
    vector = np.tile(np.eye(DIM, dtype=np.float32)[axis], 2) / np.float32(np.sqrt(2))
    return Query("a question", embedding=vector, documents=documents)


@pytest.fixture
def similarity():
    torch.manual_seed(0)
    model = CentredSiamese(DIM, 4, shared_words=False, gate=True)
    return DividingSimilarity(model, gate((0.2, 0.3)), threshold=0.5)


def groups(similarity, query, n_clusters=3):
    clusterer = GatedSubtopics(similarity, n_clusters)
    return clusterer.fit(TEXTS, query=query, embeddings=vectors()).labels_


def same(labels, gold):
    return len(set(zip(labels.tolist(), gold.tolist(), strict=True))) == len(set(gold.tolist()))


@pytest.mark.parametrize("documents", [None, DOCUMENTS])
def test_the_question_decides(similarity, documents):
    assert same(groups(similarity, asked("subjects", documents)), SUBJECT)
    assert same(groups(similarity, asked("aspects", documents)), ASPECT)


def test_other_questions_are_scored_as_ever(similarity):
    query = asked(documents=DOCUMENTS)
    plain = NetworkSimilarity(similarity.model)
    assert np.array_equal(
        similarity.score_matrix(query, TEXTS, vectors()),
        plain.score_matrix(query, TEXTS, vectors()),
    )
    subjects = similarity.score_matrix(asked("subjects"), TEXTS, vectors())
    assert not np.allclose(subjects, plain.score_matrix(asked("subjects"), TEXTS, vectors()))


@pytest.mark.parametrize(
    "query",
    [
        Query("a question"),
        replace(asked("subjects"), context="passages"),
        replace(asked("subjects"), words=""),
        replace(asked("subjects"), embedding=np.eye(DIM, dtype=np.float32)[0]),
    ],
)
def test_what_has_no_words_of_the_base_encoder_is_usual(similarity, query):
    assert similarity.way(query, vectors()) == "usual"
    assert similarity.way(asked("subjects"), None) == "usual"


def test_the_scores_are_their_formula(similarity):
    found = similarity.scores_of("subjects", asked(documents=DOCUMENTS), TEXTS, vectors())
    alone = similarity.scores_of("subjects", asked(), TEXTS, vectors())
    for i in range(len(TEXTS)):
        for j in range(len(TEXTS)):
            bonus = SAME_DOCUMENT if SUBJECT[i] == SUBJECT[j] else 0.0
            assert found[i, j] == pytest.approx(alone[i, j] + bonus, abs=1e-6)
    space = similarity.space(asked(), vectors())
    space = space - space.mean(axis=0)
    left = np.array(
        [row - space[SUBJECT == SUBJECT[i]].sum(axis=0) / (6 + FEW) for i, row in enumerate(space)]
    )
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    aspects = similarity.scores_of("aspects", asked(documents=DOCUMENTS), TEXTS, vectors())
    np.testing.assert_allclose(aspects, left @ left.T, atol=1e-5)
    moved = similarity.score_matrix(asked("aspects", DOCUMENTS), TEXTS, vectors())
    np.testing.assert_allclose(moved, aspects - np.float32(0.3) + 0.5, atol=1e-5)


def test_a_question_without_a_subject_sets_nobody_aside(similarity):
    for way, beside in (("subjects", 0), ("usual", 1)):
        clusterer = GatedSubtopics(similarity, 3, max_other=0.1)
        with torch.no_grad():
            similarity.model.gate.relevance.bias.fill_(-99.0)
            similarity.model.gate.mixed[-1].bias.fill_(99.0)
        clusterer.fit(TEXTS, query=asked(way), embeddings=vectors())
        assert (clusterer.n_beside_ > 0) == beside


def test_documents_are_told_by_the_texts():
    passages = [Passage(f"book#{n}", f"METHODS: text {n}", title="") for n in range(3)]
    passages += [Passage("leaf", "alone", title=""), Passage("own#1", "named", title="Title")]
    found = documents_by_text(passages)
    assert found == {
        "text 0": "book",
        "text 1": "book",
        "text 2": "book",
        "alone": "leaf",
        "named": "Title",
    }
    assert share_documents(found)  # three of five
    assert not share_documents({"text 0": "book", "text 1": "book"}) and not share_documents(None)
    assert not share_documents(found | {"more": "a", "and": "b"})
    found["another"] = "leaf"
    base = np.eye(4, dtype=np.float32)
    base[3] = [0.6, 0.8, 0, 0]  # nearest to the second
    texts = ["METHODS: text 0", "alone", "named", "alone but reworded"]
    numbers = documents_of(found, texts, base)
    assert numbers is not None and numbers.tolist() == [0, 1, 2, 1]
    assert documents_of({"a": "1", "b": "2"}, ["a", "b"], base[:2]) is None
    assert documents_of(found, ["never seen"], base[:1]) is None


def test_means_are_taken_out_of_groups_of_two_or_more():
    rows = np.array([[3.0, 1.0], [1.0, 1.0], [0.0, 5.0]], dtype=np.float32)
    left = without_means(rows, np.array([4, 4, 7]))
    np.testing.assert_allclose(left, [[1, 0], [-1, 0], [0, 1]], atol=1e-6)


def test_documents_of_few_passages_keep_more_of_their_own(similarity):
    texts = TEXTS[:8]  # six of one document, two of another
    documents = {text: DOCUMENTS[text] for text in texts}
    found = similarity.scores_of("aspects", asked(documents=documents), texts, vectors()[:8])
    space = similarity.space(asked(), vectors()[:8])
    space = space - space.mean(axis=0)
    left = space[6:] - space[6:].sum(axis=0) / (2 + FEW)
    cosine = left[0] @ left[1] / (np.linalg.norm(left[0]) * np.linalg.norm(left[1]))
    assert found[6, 7] == pytest.approx(cosine, abs=1e-5) and found[6, 7] > -0.99


def test_groups_by_subject_are_at_most_half_as_many():
    apart = np.full((8, 8), -1.0, dtype=np.float32)
    np.fill_diagonal(apart, 1)
    assert len(set(groups_by_subject(apart).tolist())) == 4
    assert len(set(groups_by_subject(np.ones((8, 8), dtype=np.float32)).tolist())) == 1


def test_a_gate_takes_another_way_only_where_it_is_sure():
    one = gate()
    axes = np.eye(DIM, dtype=np.float32)
    odds = one.probabilities(axes[:3], shared_documents=True)
    assert odds.shape == (3, 3)
    np.testing.assert_allclose(odds.sum(axis=1), 1, rtol=1e-6)
    assert [one.way(axis, shared_documents=False) for axis in axes[:3]] == list(WAYS)
    unsure = replace(one, out_shift=np.array([0, 0, 8.7], dtype=np.float32))
    best = unsure.probabilities(axes[0], shared_documents=False)
    assert best.argmax() == 0 and best[0] < SURE
    assert unsure.way(axes[0], shared_documents=False) == "usual"


def test_a_gate_is_kept_with_its_encoder(tmp_path):
    file = tmp_path / "gate.npz"
    gate((0.1, 0.2)).save(file, "an encoder")
    found = load_gate("an encoder", file)
    assert found is not None and found.threshold("aspects") == pytest.approx(0.2)
    assert np.array_equal(found.question, gate().question)
    assert load_gate("another encoder", file) is None
    assert load_gate("an encoder", tmp_path / "none.npz") is None


@pytest.mark.parametrize(
    ("counts", "even"),
    [
        ((6, 6, 6), True),
        ((5, 6, 7), True),
        ((2, 3, 3, 3), True),
        ((9, 9), False),  # two alone
        ((12, 12, 12), False),  # so many that a document's mean tells what is said of it
        ((14, 5, 3), False),
        ((3, 3, 1), False),
        ((1,) * 9, False),
    ],
)
def test_documents_are_taken_out_only_where_hits_are_spread_evenly(similarity, counts, even):
    documents = {
        f"text {place} {row}": str(place)
        for place, count in enumerate(counts)
        for row in range(count)
    }
    shares = np.array(counts) / sum(counts)
    slow = 2.0 ** -sum(share * np.log2(share) for share in shares) / len(counts)
    assert spread_evenly(documents) == even
    assert even is False or slow >= EVEN
    assert similarity.way(asked("aspects", documents), vectors()) == (
        "aspects" if even else "usual"
    )


def test_of_bare_texts_nothing_is_taken_out(similarity):
    assert not spread_evenly(None)
    assert similarity.way(asked("aspects"), vectors()) == "usual"
    assert similarity.way(asked("subjects"), vectors()) == "subjects"
