"""Encoders that ONNX Runtime and OpenVINO compute, beside PyTorch."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import numpy as np
import pytest
import torch
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import (
    CachedEncoder,
    ExportedEncoder,
    SentenceEncoder,
    exact,
    tuned,
    unprepared,
)
from subclust.text.encoders import exported as exports_module
from subclust.text.encoders import exported_encoder as module
from subclust.text.encoders.backends import BACKENDS, this_processor
from subclust.text.encoders.exported import exported

pytest.importorskip("onnxscript")

NAMES = [name for name, one in BACKENDS.items() if one.why_not(this_processor()) is None]
USABLE = [name for name in NAMES if not BACKENDS[name].is_torch]
TEXTS = ["taxes colonies", "ant burrow night " * 9, "", "map author " * 3, "king", "Crown tea 4 7"]

if not USABLE:
    pytest.skip("neither ONNX Runtime nor OpenVINO is installed", allow_module_level=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(scope="module")
def plain(tiny_bert):
    return SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")


# Apart from the others: with both runtimes in one process, a signal that Python handles crashes it.
PARAMS = [
    pytest.param(name, marks=pytest.mark.slow) if name.startswith("openvino") else name
    for name in USABLE
]


@pytest.fixture(scope="module", params=PARAMS)
def encoder(request, tiny_bert, folder):
    return ExportedEncoder(
        str(tiny_bert), backend=BACKENDS[request.param], exports=folder, max_seq_length=16
    )


def test_vectors_are_those_of_pytorch(encoder, plain):
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.embedding_dim) and vectors.dtype == np.float32
    cosine = (vectors * plain.encode(TEXTS)).sum(axis=1)
    assert cosine.min() > encoder.backend.least_cosine
    assert encoder.encode([]).shape == (0, plain.embedding_dim)


@pytest.mark.app
def test_what_has_to_be_exported_first_is_told_until_it_is(tiny_bert, tmp_path):
    def fresh():
        backend = BACKENDS[USABLE[0]]
        return ExportedEncoder(str(tiny_bert), backend=backend, exports=tmp_path / "exports")

    waiting = unprepared(CachedEncoder(fresh(), tmp_path / "cache"))
    assert waiting is not None and not waiting.prepared
    waiting.prepare()
    assert waiting.prepared and unprepared(waiting) is None
    assert unprepared(fresh()) is None, "the next process finds the export"
    assert unprepared(SentenceEncoder(str(tiny_bert))) is None


def test_batches_by_tokens_give_the_same_as_one_text_at_a_time(encoder, monkeypatch):
    single = np.concatenate([encoder.encode([text]) for text in TEXTS])
    monkeypatch.setattr(module, "TOKENS_AT_ONCE", 20)
    steps = []
    many = encoder.encode(TEXTS, progress=lambda done, total: steps.append((done, total)))
    # Dynamic quantisation takes its range from the batch.
    atol = 0.1 if encoder.backend.name == "onnx-int8" else 2e-5
    np.testing.assert_allclose(many, single, atol=atol)
    assert len(steps) == 3 and steps[-1] == (6, 6)


def test_only_rounded_vectors_have_a_revision_of_their_own(encoder, plain, tmp_path):
    same = encoder.revision == plain.revision
    assert same != encoder.backend.approximate
    cached = CachedEncoder(encoder, tmp_path)
    assert exact(cached).revision == plain.revision
    assert (exact(cached) is cached) == same
    assert same or encoder.revision == f"{plain.revision}-{encoder.backend.name}"


def test_replaced_layers_stay_in_pytorch(encoder, plain):
    layers = {"0.auto_model.embeddings.LayerNorm.bias": np.ones(16, dtype=np.float32)}
    name = next(
        n for n, _ in plain.fresh_model().named_parameters() if n.endswith("LayerNorm.bias")
    )
    layers = {name: np.ones(16, dtype=np.float32)}
    other, expected = tuned(encoder, layers), tuned(plain, layers)
    assert type(other) is SentenceEncoder and other.revision == expected.revision
    np.testing.assert_allclose(other.encode(TEXTS), expected.encode(TEXTS), atol=0.02)


def test_a_query_gets_one_thread_and_passages_all(encoder, monkeypatch):
    asked = []
    before = torch.get_num_threads()
    monkeypatch.setattr(encoder, "_runs", {})
    opened = module.open_model
    monkeypatch.setattr(module, "open_model", lambda b, m, n: asked.append(n) or opened(b, m, n))
    torch.set_num_threads(2)
    try:
        encoder.encode(["king"])
        encoder.encode(TEXTS * 3)
        encoder.encode(["tea"])
    finally:
        torch.set_num_threads(before)
    assert asked == [1, 2]


def test_threads_may_share_it(encoder):
    expected = [encoder.encode([text]) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: encoder.encode([text]), TEXTS * 8))
    for vectors, wanted in zip(found, expected * 8, strict=True):
        np.testing.assert_allclose(vectors, wanted, atol=1e-5)


@pytest.mark.parametrize("harm", ["cut", "unfinished", "no story", "bad story"])
def test_half_an_export_is_not_taken(plain, folder, tmp_path, monkeypatch, harm):
    whole = exported(plain, folder)
    place = tmp_path / whole.model.parent.name
    if harm == "unfinished":
        place = tmp_path / f"{whole.model.parent.name}.partial"
    place.mkdir()
    content = whole.model.read_bytes()
    (place / "model.onnx").write_bytes(content[:-1] if harm == "cut" else content)
    story = (whole.model.parent / "export.json").read_text()
    if harm != "no story":
        (place / "export.json").write_text(story[:40] if harm == "bad story" else story)
    made = []

    def export(encoder, file):
        made.append(file)
        file.write_bytes(content)
        return whole.probes

    monkeypatch.setattr(exports_module, "_export", export)
    found = exported(plain, tmp_path)
    assert len(made) == 1 and found.model.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [whole.model.parent.name]
    exported(plain, tmp_path)
    assert len(made) == 1


def test_an_export_that_is_killed_leaves_none(plain, folder, tmp_path, monkeypatch):
    def export(encoder, file):
        file.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(exports_module, "_export", export)
    with pytest.raises(KeyboardInterrupt):
        exported(plain, tmp_path)
    assert not list(tmp_path.glob("*/export.json"))


def test_other_weights_or_configuration_get_a_place_of_their_own(tiny_bert, plain, tmp_path):
    copy = tmp_path / tiny_bert.name
    shutil.copytree(tiny_bert, copy)
    other = SentenceEncoder(str(copy), max_seq_length=16, precision="float32")
    key = exports_module._key(other, "float32")
    assert key == exports_module._key(plain, "float32") != exports_module._key(plain, "int8")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "layer_norm_eps": 0.1}))
    assert exports_module._key(other, "float32") != key


def test_a_runtime_that_gives_other_vectors_is_not_used(tiny_bert, folder, monkeypatch):
    name = USABLE[0]
    encoder = ExportedEncoder(str(tiny_bert), backend=BACKENDS[name], exports=folder)
    opened = module.open_model
    monkeypatch.setattr(
        module, "open_model", lambda *a: lambda ids, mask: opened(*a)(ids, mask)[::-1]
    )
    with raises(EncoderError, label="ONNX Runtime, float32"):
        encoder.encode(["king"])
    monkeypatch.setattr(module, "open_model", lambda *a: 1 / 0)
    with raises(EncoderError, label="ONNX Runtime, float32", error="division by zero"):
        encoder.encode(["king"])


def test_without_a_folder_for_its_export_pytorch_computes(tiny_bert, plain, tmp_path, caplog):
    (tmp_path / "taken").write_text("a file")
    encoder = ExportedEncoder(
        str(tiny_bert), backend=BACKENDS[USABLE[0]], exports=tmp_path / "taken", max_seq_length=16
    )
    found = encoder.encode(TEXTS)
    assert (found * plain.encode(TEXTS)).sum(axis=1).min() > 0.999
    assert encoder.prepared and encoder.embedding_dim == found.shape[1]
    assert [record.name for record in caplog.records] == [module.__name__]


@pytest.mark.parametrize("harm", ["zeroed", "other bytes"])
def test_a_damaged_export_is_made_anew(tiny_bert, plain, folder, tmp_path, monkeypatch, harm):
    whole = exported(plain, folder)
    content = whole.model.read_bytes()
    place = tmp_path / whole.model.parent.name
    shutil.copytree(whole.model.parent, place)
    damaged = bytes(len(content)) if harm == "zeroed" else content[:-4000] + b"x" * 4000
    (place / "model.onnx").write_bytes(damaged)

    def export(encoder, file):
        file.write_bytes(content)
        return whole.probes

    monkeypatch.setattr(exports_module, "_export", export)
    encoder = ExportedEncoder(
        str(tiny_bert), backend=BACKENDS[USABLE[0]], exports=tmp_path, max_seq_length=16
    )
    assert (encoder.encode(TEXTS) * plain.encode(TEXTS)).sum(axis=1).min() > 0.999
    assert (place / "model.onnx").read_bytes() == content
    assert (tmp_path / f"{place.name}.damaged" / "model.onnx").read_bytes() == damaged


def test_openvino_is_imported_without_what_calls_home():
    if find_spec("openvino") is None:
        pytest.skip("OpenVINO is not installed")
    program = (
        "import sys\n"
        "from subclust.text.encoders.runtimes import silent_openvino\n"
        "silent_openvino()\n"
        "print([n for n in sys.modules if n.startswith('openvino_telemetry.')\n"
        "       or n.startswith('openvino.tools.ovc')])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "[]", said.stderr
