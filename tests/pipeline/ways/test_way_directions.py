"""Directions in which hits divide, and how clear a division is by its words."""

import numpy as np
import pytest

from subclust.evaluation.metrics import adjusted_rand_index
from subclust.pipeline.ways.directions import along, beneath, told_by_words

ROWS = np.repeat(np.arange(4), 12)
COLUMNS = np.tile(np.arange(3), 16)


def crossed(strong=3.0, weak=1.0):
    """Place hits by row and, less far, by column, in different directions."""
    rng = np.random.default_rng(0)
    vectors = 0.15 * rng.normal(size=(48, 20))
    vectors[np.arange(48), ROWS] += strong
    vectors[np.arange(48), 8 + COLUMNS] += weak
    return vectors.astype(np.float32)


def test_hits_divide_along_the_direction_of_most_difference_first():
    found = along(crossed(weak=0.4), slice(0, 3))
    assert adjusted_rand_index(ROWS, found.labels) == 1
    assert found.n_groups == 4 and found.names == ()


def test_beneath_one_division_lies_the_other():
    found = beneath(crossed(), ROWS)
    assert adjusted_rand_index(COLUMNS, found.labels) == 1
    again = beneath(crossed(), COLUMNS)
    assert adjusted_rand_index(ROWS, again.labels) == 1


def slow_kappa(labels, words):
    told = []
    for row in range(len(labels)):
        means = []
        for group in range(max(labels) + 1):
            others = [one for one in range(len(labels)) if labels[one] == group and one != row]
            means.append(sum(words[row][one] for one in others) / len(others))
        told.append(means.index(max(means)))
    n = len(labels)
    right = sum(a == b for a, b in zip(labels, told, strict=True)) / n
    chance = sum(
        list(labels).count(group) * told.count(group) / n**2 for group in range(max(labels) + 1)
    )
    return (right - chance) / (1 - chance)


def test_clarity_is_what_words_tell_beyond_chance():
    rng = np.random.default_rng(1)
    words = rng.random((48, 48))
    words = (words + words.T) / 2 + 0.4 * (ROWS[:, None] == ROWS)
    found = told_by_words(ROWS, words)
    assert found == pytest.approx(slow_kappa(ROWS.tolist(), words.tolist()))
    assert found > 0.8
    assert abs(told_by_words(COLUMNS, words)) < 0.3
    aside = np.where(np.arange(48) % 5 == 0, -1, ROWS)
    inside = aside >= 0
    assert told_by_words(aside, words) == pytest.approx(
        told_by_words(ROWS[inside], words[np.ix_(inside, inside)])
    )
