"""What the back ends of an encoder are worth, measured on a few short passages."""

import json
from dataclasses import replace

import pytest
from raising import raises

from benchmarks import encoder_backends as encoders
from benchmarks import encoder_backends as module
from benchmarks.encoder_backends import beside_earlier, measure_backends
from subclust.cli import main as product
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders.backends import BACKENDS, MEASURED, Processor, ranked

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
    shown = encoders.in_words(found)
    assert "| `torch` |" in shown and "10 passages of 2 queries" in shown


def test_a_back_end_that_cannot_be_used_is_named_with_its_reason(small, instances):
    found = measure_backends(small, instances, PLAIN, names=["torch-bf16"], n_texts=4, rounds=1)
    assert set(found["backends"]) == {"torch"}
    assert "does not compute bfloat16" in found["not_measured"]["torch-bf16"]


def test_back_ends_of_the_other_runtime_take_a_run_of_their_own(settings, tiny_bert, monkeypatch):
    settings = replace(settings, encoder=str(tiny_bert))
    monkeypatch.setattr("subclust.text.encoders.backends.find_spec", lambda name: name)
    monkeypatch.setattr(module, "loaded_runtime", lambda: None)
    encoders, reasons = module._usable(settings, PLAIN, [])
    assert list(encoders) == ["torch", "onnx", "onnx-int8"]
    assert reasons["openvino"].endswith("--backend openvino")
    encoders, _ = module._usable(settings, PLAIN, ["openvino"])
    assert list(encoders) == ["torch", "openvino"]


def test_what_another_run_measured_stays_in_the_file(tmp_path):
    def told(task, backends, not_measured, story):
        same = dict.fromkeys(("processor", "method", "n_texts", "n_queries", "n_passages"), 1)
        reasons = dict.fromkeys(not_measured, "why")
        return {"task": task, **same, "backends": backends, "not_measured": reasons, "story": story}

    file = tmp_path / "avx2.json"
    first = told("a", {"torch": {"ari": 1}, "onnx": {"ari": 2}}, ["openvino"], {"seed": 1})
    assert beside_earlier(first, file) == first
    file.write_text(json.dumps(first))
    second = told("a", {"torch": {"ari": 3}, "openvino": {"ari": 4}}, ["onnx", "x"], {"seed": 2})
    both = beside_earlier(second, file)
    assert both["backends"] == {
        "torch": {"ari": 3}, "onnx": {"ari": 2, "story": {"seed": 1}}, "openvino": {"ari": 4},
    }  # fmt: skip
    assert both["story"] == {"seed": 2} and both["not_measured"] == {"x": "why"}
    other = told("b", {"torch": {"ari": 5}}, [], {})
    assert beside_earlier(other, file) == other


def test_passages_that_are_too_short_are_told(small, instances, monkeypatch):
    monkeypatch.setattr(module, "TOKENS", (110, 128))
    with raises(InputError, low=110, high=128):
        measure_backends(small, instances, PLAIN, names=["torch"], rounds=1)


def test_the_encoders_command_tells_what_is_in_use(settings, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    monkeypatch.setenv("SUBCLUST_ENCODER_BACKEND", "torch")
    assert product(["encoders"]) == 0
    shown = capsys.readouterr().out
    assert sum(line.startswith("torch ") for line in shown.splitlines()) == 1
    assert product(["encoders", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["in_use"] == told["asked"] == "torch"


@pytest.mark.parametrize("file", sorted(MEASURED.glob("*.json")), ids=lambda path: path.stem)
def test_saved_results_hold_what_auto_reads(file):
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["task"] == "wiki2014_validation" and told["processor"] == file.stem
    assert set(told["backends"]) <= set(BACKENDS) and "torch" in told["backends"]
    names = [backend.name for backend in ranked(Processor(file.stem, False), MEASURED)]
    assert "torch" in names and not {"onnx-int8", "openvino-int8"} & set(names)


def test_where_bfloat16_is_native_the_encoder_uses_the_processor():
    told = json.loads((MEASURED / "avx512-bf16.json").read_text(encoding="utf-8"))["backends"]
    assert told["torch-bf16"]["ratio"] >= 3 and told["onnx"]["ratio"] >= 2
    best = told["openvino-bf16"]
    assert best["ratio"] >= 4 and best["matrix_share"] >= 0.7
    assert told["openvino-int8"]["ratio"] >= 6 and told["openvino-int8"]["cosine_mean"] >= 0.996
    ranks = [one.name for one in ranked(Processor("avx512-bf16", True), MEASURED)]
    assert ranks[0] == "openvino-bf16"
