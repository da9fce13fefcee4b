import numpy as np
import pytest

from subclust.projection import UmapProjector, is_warm, warm_up


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    centres = np.repeat(np.eye(3, 8) * 4, 15, axis=0)
    rows = (centres + rng.normal(size=centres.shape) * 0.3).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_warm_up_compiles_once():
    assert warm_up() is warm_up()
    warm_up().join()
    assert is_warm()


def test_groups_lie_apart(blobs):
    placed = UmapProjector().fit_transform(blobs)
    centres = placed.reshape(3, 15, 2).mean(axis=1)
    spread = np.abs(placed.reshape(3, 15, 2) - centres[:, None]).max()
    apart = min(np.linalg.norm(centres[i] - centres[j]) for i, j in [(0, 1), (0, 2), (1, 2)])
    assert apart > spread


def test_same_seed_same_map_in_any_order(blobs):
    order = np.random.default_rng(3).permutation(len(blobs))
    placed = UmapProjector().fit_transform(blobs)
    assert np.allclose(placed[order], UmapProjector().fit_transform(blobs[order]), atol=1e-3)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6])
def test_few_rows(blobs, n):
    placed = UmapProjector().fit_transform(blobs[:n])
    assert placed.shape == (n, 2)
    assert np.isfinite(placed).all()
