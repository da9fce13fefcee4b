import json

from benchmarks.results import RESULTS_DIR, files_of, read_result, write

SCORES = [n / 7 for n in range(30)]


def test_long_lists_lie_beside_what_a_person_reads(tmp_path):
    result = {
        "queries": [f"query {n} ä" for n in range(30)],
        "true_k": {"ari": {"mean": 0.5, "per_instance": SCORES}},
        "curve": [[1.0, 2.0], {"score": None}],
    }
    path = write(tmp_path / "qs3m" / "task.json", result)
    assert read_result(path) == result
    assert [file.name for file in files_of(path)] == ["task.json", "task.queries.json.xz"]
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read["curve"] == result["curve"] and read["true_k"]["ari"]["mean"] == 0.5
    assert read["queries"] == {"per_query": 0, "n": 30}


def test_the_same_result_is_the_same_files(tmp_path):
    first, second = (write(tmp_path / name / "t.json", {"x": SCORES}) for name in "ab")
    for one, other in zip(files_of(first), files_of(second), strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_a_result_without_long_lists_leaves_none_behind(tmp_path):
    path = write(tmp_path / "t.json", {"x": SCORES})
    write(path, {"x": [1]})
    assert read_result(path) == {"x": [1]} and files_of(path) == [path]


def test_there_is_none(tmp_path):
    assert read_result(tmp_path / "t.json") is None


def test_saved_searches_are_whole():
    for path in (RESULTS_DIR / "search").glob("*.json"):
        result = read_result(path)
        assert path.stem == f"{result['method']}-{result['name']}"
        assert result["story"]["commit"] and result["trials"]
