import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "themes"))

import themed_library

from subclust.benchmarks.themes_cost import measure_themes


def test_time_and_memory_of_finding_themes_are_told(settings, encoder):
    found = measure_themes(themed_library.texts(), "kmeans", 3, settings, encoder, projection="pca")
    assert found["n_texts"] == 240 and found["seconds"] >= 0
    assert found["encode_seconds"] >= 0 and found["cores"] >= 1
    assert (
        found["total_mb"] == found["before_mb"] + found["peak_mb"]
        or abs(found["total_mb"] - found["before_mb"] - found["peak_mb"]) <= 1
    )
    assert not (settings.data_dir / "library").exists()
