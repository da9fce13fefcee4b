import numpy as np
from raising import raises

from benchmarks.baseline_namers import MedoidNamer
from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.grouping.naming import telling_passages

VECTORS = np.array([[1, 0], [0.96, 0.28], [0.8, 0.6], [0, 1], [0, 1]], dtype=np.float32)
LABELS = np.array([0, 0, 0, 1, 1])


def test_telling_passages_are_the_central_ones():
    assert telling_passages(VECTORS, LABELS) == {0: [1, 0], 1: [3, 4]}


def test_scores_take_the_place_of_cosines():
    scores = VECTORS @ VECTORS.T
    assert telling_passages(None, LABELS, scores=scores) == telling_passages(VECTORS, LABELS)


def test_telling_passages_refuse_what_does_not_fit():
    with raises(InputError, count=5, other_count=2):
        telling_passages(VECTORS[:2], LABELS)
    with raises(InputError, count=5, other_count=0):
        telling_passages(None, LABELS)


def test_medoid_namer_uses_the_opening_of_the_most_central_passage():
    texts = [
        "Copper mining in Chile. It is old.",
        "Copper mining in Chile",
        "Copper mining",
        "Jazz",
    ]
    names = MedoidNamer().name(Query("x"), texts, np.array([0, 0, 0, 1]))
    assert names == {0: "Copper mining in Chile", 1: "Jazz"}


def test_medoid_namer_never_leaves_a_name_empty_or_twice():
    names = MedoidNamer().name(Query("x"), ["", "42", "a b", "a b"], np.array([0, 0, 1, 2]))
    assert names[0] == "Subtopic 1"
    assert len({name.casefold() for name in names.values()}) == 3
