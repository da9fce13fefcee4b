"""How the gate that decides between divisions is learnt and measured, on a few made questions."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from benchmarks.dividing.learn import learn, with_thresholds
from benchmarks.dividing.measure import (
    Measuring,
    ask,
    change_of,
    learn_thresholds,
    means,
    share_right,
)
from benchmarks.dividing.wordings import Wording, written
from benchmarks.tasks.crossed_questions import QUESTIONS, Nouns
from benchmarks.tasks.crossings import N_WORDINGS, CrossingShape, asked, crossed_table, draw_crossed
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.clustering.agglomerative import GatedSubtopics
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.dividing import DividingSimilarity
from subclust.grouping.similarity.division import WAYS
from subclust.methods import METHODS, LoadedMethod
from subclust.text.encoders import HashingEncoder, StackedEncoder

NOUNS = Nouns((("person", "people"),), (("topic", "topics"),))


@pytest.fixture(scope="module")
def articles():
    return [
        ClusteringInstance(
            Query(f"Title {number}"),
            tuple(
                Passage(f"{number}#{row}", f"text {row}", label=f"Heading {row % 3}")
                for row in range(6)
            ),
        )
        for number in range(8)
    ]


@pytest.fixture(scope="module")
def encoder():
    return HashingEncoder()


@pytest.fixture(scope="module")
def questions():
    return [
        Wording(f"{form} {noun}", way, True)
        for way, nouns in (("subjects", ("person", "ship")), ("aspects", ("topic", "theme")))
        for noun in nouns
        for form in ("by", "group by", "each", "one for every", "sorted by")
    ] + [
        Wording(f"{what} of {where}", "usual", shared)
        for what in ("history", "economy", "music", "law", "food")
        for where in ("Peru", "Chile")
        for shared in (False, True)
    ]


@pytest.fixture(scope="module")
def learnt(questions, encoder):
    return learn(questions, encoder, seed=0)


def test_wordings_are_of_every_way_and_of_no_other_split(articles):
    found = written(articles, seed=0)
    assert len(set(found)) == len(found) and written(articles, seed=0) == found
    usual = [one for one in found if one.way == "usual"]
    assert sum(one.shared_documents for one in usual) * 2 == len(usual)
    assert {one.way for one in found} == set(WAYS)
    nouns = {"theme", "themes", "kind of information", "kinds of information"}
    assert not any(noun in one.text.split() for noun in nouns for one in found)
    texts = {one.text for one in found}
    for side in QUESTIONS:
        for form in (*QUESTIONS[side]["validation"], *QUESTIONS[side]["test"]):
            if "{rows}" not in form and "{columns}" not in form:
                plain = form.format(
                    row="person", row_plural="people", column="x", column_plural="x"
                )
                assert plain not in texts


def test_a_gate_learns_its_questions(learnt, questions, encoder):
    gate = learnt.gate(np.zeros(2, dtype=np.float32))
    vectors = encoder.encode([one.text for one in questions])
    found = [
        gate.probabilities(vector, shared_documents=one.shared_documents)
        for vector, one in zip(vectors, questions, strict=True)
    ]
    right = [WAYS[int(p.argmax())] == one.way for p, one in zip(found, questions, strict=True)]
    assert np.mean(right) > 0.9
    with torch.inference_mode():
        shared = torch.tensor([[float(one.shared_documents)] for one in questions])
        expected = torch.softmax(learnt(torch.from_numpy(vectors), shared), dim=-1)
    np.testing.assert_allclose(np.array(found), expected.numpy(), atol=1e-5)


def test_both_divisions_of_a_hit_set_are_measured(learnt, encoder):
    passages = [
        Passage(f"{who}{what}{n}", f"{who} {who} {who} {what} {n}", title=who)
        for who in ("ada", "ben", "cid")
        for what in ("born", "died")
        for n in "12"
    ]
    table = crossed_table(passages, lambda p: p.title, lambda p: p.text.split()[3], NOUNS)
    (one,) = draw_crossed(table, CrossingShape(1, (3, 3), (2, 2)), 0, "one")
    instances = asked([one], "train", 0)
    torch.manual_seed(0)
    model = CentredSiamese(encoder.embedding_dim, 4, gate=True)
    gate = with_thresholds(learnt.gate(np.zeros(2, dtype=np.float32)), [0.1, 0.2])
    clusterer = GatedSubtopics(DividingSimilarity(model, gate, 0.3))
    stacked = StackedEncoder([encoder, encoder])
    method = LoadedMethod(METHODS["centred-qs3m"], clusterer, stacked, None)
    questions = ask(instances, method)
    sides = [questions.side(place) for place in range(4)]
    assert questions.n_wordings == N_WORDINGS and sides == [0, 0, 1, 1]
    assert [questions.other(place) for place in range(4)] == [2, 3, 0, 1]
    measuring = Measuring(method, gate)
    found = measuring.score(questions)
    variants = {"true_k", "auto_k", "wrong", "none", "text_alone", "untuned", "ceiling"}
    assert set(found["rows"]) == variants
    assert len(found["rows"]["true_k"]) == len(found["columns"]["wrong"]) == N_WORDINGS
    assert sum(found["ways"]["rows"].values()) == N_WORDINGS and len(found["agreement"]) == 1
    told = means(found)
    assert told["mean"] == pytest.approx(
        np.mean(found["rows"]["true_k"] + found["columns"]["true_k"]), abs=1e-4
    )
    assert 0 <= share_right(questions, gate, encoder.embedding_dim) <= 1
    low, high = learn_thresholds(questions, measuring)
    assert -1 <= low <= 2.5 and -1 <= high <= 1


def test_what_the_gate_changes_elsewhere_is_measured(learnt, encoder):
    instances = [
        ClusteringInstance(
            Query(text),
            tuple(
                Passage(f"{number}-{who}#{n}", f"{who} {what} {n}", label=what, path=what)
                for who in ("ada", "ben")
                for what in ("born", "died")
                for n in "12"
            ),
        )
        for number, text in enumerate(("by person", "history of Peru"))
    ]
    torch.manual_seed(0)
    model = CentredSiamese(encoder.embedding_dim, 4, gate=True)
    gate = learnt.gate(np.zeros(2, dtype=np.float32))
    gate = replace(gate, out=20 * gate.out, out_shift=20 * gate.out_shift)  # surer
    method = LoadedMethod(
        METHODS["centred-qs3m"],
        GatedSubtopics(DividingSimilarity(model, gate, 0.3)),
        StackedEncoder([encoder, encoder]),
        None,
    )
    found = change_of(instances, method, gate, None, encoder)
    assert (found["n_questions"], found["taken"]) == (2, ["by person"])
    assert found["ways"] == {"subjects": 1, "aspects": 0, "usual": 1}
    assert found["change"] != 0
    assert change_of(instances[1:], method, gate, None, encoder)["change"] == 0
