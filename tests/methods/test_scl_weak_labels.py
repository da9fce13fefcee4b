import json
import time
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.labelled.corrections.learning import Pair, pairs_as_csv, pairs_as_json_lines
from subclust.labelled.corrections.saved import KeptPassage
from subclust.methods.scl.weak_labels import WeakLabels, drawn_labels, read_pairs

GOLD = np.arange(200) % 4
IDS = [f"p{number}" for number in range(8)]


@pytest.fixture
def pairs(tmp_path):
    def write(*rows):
        path = tmp_path / "pairs.jsonl"
        keys = ("first_id", "second_id", "same")
        lines = (json.dumps(dict(zip(keys, row, strict=True))) for row in rows)
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_labels_are_read_of_the_stated_share_and_no_more():
    found = drawn_labels(GOLD, 0.1, 3)
    known = np.flatnonzero(found.groups >= 0)
    assert len(known) == 20 and (found.groups[known] == GOLD[known]).all()
    assert (drawn_labels(GOLD, 0.1, 3).groups == found.groups).all()
    assert (drawn_labels(GOLD, 0.1, 4).groups != found.groups).any()
    changed = np.where(found.groups >= 0, GOLD, 3 - GOLD)
    assert (drawn_labels(changed, 0.1, 3).groups == found.groups).all()


def test_classes_are_known_to_differ():
    found = drawn_labels(GOLD, 1.0, 0)
    rows = np.array([0, 1, 4])
    assert found.same(rows).tolist() == [[False, False, True], [False] * 3, [True, False, False]]
    assert (found.different(rows) == ~(found.same(rows) | np.eye(3, dtype=bool))).all()


def test_pairs_go_on_to_what_follows_from_them(pairs):
    found = read_pairs(
        pairs(("p0", "p1", True), ("p1", "p2", True), ("p2", "p3", False), ("p3", "p4", True),
              ("p5", "p6", True), ("elsewhere", "p0", True)),
        IDS,
    )  # fmt: skip
    rows = np.arange(8)
    same, different = found.same(rows), found.different(rows)
    assert same[0, 2] and same[2, 0] and not same[0, 0] and not same[0, 3]
    assert different[0, 4] and different[4, 1]  # by way of p2 and p3
    assert not different[0, 5] and not same[0, 5]  # nothing is known of these two
    assert not same[7].any() and not different[7].any()
    assert [group.tolist() for group in found.rows_of_groups()] in (
        [[0, 1, 2], [3, 4], [5, 6]],
        [[3, 4], [0, 1, 2], [5, 6]],
    )


def different_by_loop(labels, rows, others):
    """Ask of each pair by itself."""
    found = np.zeros((len(rows), len(others)), dtype=bool)
    for i, one in enumerate(labels.groups[rows]):
        for j, other in enumerate(labels.groups[others]):
            pair = (min(one, other), max(one, other))
            known = labels.apart is None or pair in labels.apart
            found[i, j] = one >= 0 and other >= 0 and one != other and known
    return found


@pytest.mark.parametrize("n_apart", [None, 0, 1, 60])
def test_what_differs_is_what_a_loop_over_all_pairs_finds(n_apart):
    generator = np.random.default_rng(0)
    groups = generator.integers(-1, 30, 120) * 7  # no number of a text, and with gaps
    groups[groups < 0] = -1
    drawn = np.unique(groups[groups >= 0])[generator.integers(0, 25, (n_apart or 0, 2))]
    pairs = {(int(min(a, b)), int(max(a, b))) for a, b in drawn if a != b}
    labels = WeakLabels(groups, None if n_apart is None else frozenset(pairs))
    for rows in (np.arange(120), generator.integers(0, 120, 40), np.flatnonzero(groups < 0)):
        found = labels.different(rows)
        np.testing.assert_array_equal(found, different_by_loop(labels, rows, rows))
        assert found.any() == (n_apart != 0 and (groups[rows] >= 0).any())
        others = generator.integers(0, 120, 15)
        expected = different_by_loop(labels, rows, others)
        np.testing.assert_array_equal(labels.different(rows, others), expected)


def test_what_differs_among_thousands_of_texts_is_told_at_once():
    groups = np.arange(3000) % 300
    labels = WeakLabels(groups, frozenset((n, n + 1) for n in range(299)))
    started = time.perf_counter()
    assert labels.different(np.arange(3000)).sum() == 2 * 299 * 100
    assert time.perf_counter() - started < 2.5  # the loop takes ten seconds and more


def test_groups_that_all_differ_are_counted(pairs):
    assert drawn_labels(GOLD, 1.0, 0).most_apart() == 4
    three = [("p0", "p2", False), ("p0", "p3", False), ("p2", "p3", False)]
    path = pairs(("p0", "p1", True), *three, ("p4", "p3", False), ("p4", "p5", False))
    assert read_pairs(path, IDS).most_apart() == 3


def test_pairs_that_contradict_each_other_are_named(pairs):
    path = pairs(("p0", "p1", True), ("p1", "p2", True), ("p0", "p2", False))
    with raises(TrainingError, id="p0", id_2="p2"):
        read_pairs(path, IDS)


@pytest.mark.parametrize(
    "rows", [[("p0", "p1", True)], [("p0", "p1", False)], [("x", "y", True), ("x", "z", False)]]
)
def test_too_few_pairs_are_refused(pairs, rows):
    with raises(TrainingError):
        read_pairs(pairs(*rows), IDS)


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("nothing", {"number": 1}),
        ('{"first_id": "p0"}', {"number": 1}),
        ('{"first_id": "p0", "second_id": "p1", "same": "yes"}', {"line": 1}),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, content, values):
    path = tmp_path / "pairs.jsonl"
    path.write_text(content)
    with raises(TrainingError, path=str(path), **values):
        read_pairs(path, IDS)
    with raises(TrainingError, path=ANY):
        read_pairs(tmp_path / "absent.jsonl", IDS)


def kept(id_):
    return KeptPassage(id_, "", f"text of {id_}")


def test_pairs_are_read_from_a_table_as_they_are_written(tmp_path):
    rows = [("p0", "p1", True), ("p1", "p4", False), ("p4", "p5", True)]
    pairs = [Pair("q", kept(one), kept(other), same, 2) for one, other, same in rows]
    found = []
    for name, write in (("pairs.csv", pairs_as_csv), ("pairs.jsonl", pairs_as_json_lines)):
        (tmp_path / name).write_bytes(write(pairs))
        found.append(read_pairs(tmp_path / name, IDS))
    assert np.array_equal(found[0].groups, found[1].groups) and found[0].apart == found[1].apart


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("first_id,same\np0,1\n", {"names": "second_id"}),
        ("", {}),
        ("first_id,second_id,same\np0,p1,1\np0,p1\n", {"line_num": 3}),
        ("first_id,second_id,same\np0,p1,perhaps\n", {"line": 2}),
    ],
)
def test_a_table_of_something_else_is_refused(tmp_path, content, values):
    path = tmp_path / "pairs.csv"
    path.write_text(content)
    with raises(TrainingError, **values):
        read_pairs(path, IDS)


def test_labels_must_be_there_and_enough():
    with raises(TrainingError):
        drawn_labels(None, 0.1, 0)
    with raises(TrainingError, what="2 labels"):
        drawn_labels(GOLD, 0.01, 0)
