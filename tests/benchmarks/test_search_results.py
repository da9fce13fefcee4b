from benchmarks.results import RESULTS_DIR, read_result


def test_saved_searches_are_whole():
    for path in (RESULTS_DIR / "search").glob("*.json"):
        result = read_result(path)
        assert path.stem == f"{result['method']}-{result['name']}"
        assert result["story"]["commit"] and result["trials"]
