"""Files of many records, some of them faulty: what becomes of each is known, and is told."""

import pytest

from benchmarks.many_records import ENDINGS, FAULTS, MERGED, REFUSED, make_file, measure


@pytest.mark.parametrize("format_", FAULTS)
def test_every_record_is_accounted_for(tmp_path, format_):
    path = tmp_path / f"records{ENDINGS[format_]}"
    made = make_file(path, format_, 3000)
    assert made.keys() == {"", *FAULTS[format_]}
    result = measure(path, made)
    assert result["equal"]
    assert result["source"]["n_read"] == sum(result["told"].values()) == 3000
    assert result["told"]["refused"] == sum(made[one] for one in REFUSED)
    assert result["told"]["merged"] == sum(made[one] for one in MERGED)
    assert result["n_mended"] > 0


@pytest.mark.parametrize("format_", FAULTS)
def test_equal_seeds_are_equal_files(tmp_path, format_):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make_file(tmp_path / name, format_, 200, seed)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c
