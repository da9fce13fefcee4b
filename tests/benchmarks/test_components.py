import numpy as np
import pytest

from benchmarks.spaces import principal_components


def vectors(n=20, dim=8, seed=0):
    return np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)


def test_the_components_are_those_of_the_covariance():
    rows = vectors()
    coordinates, explained = principal_components(rows)
    values, directions = np.linalg.eigh(np.cov(rows.T.astype(np.float64)))
    np.testing.assert_allclose(explained, (values[::-1] / values.sum())[:3], atol=1e-6)
    centred = rows - rows.mean(axis=0)
    for place in range(3):
        direction = directions[:, -1 - place]
        direction = direction * np.sign(direction[np.abs(direction).argmax()])
        np.testing.assert_allclose(coordinates[:, place], centred @ direction, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_passages_changes_no_sign(seed):
    rows = vectors(seed=seed)
    order = np.random.default_rng(seed).permutation(len(rows))
    expected = principal_components(rows)[0][order]
    np.testing.assert_allclose(principal_components(rows[order])[0], expected, atol=1e-5)


def test_a_space_of_three_dimensions_is_kept_whole():
    rows = np.zeros((12, 6), dtype=np.float32)
    rows[:, [0, 2, 5]] = vectors(12, 3)
    coordinates, explained = principal_components(rows)
    assert explained.sum() == pytest.approx(1)
    between = np.linalg.norm(rows[:, None] - rows[None], axis=-1)
    placed = np.linalg.norm(coordinates[:, None] - coordinates[None], axis=-1)
    np.testing.assert_allclose(placed, between, atol=1e-5)


@pytest.mark.parametrize(("n", "dim"), [(2, 8), (9, 2), (2, 1)])
def test_directions_that_are_not_there_are_zero(n, dim):
    coordinates, explained = principal_components(vectors(n, dim))
    assert coordinates.shape == (n, 3) and explained.shape == (3,)
    there = min(n - 1, dim)
    np.testing.assert_allclose(coordinates[:, there:], 0, atol=1e-6)
    assert explained.sum() == pytest.approx(1) and (explained[there:] < 1e-9).all()


@pytest.mark.parametrize("n", [1, 7])
def test_equal_vectors_lie_on_one_point(n):
    coordinates, explained = principal_components(np.ones((n, 5), dtype=np.float32))
    assert not coordinates.any() and not explained.any() and coordinates.shape == (n, 3)
