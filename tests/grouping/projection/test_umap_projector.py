import subprocess
import sys

import numpy as np
import psutil
import pytest

from subclust.grouping.projection import UmapProjector, umap_projector, warm_up

# A subprocess whose maps are their starts: it has nothing to compile.
QUICK = """
from subclust.grouping.projection import umap_projector
umap_projector._compute = lambda embeddings, start, parameters: start
umap_projector.serve()
"""


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    centres = np.repeat(np.eye(3, 8) * 4, 15, axis=0)
    rows = (centres + rng.normal(size=centres.shape) * 0.3).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def compiled():
    """The subprocess that makes the maps of this file: UMAP is compiled once."""
    made = umap_projector.UmapProcess()
    made.start()
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.fixture
def apart(compiled, monkeypatch):
    monkeypatch.setattr(umap_projector, "_subprocess", compiled)


def test_a_map_is_made_though_the_process_died(blobs, monkeypatch):
    made = umap_projector.UmapProcess()
    monkeypatch.setattr(umap_projector, "_SERVE", QUICK)
    monkeypatch.setattr(umap_projector, "_subprocess", made)
    warm_up()
    died = made.process
    warm_up()
    assert made.process is died and died.poll() is None
    died.kill()
    died.wait()
    assert np.isfinite(UmapProjector().fit_transform(blobs)).all()
    assert died.stdin.closed and died.stdout.closed and made.process is not died
    made.process.kill()
    made.process.communicate()


def test_a_map_is_made_here_where_no_process_can(blobs, monkeypatch):
    made = umap_projector.UmapProcess()
    monkeypatch.setattr(umap_projector, "_subprocess", made)
    monkeypatch.setattr(umap_projector, "_SERVE", "pass")
    monkeypatch.setattr(umap_projector, "_compute", lambda embeddings, start, parameters: start)
    UmapProjector().fit_transform(blobs)
    assert made.process is None
    warm_up()
    assert np.isfinite(UmapProjector().fit_transform(blobs)).all()
    made.process.wait()
    made._close()


def test_the_process_ends_with_whoever_started_it():
    program = f"""
from subclust.grouping.projection import umap_projector, warm_up
umap_projector._SERVE = {QUICK!r}
warm_up()
print(umap_projector._subprocess.process.pid, flush=True)
input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as starter:
        child = psutil.Process(int(starter.stdout.readline()))
        assert child.is_running()
        starter.kill()
    child.wait(240)


COUNTS = """
import numpy as np
from numba.core.registry import CPUDispatcher
from subclust.grouping.projection.umap_projector import UmapProjector
UmapProjector().fit_transform(np.random.default_rng(0).normal(size=(45, 8)).astype(np.float32))
from umap import layouts, umap_
made = [v for m in (layouts, umap_) for v in vars(m).values() if isinstance(v, CPUDispatcher)]
stats = [one.stats for one in made if one.signatures]
print(*[sum(sum(getattr(one, f"cache_{x}").values()) for one in stats) for x in ("hits", "misses")])
"""


@pytest.mark.app
def test_what_umap_compiles_is_kept_for_later_processes(blobs, apart):
    UmapProjector().fit_transform(blobs)
    done = subprocess.run([sys.executable, "-c", COUNTS], capture_output=True, check=True)
    n_kept, n_compiled = map(int, done.stdout.split())
    assert n_kept > 2 and n_compiled == 0


HOMELESS = """
from numba.core import caching
for kind in vars(caching).values():  # as where none of the usual folders can be written to
    if hasattr(kind, "_locator_classes"):
        kind._locator_classes = [caching.UserProvidedCacheLocator]
import numba
compiled = numba.njit
from subclust.grouping.projection import umap_projector
print(umap_projector._umap().__name__, numba.njit is compiled)
"""


@pytest.mark.app
def test_umap_is_imported_where_nothing_can_be_kept():
    done = subprocess.run([sys.executable, "-c", HOMELESS], capture_output=True, text=True)
    assert done.stdout.split() == ["UMAP", "True"], done.stderr


def test_groups_lie_apart(blobs, apart):
    placed = UmapProjector().fit_transform(blobs)
    centres = placed.reshape(3, 15, 2).mean(axis=1)
    spread = np.abs(placed.reshape(3, 15, 2) - centres[:, None]).max()
    apart = min(np.linalg.norm(centres[i] - centres[j]) for i, j in [(0, 1), (0, 2), (1, 2)])
    assert apart > spread


def test_same_seed_same_map_in_any_order(blobs, apart):
    order = np.random.default_rng(3).permutation(len(blobs))
    placed = UmapProjector().fit_transform(blobs)
    assert np.allclose(placed[order], UmapProjector().fit_transform(blobs[order]), atol=1e-3)
    assert not np.allclose(placed, UmapProjector(random_state=1).fit_transform(blobs), atol=1e-3)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6])
def test_few_rows(blobs, n, apart):
    placed = UmapProjector().fit_transform(blobs[:n])
    assert placed.shape == (n, 2)
    assert np.isfinite(placed).all()
