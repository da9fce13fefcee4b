"""Which back end an encoder gets, and why not another."""

import json
import subprocess
import sys

import pytest
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.core.settings import APPROXIMATE_BACKENDS, ENCODER_BACKENDS, Settings
from subclust.text.encoders import ExportedEncoder, SentenceEncoder, backends, load_encoder
from subclust.text.encoders.backends import (
    BACKENDS,
    Processor,
    choose_backend,
    ranked,
    this_processor,
)

PLAIN = Processor("avx2", bfloat16=False)
ABLE = Processor("amx", bfloat16=True)


@pytest.fixture
def installed(monkeypatch):
    """Say that these packages are there, whatever is."""

    def say(*names):
        monkeypatch.setattr(backends, "find_spec", lambda name: name in names or None)

    say("onnx", "onnxscript", "onnxruntime", "openvino")
    return say


@pytest.fixture
def measured(tmp_path):
    """Write a result for the plain processor, of speed and of what the groups lose."""

    def write(**rows):
        told = {
            name.replace("_", "-"): {"passages_per_second": speed, "ari_difference": difference}
            for name, (speed, difference) in rows.items()
        }
        (tmp_path / "avx2.json").write_text(json.dumps({"backends": told}))
        return tmp_path

    return write


def test_settings_and_registry_name_the_same():
    assert ("auto", *BACKENDS) == tuple(
        sorted(ENCODER_BACKENDS, key=list(("auto", *BACKENDS)).index)
    )
    assert {name for name, one in BACKENDS.items() if one.approximate} == set(APPROXIMATE_BACKENDS)
    for name, one in BACKENDS.items():
        assert one.name == name and one.precision in ("float32", "bfloat16", "int8")


@pytest.mark.parametrize("abilities", [{"avx2": True}, {"avx512_f": True}, {}])
def test_a_processor_without_bfloat16_says_so(monkeypatch, abilities):
    monkeypatch.setattr("torch.cpu.get_capabilities", lambda: abilities)
    here = this_processor()
    assert not here.bfloat16
    assert f"({here.kind})" in here.why_no_bfloat16()


@pytest.mark.parametrize(
    ("abilities", "kind"),
    [
        ({"avx2": True, "avx512_f": True, "amx_bf16": True, "avx512_bf16": True}, "amx"),
        ({"avx2": True, "avx512_f": True, "avx512_bf16": True}, "avx512-bf16"),
    ],
)
def test_a_processor_with_bfloat16_is_seen(monkeypatch, abilities, kind):
    monkeypatch.setattr("torch.cpu.get_capabilities", lambda: abilities)
    assert this_processor() == Processor(kind, bfloat16=True)
    assert this_processor().why_no_bfloat16() is None


@pytest.mark.parametrize("name", ["torch-bf16", "openvino-bf16"])
def test_bfloat16_is_refused_where_it_would_be_imitated(installed, name):
    assert choose_backend(name, "cpu", processor=ABLE) is BACKENDS[name]
    with raises(EncoderError, **{"kind": "avx2"}, asked=name):
        choose_backend(name, "cpu", processor=PLAIN)


def test_a_missing_extra_is_one_sentence_with_the_command(installed):
    installed("onnx", "onnxscript")
    with raises(EncoderError, asked="onnx"):
        choose_backend("onnx", "cpu", processor=PLAIN)
    with raises(EncoderError, asked="openvino"):
        choose_backend("openvino", "cpu", processor=PLAIN)


def test_other_devices_are_pytorchs(installed):
    assert choose_backend("auto", "cuda") is None
    assert choose_backend("torch", "cuda") is BACKENDS["torch"]
    with raises(EncoderError, asked="onnx", device="cuda"):
        choose_backend("onnx", "cuda", processor=PLAIN)
    with raises(EncoderError, asked="tpu"):
        choose_backend("tpu", "cpu", processor=PLAIN)


def test_auto_takes_the_fastest_measured_that_is_installed(installed, measured):
    folder = measured(torch=(50, 0.0), onnx=(60, 0.0), openvino=(70, -0.001))
    assert choose_backend("auto", "cpu", processor=PLAIN, measured=folder).name == "openvino"
    installed("onnx", "onnxscript", "onnxruntime")
    assert choose_backend("auto", "cpu", processor=PLAIN, measured=folder).name == "onnx"
    installed()
    assert choose_backend("auto", "cpu", processor=PLAIN, measured=folder).name == "torch"


def test_auto_takes_none_that_changes_the_groups_or_rounds_the_vectors(installed, measured):
    folder = measured(torch=(50, 0.0), onnx=(60, 0.003), openvino=(70, -0.003), onnx_int8=(90, 0.0))
    assert [one.name for one in ranked(PLAIN, folder)] == ["torch"]


def test_auto_guesses_nothing_about_a_processor_that_was_not_measured(installed, measured):
    assert choose_backend("auto", "cpu", processor=ABLE, measured=measured(onnx=(9, 0))) is None


def test_the_setting_decides(tmp_path, tiny_bert, monkeypatch, installed):
    settings = Settings(data_dir=tmp_path, device="cpu", encoder=str(tiny_bert), max_seq_length=16)
    monkeypatch.setattr(backends, "MEASURED", tmp_path)
    made = load_encoder(Settings(**{**vars(settings), "encoder_backend": "torch"})).encoder
    assert type(made) is SentenceEncoder and made.precision == "float32"
    made = load_encoder(Settings(**{**vars(settings), "encoder_backend": "onnx"})).encoder
    assert type(made) is ExportedEncoder and made.exports == tmp_path / "encoders"


def test_nothing_of_the_extras_is_imported_before_it_is_used(tmp_path):
    code = (
        "import sys; from pathlib import Path; from subclust.text.encoders import load_encoder;"
        "from subclust.core.settings import Settings;"
        f"load_encoder(Settings(data_dir=Path({str(tmp_path)!r}), device='cpu'));"
        "print([m for m in ('onnx', 'onnxruntime', 'onnxscript', 'openvino') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
