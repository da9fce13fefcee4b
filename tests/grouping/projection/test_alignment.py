import numpy as np
import pytest

from subclust.core.exceptions import InputError
from subclust.grouping.projection import align

MAP = np.random.default_rng(0).normal(size=(6, 2)).astype(np.float32)
IDS = list("abcdef")


def turned(points, mirror=False):
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    if mirror:
        turn = turn @ np.diag([1, -1])
    return (points @ turn * 3 + [5, -2]).astype(np.float32)


@pytest.mark.parametrize("mirror", [False, True])
def test_a_turned_map_comes_back(mirror):
    order = [3, 1, 5, 0, 2, 4]
    moved = turned(MAP, mirror)[order]
    back = align(moved, [IDS[i] for i in order], MAP, IDS)
    assert np.allclose(back, MAP[order], atol=1e-4)


def test_only_shared_passages_decide_and_the_others_follow():
    moved = turned(MAP)
    back = align(moved, IDS, MAP[:4], IDS[:4])
    assert np.allclose(back, MAP, atol=1e-4)


def test_nothing_shared_leaves_the_map():
    assert np.array_equal(align(MAP, IDS, MAP + 1, list("uvwxyz")), MAP)
    assert np.array_equal(align(np.zeros((6, 2), np.float32), IDS, MAP, IDS), np.zeros((6, 2)))


def test_ids_must_fit():
    with pytest.raises(InputError):
        align(MAP, IDS[:2], MAP, IDS)
