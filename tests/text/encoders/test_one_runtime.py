"""A process loads ONNX Runtime or OpenVINO, never both. Neither is needed here: both are stubs."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import ExportedEncoder, exported_encoder, runtimes
from subclust.text.encoders.backends import BACKENDS
from subclust.text.encoders.exported import PROBES, Exported
from subclust.text.encoders.runtimes import loaded_runtime, serving, take_runtime

MODULES = {"onnx": "onnxruntime", "openvino": "openvino"}
LABELS = {"onnx": "ONNX Runtime", "openvino": "OpenVINO"}
EXPORTED = [one for one in BACKENDS.values() if not one.is_torch]


@pytest.fixture
def imported(monkeypatch):
    """Have an import of either put a stub there; give what was imported, in order."""
    done = []
    for module in MODULES.values():
        monkeypatch.setitem(sys.modules, module, None)

    def put(module):
        done.append(module)
        sys.modules[module] = ModuleType(module)

    monkeypatch.setattr(runtimes, "import_module", put)
    monkeypatch.setattr(runtimes, "_silent_openvino", lambda: put("openvino"))
    return done


@pytest.fixture
def make(tmp_path, tiny_bert, monkeypatch, imported):
    """Make encoders whose runtime computes the right vectors and says which back end it is."""
    opened = []
    vectors = np.eye(len(PROBES), 16, dtype=np.float32)

    def open_model(backend, model, n_threads):
        opened.append(backend.name)
        return lambda ids, mask: vectors[: len(ids)]

    monkeypatch.setattr(exported_encoder, "open_model", open_model)
    monkeypatch.setattr(
        exported_encoder, "exported", lambda *a: Exported(tmp_path / "model.onnx", 16, vectors)
    )

    def one(name):
        return ExportedEncoder(str(tiny_bert), backend=BACKENDS[name], exports=tmp_path)

    one.opened = opened
    return one


@pytest.mark.parametrize("first", EXPORTED, ids=lambda one: one.name)
@pytest.mark.parametrize("second", EXPORTED, ids=lambda one: one.name)
def test_whatever_is_asked_for_one_runtime_is_imported(imported, first, second):
    assert loaded_runtime() is None
    assert take_runtime(first) is first and loaded_runtime() == first.extra
    if second.extra == first.extra:
        assert take_runtime(second) is second
    elif second.approximate:
        needed, there = LABELS[second.extra], LABELS[first.extra]
        with raises(EncoderError, label=needed, label_2=there):
            take_runtime(second)
    else:
        served = take_runtime(second)
        assert (served.extra, served.precision) == (first.extra, "float32")
    assert set(imported) == {MODULES[first.extra]}


def test_one_that_somebody_else_has_imported_counts(imported, monkeypatch):
    monkeypatch.setitem(sys.modules, "openvino", ModuleType("openvino"))
    assert serving(BACKENDS["onnx"]) is BACKENDS["openvino"]


def test_threads_that_begin_at_once_agree(imported):
    with ThreadPoolExecutor(8) as pool:
        names = ["onnx", "openvino", "openvino-bf16"] * 8
        served = {one.extra for one in pool.map(lambda n: take_runtime(BACKENDS[n]), names)}
    assert len(served) == 1 and set(imported) == {MODULES[served.pop()]}


def test_a_library_of_the_other_runtime_is_searched_with_the_one_that_is_there(make, imported):
    rounded, plain = make("onnx-int8"), make("openvino-bf16")
    rounded.encode(["king"])
    plain.encode(["king"])
    assert make.opened == ["onnx-int8", "onnx"] and imported[0] == "onnxruntime"
    assert "openvino" not in imported
    assert plain.precision == "float32" and plain.revision == make("onnx").revision


def test_rounded_vectors_are_refused_in_a_sentence_beside_openvino(make, imported, tmp_path):
    plain, rounded = make("openvino"), make("onnx-int8")
    plain.encode(["king"])
    with pytest.raises(EncoderError) as refused:
        rounded.encode(["king"])
    told = str(refused.value)
    assert (
        "onnx-int8 needs ONNX Runtime" in told and "set SUBCLUST_ENCODER_BACKEND to onnx " in told
    )
    assert "\n" not in told and told.endswith(".") and set(imported) == {"openvino"}
    assert plain.encode(["king"]).shape == (1, 16)


def test_making_a_rounded_export_does_not_load_it_either(imported, tmp_path):
    from subclust.text.encoders.exported import _quantise

    take_runtime(BACKENDS["openvino"])
    with raises(EncoderError, backend="onnx-int8", label_2="OpenVINO", extra="onnx"):
        _quantise(None, tmp_path / "model.onnx", tmp_path / "rounded.onnx", "int8")
    assert imported == ["openvino"]


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "int8-static"])
def test_an_export_that_both_may_take_loads_neither(tiny_bert, tmp_path, precision):
    pytest.importorskip("onnxscript")
    program = (
        "import sys; from pathlib import Path; from subclust.text.encoders import SentenceEncoder;"
        "from subclust.text.encoders.exported import exported;"
        "from subclust.text.encoders.runtimes import loaded_runtime;"
        f"exported(SentenceEncoder({str(tiny_bert)!r}, max_seq_length=16), Path({str(tmp_path)!r}),"
        f"{precision!r});"
        "print(loaded_runtime())"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "None", said.stderr
