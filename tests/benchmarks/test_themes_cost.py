import themed_library

from benchmarks import themes_cost
from benchmarks.themes_cost import measure_themes


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
