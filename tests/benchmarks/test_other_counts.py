import json

import pytest
from raising import raises
from themed_collection import themed_store

from benchmarks.other_counts import measure_counts, save_counts
from benchmarks.saved import SavedResults
from subclust.core.exceptions import BenchmarkError


def test_groups_are_measured_at_numbers_that_are_not_the_true_one(tmp_path, encoder):
    instance, store = themed_store(tmp_path, encoder)
    found = measure_counts([instance], "scl@x", encoder, store, numbers=(2, 3), spectral=True)
    three, two = found["asked_for"]["3"], found["asked_for"]["2"]
    assert three["acc"]["mean"] > 0.9 > two["acc"]["mean"]
    # Two of three themes are together: the third has 1, these have precision 1/2.
    assert two["bcubed_f1"]["mean"] == pytest.approx((1 + 2 * 2 / 3) / 3, abs=0.05)
    assert 0 < found["spectral"]["acc"]["mean"] <= 1

    path = save_counts(found, "themes", "scl@x", ["themes"], {"seed": 0}, tmp_path / "results")
    once = json.loads(path.read_text())
    saved = SavedResults(tmp_path / "results").find("scl@x", "themes")
    assert saved.metric("bcubed_f1", "k2").mean == two["bcubed_f1"]["mean"]
    assert saved.metric("acc", "spectral").mean == found["spectral"]["acc"]["mean"]
    assert saved.metric("acc", "k7") is None and saved.metric("acc") is None
    # What was there stays.
    more = measure_counts([instance], "scl@x", encoder, store, numbers=(4,))
    save_counts(more, "themes", "scl@x", ["themes"], {"seed": 0}, tmp_path / "results")
    twice = json.loads(path.read_text())["granularities"]["flat"]
    assert twice["asked_for"]["2"] == once["granularities"]["flat"]["asked_for"]["2"]
    assert {"4", "spectral"} <= {*twice["asked_for"], *twice}


def test_what_cannot_be_is_refused(tmp_path, encoder):
    instance, store = themed_store(tmp_path, encoder)
    with raises(BenchmarkError, numbers=1):
        measure_counts([instance], "scl@x", encoder, store, numbers=(1,))
    with raises(BenchmarkError, name="kmeans"):
        measure_counts([instance], "kmeans", encoder, store, spectral=True)
