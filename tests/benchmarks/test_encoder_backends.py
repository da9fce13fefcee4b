"""What the back ends of an encoder are worth, measured on a few short passages."""

import json
from dataclasses import replace

import pytest

from subclust.benchmarks import encoder_backends as module
from subclust.benchmarks.encoder_backends import measure_backends
from subclust.cli import bench_encoders, main
from subclust.encoders.backends import BACKENDS, MEASURED, ranked
from subclust.encoders.processor import Processor
from subclust.exceptions import InputError
from subclust.records import ClusteringInstance, Passage, Query

PLAIN = Processor("avx2", bfloat16=False)


@pytest.fixture
def instances():
    def passages(*words):
        return [
            Passage(f"{word}{n}", f"{word} " * (n + 3), label=word)
            for word in words
            for n in (1, 2)
        ]

    return [
        ClusteringInstance(Query("one"), passages("taxes", "ant")),
        ClusteringInstance(Query("two"), passages("map", "king", "tea")),
    ]


@pytest.fixture
def small(settings, tiny_bert, monkeypatch):
    monkeypatch.setattr(module, "TOKENS", (3, 30))
    monkeypatch.setattr(module, "SIDE", 64)
    return replace(settings, encoder=str(tiny_bert), max_seq_length=16)


def test_pytorch_in_float32_is_what_the_others_are_compared_to(small, instances):
    found = measure_backends(small, instances, PLAIN, names=["torch"], n_texts=6, rounds=2)
    (row,) = found["backends"].values()
    assert row["cosine_min"] == pytest.approx(1, abs=1e-5) and row["ari_difference"] == 0
    assert row["passages_per_second"] > 0 and row["ratio"] > 0 and row["matrix_share"] is not None
    assert (found["n_texts"], found["n_queries"], found["n_passages"]) == (6, 2, 10)
    assert found["gflop_per_passage"] > 0 and set(found["matrix_gflops"]) == {"float32"}
    shown = bench_encoders.in_words(found)
    assert "| `torch` |" in shown and "10 passages of 2 queries" in shown


def test_a_back_end_that_cannot_be_used_is_named_with_its_reason(small, instances):
    found = measure_backends(small, instances, PLAIN, names=["torch-bf16"], n_texts=4, rounds=1)
    assert set(found["backends"]) == {"torch"}
    assert "does not compute bfloat16" in found["not_measured"]["torch-bf16"]


def test_passages_that_are_too_short_are_told(small, instances, monkeypatch):
    monkeypatch.setattr(module, "TOKENS", (110, 128))
    with pytest.raises(InputError, match="No passage has 110 to 128 word pieces"):
        measure_backends(small, instances, PLAIN, names=["torch"], rounds=1)


def test_the_encoders_command_tells_what_is_in_use(settings, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    monkeypatch.setenv("SUBCLUST_ENCODER_BACKEND", "torch")
    assert main(["encoders"]) == 0
    shown = capsys.readouterr().out
    assert "torch          PyTorch, float32         in use" in shown
    assert main(["encoders", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["in_use"] == told["asked"] == "torch"


@pytest.mark.parametrize("file", sorted(MEASURED.glob("*.json")), ids=lambda path: path.stem)
def test_saved_results_hold_what_auto_reads(file):
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["task"] == "wiki2014_validation" and told["processor"] == file.stem
    assert set(told["backends"]) <= set(BACKENDS) and "torch" in told["backends"]
    names = [backend.name for backend in ranked(Processor(file.stem, False))]
    assert "torch" in names and "onnx-int8" not in names
