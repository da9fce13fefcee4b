"""Exported encoders in 8 bits."""

from types import SimpleNamespace

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders import quantising as module
from subclust.text.encoders.exported import exported
from subclust.text.encoders.quantising import CALIBRATION, _smoothing, quantise_apart

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")

TEXTS = ["taxes colonies", "ant burrow night " * 9, "", "map author " * 3, "king", "Crown tea 4 7"]


@pytest.fixture(scope="module")
def plain(tiny_bert):
    return SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("exports")


def feed(encoder, texts):
    found = encoder.fresh_model().tokenizer(
        list(texts), truncation=True, max_length=16, padding="max_length", return_tensors="np"
    )
    return {name: found[name].astype(np.int64) for name in ("input_ids", "attention_mask")}


def vectors(model, inputs):
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    found = session.run(["vectors"], inputs)[0]
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_factors_are_those_of_smoothquant():
    inputs, weights = np.array([8.0, 0.5, 0.0]), np.array([0.1, 0.4, 0.2])
    found = _smoothing(inputs, weights, 0.5)
    raw = [max(x, 1e-5) ** 0.5 / w**0.5 for x, w in zip(inputs, weights, strict=True)]
    expected = np.asarray(raw) / np.prod(raw) ** (1 / 3)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert found.dtype == np.float32 and found[0] > found[1] > found[2] > 0


def test_a_smooth_model_gives_the_same(plain, folder, tmp_path):
    whole, inputs = exported(plain, folder).model, feed(plain, TEXTS)
    module._write_smooth(whole, tmp_path / "smooth.onnx", [inputs])
    found = vectors(tmp_path / "smooth.onnx", inputs)
    np.testing.assert_allclose(found, vectors(whole, inputs), atol=1e-5)
    nodes = onnx.load(tmp_path / "smooth.onnx").graph.node
    assert any(node.name.endswith("_smooth") for node in nodes)


def test_rounded_with_ranges_of_its_own_a_text_is_the_same_in_any_batch(plain, folder):
    found = exported(plain, folder, "int8-static")
    assert exported(plain, folder, "int8-static").model == found.model
    left = {file.name for file in found.model.parent.iterdir()}
    assert left == {"model.onnx", "export.json"}
    types = {node.op_type for node in onnx.load(found.model).graph.node}
    assert {"QuantizeLinear", "DequantizeLinear", "MatMul"} <= types
    together = vectors(found.model, feed(plain, TEXTS))
    alone = np.concatenate([vectors(found.model, feed(plain, [text])) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    cosine = (together * plain.encode(TEXTS)).sum(axis=1)
    assert 0.9 < cosine.min() < 0.99999, "it is near, and it is rounded"


def test_what_cannot_be_rounded_is_one_sentence(plain, tmp_path, monkeypatch):
    (tmp_path / "whole.onnx").write_bytes(b"no model")
    with raises(EncoderError):
        quantise_apart(tmp_path / "whole.onnx", tmp_path / "file", [feed(plain, TEXTS)])
    monkeypatch.setattr(module, "_SECONDS", 0.01)
    with raises(EncoderError, seconds=0.01):
        quantise_apart(tmp_path / "whole.onnx", tmp_path / "file", [feed(plain, TEXTS)])
    done = SimpleNamespace(returncode=-9, stderr="")
    monkeypatch.setattr(module.subprocess, "run", lambda *a, **k: done)
    with raises(EncoderError, last="exit status -9"):
        quantise_apart(tmp_path / "whole.onnx", tmp_path / "file", [])


def test_calibration_texts_are_of_all_lengths_and_whole():
    lengths = [len(text.split()) for text in CALIBRATION]
    assert len(CALIBRATION) == 16 and min(lengths) == 1 and max(lengths) > 50
    assert all(text == " ".join(text.split()) for text in CALIBRATION)
