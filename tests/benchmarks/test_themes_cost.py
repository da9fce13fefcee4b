import re
from pathlib import Path

import pytest
import themed_library

import benchmarks
from benchmarks import themes_cost
from benchmarks.results import read_result
from benchmarks.themes_cost import measure_themes
from subclust.themes.offers import OFFERS
from subclust.ui.explore.themes import _about_minutes


def test_time_and_memory_of_finding_themes_are_told(settings, encoder):
    found = measure_themes(themed_library.texts(), "kmeans", 3, settings, encoder, projection="pca")
    assert found["n_texts"] == 240 and found["seconds"] >= 0
    assert found["encode_seconds"] >= 0 and found["cores"] >= 1
    assert (
        found["total_mb"] == found["before_mb"] + found["peak_mb"]
        or abs(found["total_mb"] - found["before_mb"] - found["peak_mb"]) <= 1
    )
    assert not (settings.data_dir / "library").exists()


def test_what_learns_from_labels_is_given_a_few(settings, encoder, monkeypatch):
    seen = []
    monkeypatch.setattr(themes_cost, "ONE_LABELLED_OF", 10)
    monkeypatch.setattr(
        themes_cost, "find_themes", lambda plan, *_: seen.append(plan.found.passages)
    )
    labelled = themed_library.texts(labelled=range(240))
    for method in ("fcl", "scl"):
        measure_themes(labelled, method, 3, settings, encoder)
    assert [sum(text.label is not None for text in texts) for texts in seen] == [24, 0]


RESULTS = Path(benchmarks.__file__).parent / "results" / "themes"


def measured(task, method="aecl"):
    return read_result(RESULTS / f"{method}-{task}.json")


@pytest.mark.parametrize("task", ["tweet", "stackoverflow"])
def test_the_time_that_is_told_is_cautious_and_not_far_off(task):
    found = measured(task)
    taken = found["seconds"] / 60
    planned = OFFERS["aecl"].minutes * found["n_texts"] / 10_000
    told = int(re.search(r"about (\d+) minute", _about_minutes("aecl", found["n_texts"]))[1])
    assert taken <= told
    if taken > 1:  # below that it is told in whole minutes
        assert taken <= planned <= 2 * taken and told <= 2 * taken
