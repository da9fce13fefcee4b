import hashlib
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from raising import raises
from tiny_e5 import HIDDEN, INNER, PIECES, e5_file, e5_parts

from subclust.core.exceptions import EncoderError
from subclust.core.settings import Settings
from subclust.text.encoders import e5, exact, load_encoder, tuned
from subclust.text.encoders.e5_file import E5File, _dequantised
from subclust.text.encoders.sentence import SentenceEncoder


def values(raw, shape):
    """Read blocks back, one weight at a time."""
    found = []
    for start in range(0, len(raw), 18):
        scale = float(np.frombuffer(raw[start : start + 2], np.float16)[0])
        half = raw[start + 2 : start + 18]
        found += [(byte & 15) * scale - 8 * scale for byte in half]
        found += [(byte >> 4) * scale - 8 * scale for byte in half]
    return np.asarray(found).reshape(shape)


@pytest.fixture(scope="module")
def parts():
    return e5_parts()


@pytest.fixture(scope="module")
def file(parts):
    return e5_file(parts)


@pytest.fixture
def installed(file, tmp_path, monkeypatch):
    """Install the file as the package's, in a folder of its own."""
    folder = tmp_path / "site" / e5.PACKAGE
    folder.mkdir(parents=True)
    (folder / e5.FILE).write_bytes(file)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(e5, "E5_SHA256", hashlib.sha256(file).hexdigest())
    return folder / e5.FILE


def test_blocks_are_read_as_one_weight_after_the_other(parts):
    raw = parts["l0.fo.w"]
    np.testing.assert_allclose(_dequantised(raw, INNER), values(raw, (HIDDEN, INNER)), atol=1e-6)


def test_all_tensors_have_the_names_of_transformers(file, parts):
    read = E5File(file)
    found = dict(read.tensors())
    assert read.vocabulary.pieces == PIECES
    assert len(found) == len(parts) - 1
    layer = "encoder.layer.0"
    expected = values(parts["l0.ao.w"], (HIDDEN, HIDDEN))
    ours = found[f"{layer}.attention.output.dense.weight"]
    np.testing.assert_allclose(ours, expected, atol=1e-3)
    assert found[f"{layer}.output.dense.weight"].shape == (HIDDEN, INNER)
    norm = np.frombuffer(parts["l0.oln.w"], np.float32)
    np.testing.assert_allclose(found[f"{layer}.output.LayerNorm.weight"], norm, atol=2e-3)


@pytest.mark.parametrize("cut", [0, 3, 60, 250])
def test_a_file_that_is_cut_or_of_another_kind_is_no_encoder(file, cut):
    with pytest.raises(ValueError, match="."):
        dict(E5File(file[:cut]).tensors())


def test_it_is_unpacked_once_and_never_imported(installed, tmp_path):
    place = tmp_path / "encoders"
    folder = e5.e5_folder(place)
    assert e5.PACKAGE not in sys.modules
    installed.unlink()
    assert e5.e5_folder(place) == folder
    assert [path.name for path in place.iterdir() if path.is_dir()] == [folder.name]


def test_each_text_is_encoded_after_the_prefix(installed, tmp_path):
    encoder = SentenceEncoder(e5.E5_MODEL, precision="float32", unpacked=tmp_path / "encoders")
    model = encoder.fresh_model()
    numbers = [[name for name, _ in PIECES].index(piece) for piece in
               ("<s>", "▁query", ":", "▁tea", "s", "▁of", "▁war", "</s>")]  # fmt: skip
    text = "  teas of\twar "
    assert model.tokenizer(text)["input_ids"] == numbers
    with torch.no_grad():
        bare = model[0].model(torch.tensor([numbers])).last_hidden_state[0].mean(0).numpy()
    np.testing.assert_allclose(encoder.encode([text])[0], bare / np.linalg.norm(bare), atol=1e-5)
    assert next(model.parameters()).dtype == torch.float32


def test_the_settings_name_it_and_tunings_start_from_it(installed, tmp_path):
    settings = Settings(data_dir=tmp_path / "data", device="cpu", encoder=e5.E5_MODEL)
    encoder = load_encoder(settings)
    assert encoder.revision == f"e5-small-{e5.E5_SHA256[:12]}-128"
    assert exact(encoder) is encoder
    name = "0.model.encoder.layer.0.output.dense.bias"
    other = tuned(encoder, {name: np.ones(HIDDEN, np.float16)})
    assert other.embedding_dim == HIDDEN
    assert np.abs(other.encode(["tea"]) - encoder.encode(["tea"])).max() > 1e-3
    assert load_encoder(replace(settings, max_seq_length=64)).revision.endswith("-64")


def test_without_the_package_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(e5, "PACKAGE", "no_such_package_anywhere")
    with raises(EncoderError, name=e5.E5_MODEL, requirement=e5.REQUIREMENT):
        SentenceEncoder(e5.E5_MODEL, unpacked=tmp_path)


def test_another_file_is_rejected_and_leaves_nothing(installed, tmp_path):
    installed.write_bytes(installed.read_bytes() + b"more")
    with raises(EncoderError, source=str(installed), expected=e5.E5_SHA256[:12]):
        e5.e5_folder(tmp_path / "encoders")
    assert not [path for path in (tmp_path / "encoders").iterdir() if path.is_dir()]
