"""``workers`` without Ray: what workers would do is done here, one share after the other."""

import gzip
import json
import sys

import numpy as np
import pytest
from one_process import shares_here
from raising import numbers

from benchmarks import workers
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest import ray
from subclust.text.ingest.committing import ingest_shared


class OtherEncoder(HashingEncoder):
    """Gives other vectors under the same name and revision, as a broken worker would."""

    def _encode(self, texts, query, progress):
        return np.roll(super()._encode(texts, query, progress), 1, axis=1)


@pytest.fixture
def started(monkeypatch, settings):
    """Record how many workers were asked for; it says with what they encode, and whether well."""

    class Started(list):
        encoder = HashingEncoder()
        loses = False

    asked = Started()

    def ingest_on_ray(files, settings, name, workers):
        assert workers.address == ray.HERE
        asked.append(workers.count)
        encoder = asked.encoder
        if asked.loses:
            files[0].path.write_text('{"id": "other", "text": "ants dig"}')
        return ingest_shared(
            files, encoder, settings.library_dir, name,
            lambda work: shares_here(work, lambda: encoder),
        )  # fmt: skip

    monkeypatch.setattr(ray, "imported_ray", lambda: None)
    monkeypatch.setattr(ray, "ingest_on_ray", ingest_on_ray)
    return asked


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "RESULTS_DIR", tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def texts(tmp_path):
    file = tmp_path / "notes.jsonl.gz"
    lines = [{"id": f"n{n}", "title": f"Ants {n}", "text": f"ants dig {n}"} for n in range(12)]
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    return file


def test_the_object_tells_of_every_number_of_workers(run, settings, started, results, texts):
    status, out, err = run(
        "workers", texts, "--documents", 9, "--workers", 2, 3, "--json"
    )  # fmt: skip
    assert status == 0 and started == [2, 3]
    assert err.splitlines() == [f"Importing: {n}" for n in ("local", "2 workers", "3 workers")]
    told = json.loads(out)
    assert set(told) == {"story", "file", "sha256", "n_documents", "n_passages", "n_bytes_text",
                         "n_bytes_library", "local", "workers"}  # fmt: skip
    assert (told["file"], told["n_documents"], told["n_passages"]) == (texts.name, 9, 9)
    assert told["story"]["encoder"] == "hashing"
    assert told["n_bytes_library"] > told["n_bytes_text"] > 9 * 20
    assert set(told["local"]) == {"seconds", "passages_per_second"}
    for row in told["workers"].values():
        assert row["equal"] is True and row["largest_difference"] == 0
        assert row["seconds"] > 0 and row["passages_per_second"] > 0 and row["ratio_to_local"] > 0
    assert not results.exists() and not settings.library_dir.exists()


def test_what_is_saved_is_what_was_printed(run, started, results, texts):
    status, out, _ = run("workers", texts, "--documents", 12, "--save", "--json")
    assert status == 0 and started == [1, 2]
    kept = results / "ingest" / "notes-12.json"
    assert json.loads(kept.read_text("utf-8")) == json.loads(out)


def test_people_get_a_line_for_each_way(run, started, results, texts):
    status, out, _ = run("workers", texts, "--documents", 5, "--workers", 1)
    first, *rows = out.splitlines()
    assert status == 0 and numbers(first) == ["5"]
    assert [row[:16].rstrip() for row in rows] == ["local", "Ray, 1 workers"]
    assert numbers(rows[1])[-1] == "0" and not results.exists()


def test_other_vectors_are_told(run, started, results, texts):
    started.encoder = OtherEncoder()
    _, out, _ = run("workers", texts, "--documents", 5, "--workers", 1, "--json")
    assert json.loads(out)["workers"]["1"]["largest_difference"] > 0.1
    started.loses = True
    _, out, _ = run("workers", texts, "--documents", 5, "--workers", 1)
    assert out.splitlines()[-1].endswith(" NOT equal")


@pytest.mark.parametrize(
    ("content", "words", "values"),
    [
        (b'{"text": "ants dig"}\n', ["--documents", "2"], {"n_documents"}),
        (b'{"id": "1"}\n', ["--documents", "1"], {"n_read"}),
        (b"\x1f\x8bno gzip", ["--documents", "1"], {"error"}),
        (None, [], set()),
    ],
)
def test_files_are_refused_in_a_sentence(run, started, results, tmp_path, content, words, values):
    file = tmp_path / "nothing.jsonl"
    if content is not None:
        file.write_bytes(content)
    status, out, err = run("workers", file, "--workers", 1, "--save", *words)
    told = [line for line in err.splitlines() if not line.startswith("Importing: ")]
    assert status == 1 and not out and len(told) == 1
    assert values <= err.values.keys()
    assert not started and not results.exists()


@pytest.mark.parametrize("words", [["--workers", "0"], ["--documents", "0"], ["--workers"]])
def test_wrong_usage(run, started, texts, words):
    status, _, err = run("workers", texts, *words)
    assert status == 2 and not started and "Traceback" not in err


def test_without_ray_nothing_is_imported_first(run, settings, texts, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    status, out, err = run("workers", texts, "--documents", 5)
    assert status == 1 and not out and err.count("\n") == 1
    assert "[ray]" in err and "Importing" not in err
