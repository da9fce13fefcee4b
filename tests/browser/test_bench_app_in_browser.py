"""The app is measured in Chromium over a small library: everything that can be done is timed."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import small_library

from benchmarks.app import explorer, interactions, visitors
from benchmarks.app.interactions import time_interactions
from benchmarks.app.visitors import time_visitors
from benchmarks.load import measure_load
from subclust.core.settings import Settings

pytestmark = pytest.mark.slow

QUESTIONS = ("the American war", "a tax on paper", "number words")


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Settings over the small library, which answers three questions."""
    small_library.build(tmp_path, "demo")
    for module in (interactions, visitors):
        monkeypatch.setattr(module, "QUERIES", QUESTIONS)
    return Settings(data_dir=tmp_path, models_dir=tmp_path / "models", encoder="hashing")


def alone(measure, *args, **values):
    """Measure in a thread of its own: each drives one browser, and the fixture has this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(measure, *args, **values).result()


def test_every_interaction_is_timed(small):
    found = alone(time_interactions, small, method="tfidf", top_k=50, rounds=1)
    names = set(found["interactions"])
    assert {f"take away {ending}" for ending in explorer.FILES} <= names
    assert {"search", "undo"} <= names
    assert len(names) > 50
    for told in found["interactions"].values():
        assert told["n"] >= 1
        assert 0 < told["answered_s"]["max"] <= told["settled_s"]["max"]


def test_pages_and_api_are_used_at_once(small):
    found = alone(
        measure_load,
        small,
        method="tfidf",
        n_clients=3,
        n_visitors=2,
        seconds=6,
        reading=(0.1, 0.3),
    )
    assert found["failures"] == {} and found["n_requests"] >= 3
    assert 0 < found["requests_s"]["median"] <= found["requests_s"]["max"]
    assert 50 < found["megabytes"] < 3000 and isinstance(found["megabytes_per_minute"], float)
    (mean,) = found["megabytes_each_minute"]
    assert 50 < mean < 3000


def test_visitors_at_once_are_timed_and_the_memory_is_told(small):
    found = alone(time_visitors, small, method="tfidf", n_visitors=3, n_active=2, n_searches=3)
    assert found["n_searches"] >= 3
    assert 0 < found["answered_s"]["median"] <= found["settled_s"]["max"]
    assert 50 < found["megabytes_idle"] <= found["megabytes"] < 3000
