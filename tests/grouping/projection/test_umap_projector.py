import subprocess
import sys

import numpy as np
import psutil
import pytest

from subclust.grouping.projection import UmapProjector, umap_projector, warm_up


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    centres = np.repeat(np.eye(3, 8) * 4, 15, axis=0)
    rows = (centres + rng.normal(size=centres.shape) * 0.3).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def apart(monkeypatch):
    """Maps are made in a process of its own, as after `warm_up`."""
    made = umap_projector.UmapProcess()
    monkeypatch.setattr(umap_projector, "_apart", made)
    warm_up()
    yield made
    made.process.kill()
    made.process.communicate()


def test_another_process_makes_the_same_map(blobs, apart):
    first = apart.process
    placed = UmapProjector().fit_transform(blobs)
    warm_up()
    again = UmapProjector(random_state=1).fit_transform(blobs)
    assert apart.process is first and first.poll() is None
    assert not np.allclose(placed, again, atol=1e-3)
    here = umap_projector.UmapProcess()
    umap_projector._apart = here
    np.testing.assert_allclose(placed, UmapProjector().fit_transform(blobs), atol=1e-3)
    assert not here.is_started


def test_a_map_is_made_though_the_process_died(blobs, apart):
    died = apart.process
    died.kill()
    died.wait()
    assert np.isfinite(UmapProjector().fit_transform(blobs)).all()
    assert died.stdin.closed and died.stdout.closed and apart.process is not died


def test_the_process_ends_with_whoever_started_it():
    program = """
from subclust.grouping.projection import umap_projector, warm_up
warm_up()
print(umap_projector._apart.process.pid, flush=True)
input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as starter:
        child = psutil.Process(int(starter.stdout.readline()))
        assert child.is_running()
        starter.kill()
    child.wait(240)  # it ends when it has compiled, which a busy machine takes long over


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
