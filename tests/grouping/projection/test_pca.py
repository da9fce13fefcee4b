import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.grouping.projection import PROJECTORS, PcaProjector


def vectors(n, dim=16, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_distances_of_a_plane_are_kept():
    plane = np.zeros((12, 8), dtype=np.float32)
    plane[:, [1, 5]] = np.random.default_rng(1).normal(size=(12, 2))
    placed = PcaProjector().fit_transform(plane)
    between = np.linalg.norm(plane[:, None] - plane[None], axis=-1)
    assert np.allclose(np.linalg.norm(placed[:, None] - placed[None], axis=-1), between, atol=1e-5)


@given(n=st.integers(3, 40), seed=st.integers(0, 99))
def test_order_does_not_matter(n, seed):
    rows = vectors(n, seed=seed)
    order = np.random.default_rng(seed).permutation(n)
    placed = PcaProjector().fit_transform(rows)
    assert np.allclose(placed[order], PcaProjector().fit_transform(rows[order]), atol=1e-4)


def test_mirrored_vectors_keep_one_sign_rule():
    rows = vectors(20)
    placed = PcaProjector().fit_transform(rows)
    assert np.array_equal(placed, PcaProjector().fit_transform(rows.copy()))


@pytest.mark.parametrize("name", list(PROJECTORS))
def test_registry_names(name):
    assert PROJECTORS[name].name == name


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_few_rows(n):
    placed = PcaProjector().fit_transform(vectors(n))
    assert placed.shape == (n, 2)
    assert np.isfinite(placed).all()


def test_a_line_has_no_second_direction():
    line = np.outer(np.arange(6), np.ones(4)).astype(np.float32)
    placed = PcaProjector().fit_transform(line)
    assert np.allclose(placed[:, 1], 0, atol=1e-5)
