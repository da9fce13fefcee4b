import pytest
import small_results

from benchmarks.published import read_paper
from benchmarks.saved import SavedResults


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "published" / "small.toml"
    path.parent.mkdir()
    path.write_text(small_results.PAPER, encoding="utf-8")
    return read_paper(path)


@pytest.fixture
def results(tmp_path):
    return SavedResults(small_results.fill(tmp_path / "results"))
