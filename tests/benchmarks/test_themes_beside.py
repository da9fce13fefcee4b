import json
import sys

import pytest
from raising import raises

from benchmarks import themes_beside
from benchmarks.__main__ import main
from benchmarks.themes_beside import compare_themes, in_words
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings

STANDS_FOR_BERTOPIC = """
import json, sys, time
for what in ("imported", "encoded", "named"):
    told = {"at": what, "seconds": 0.0, "processor": 9.0, "versions": {}, "n_texts": 240}
    print(json.dumps(told | {"n_themes": 5, "n_left_out": 80}), flush=True)
time.sleep(0.2)
"""


@pytest.fixture
def file(tmp_path):
    words = ["taxes tea army king", "ant night claw nest", "shelf map page index"]
    rows = [{"id": f"t{n}", "title": "", "text": f"{words[n % 3]} number {n}"} for n in range(240)]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_NAMES", "words")
    monkeypatch.setattr(themes_beside, "_BERTOPIC", STANDS_FOR_BERTOPIC)


def test_both_are_timed_until_their_themes_have_names(file, quick):
    found = compare_themes(file, Settings(), sys.executable, n_rounds=1)
    ours, theirs = found["subclust"], found["bertopic"]
    assert 0 < ours["searchable"] < ours["named"] <= ours["mapped"]
    assert ours["n_themes"] == 5 and theirs["n_left_out"] == 80 and theirs["named"] >= 0.2
    assert found["processor_ratio"] == pytest.approx(ours["processor"] / 9.0, rel=0.02)
    assert found["ratio"] == pytest.approx(ours["named"] / theirs["named"], rel=0.01)
    assert "allowed" in in_words(found) and "allowed" not in in_words({**found, "ratio": 0.5})


def test_one_that_fails_is_an_error(file, quick, monkeypatch):
    monkeypatch.setattr(themes_beside, "_BERTOPIC", "raise SystemExit('no such topic')")
    with raises(BenchmarkError, said="no such topic\n"):
        themes_beside._theirs(file, sys.executable, 128)
    with raises(BenchmarkError):
        themes_beside._ours(file.with_name("absent.jsonl"), "kmeans")


def test_without_bertopic_it_says_how_to_have_it(file, capsys):
    assert main(["themes-beside", str(file)]) == 1
    assert "venv" in capsys.readouterr().err
