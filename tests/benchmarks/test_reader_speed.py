"""Readers of two checkouts on the same files."""

import json
from pathlib import Path

from benchmarks.reader_speed import compare_readers

ROOT = Path(__file__).parents[2]


def test_each_format_is_read_by_each_checkout(tmp_path):
    file = tmp_path / "documents.jsonl"
    rows = [{"id": str(n), "title": f"Mill {n}", "text": f"Looms of mill {n}."} for n in range(3)]
    file.write_text("\n".join(map(json.dumps, rows)))
    told = compare_readers(file, {"one": ROOT, "other": ROOT}, 1, ["ris", "jsonl"])
    assert told["n_records"] == 3
    assert told["checkouts"]["one"] == told["checkouts"]["other"]
    assert told["formats"].keys() == {"ris", "jsonl"}
    for row in told["formats"].values():
        for one in row.values():
            assert one["n_read"] == one["n_imported"] == 3
            assert 0 < one["read"] < one["import"]
