"""Hits divided by the field of knowledge that each is nearest to."""

import numpy as np
import pytest

from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.similarity.question_metric import SHARPNESS
from subclust.pipeline.ways.knowledge import FIELDS_OF_KNOWLEDGE, by_field_of_knowledge

FIELDS = np.eye(len(FIELDS_OF_KNOWLEDGE), dtype=np.float32)
BIOLOGY, LAW, MUSIC = (FIELDS_OF_KNOWLEDGE.index(one) for one in ("Biology", "Law", "Music"))


def hits(counts):
    """Place hits near fields, each with a direction of its own."""
    rng = np.random.default_rng(0)
    rows = [field for field, count in counts.items() for _ in range(count)]
    vectors = FIELDS[rows] + 0.1 * rng.normal(size=(len(rows), len(FIELDS)))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32), np.array(rows)


def test_each_hit_goes_to_its_field_the_largest_first():
    vectors, rows = hits({LAW: 9, BIOLOGY: 14, MUSIC: 4})
    found = by_field_of_knowledge(vectors, FIELDS)
    assert found.names == ("Biology", "Law", "Music")
    assert [found.names[label] for label in found.labels] == [
        FIELDS_OF_KNOWLEDGE[row] for row in rows
    ]
    tree = average_link(found.scores)
    assert adjusted_rand_index(found.labels, cut_to(tree, 3)) == 1


def test_hits_of_small_fields_go_to_the_next_one():
    vectors, _ = hits({LAW: 20, BIOLOGY: 20, MUSIC: 1})
    found = by_field_of_knowledge(vectors, FIELDS)
    assert set(found.names) == {"Biology", "Law"}
    nearness = vectors[-1] @ FIELDS[[BIOLOGY, LAW]].T
    expected = ("Biology", "Law")[int(nearness.argmax())]
    assert found.names[found.labels[-1]] == expected


@pytest.mark.parametrize("counts", [{LAW: 20}, {LAW: 20, MUSIC: 1}])
def test_hits_of_one_field_do_not_divide(counts):
    assert by_field_of_knowledge(hits(counts)[0], FIELDS) is None


def test_other_wordings_are_nearer_to_the_hits_of_their_field():
    vectors, rows = hits({LAW: 10, BIOLOGY: 10})
    found = by_field_of_knowledge(vectors, FIELDS)
    scores = found.near(0, FIELDS[[LAW, BIOLOGY]])
    share = 1 / (1 + np.exp(-SHARPNESS))  # of the field that it is, of two
    for row, own in enumerate((LAW, BIOLOGY)):
        for hit in range(len(rows)):
            shared = share if rows[hit] == own else 1 - share
            slow = shared + 0.4 * float(FIELDS[own] @ vectors[hit])
            assert scores[row, hit] == pytest.approx(slow, abs=1e-5)
