import json

from benchmarks.results import RESULTS_DIR


def test_saved_searches_are_whole():
    for path in (RESULTS_DIR / "search").glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        assert path.stem == f"{result['method']}-{result['name']}"
        assert result["story"]["commit"] and result["trials"]
