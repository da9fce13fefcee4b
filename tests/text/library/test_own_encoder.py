"""A library is searched and added to with the encoder that its vectors are of."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_library import make_library

from subclust.core.exceptions import LibraryNotFoundError
from subclust.core.records import Passage, Query
from subclust.pipeline.load import load_pipeline
from subclust.text.encoders import SentenceEncoder
from subclust.text.library import PassageLibrary, with_own_encoder

TEXTS = [
    f"The {what} of {where}" for what in ("taxes", "ships") for where in ("York", "Kent", "Rye")
]


@pytest.fixture
def library(settings, tiny_bert):
    """Make a library with the vectors of another encoder than that of the settings."""
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    passages = [Passage(str(n), text) for n, text in enumerate(TEXTS)]
    return make_library(settings.library_dir, encoder, passages, "mine")


def test_the_encoder_of_the_settings_is_for_new_libraries(settings, library, tiny_bert):
    assert settings.encoder == "hashing"
    assert with_own_encoder(settings, "mine") == replace(settings, encoder=str(tiny_bert))
    assert with_own_encoder(settings, "new") == settings


def test_it_is_searched_with_its_own(settings, library):
    pipeline = load_pipeline(settings, library="mine", method="centred-cosine")
    found = pipeline.run(Query("taxes of York"), n_clusters=2)
    assert sum(group.size for group in found.subtopics) == len(TEXTS)
    with pytest.raises(LibraryNotFoundError):
        load_pipeline(settings, library="new")


def test_what_is_imported_gets_vectors_of_its_own(settings, library, tmp_path, monkeypatch):
    from subclust.cli import main

    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps({"id": "new", "title": "Taxes", "text": "Taxes of Hove"}) + "\n")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(settings.models_dir))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    assert main(["import", str(file), "--library", "mine"]) == 0
    library = PassageLibrary.open(settings.library_dir, "mine")
    assert library.count() == len(TEXTS) + 1
    assert np.isfinite(library.passages().embeddings).all()


def test_a_back_end_that_rounds_is_taken_for_libraries_of_its_vectors_alone(settings):
    for name, revision in (("exact", "e-1"), ("rounded", "e-1-onnx-int8")):
        PassageLibrary.create(
            settings.library_dir, name, embedding_dim=2, encoder_name="e", encoder_revision=revision
        )
    rounding = replace(settings, encoder_backend="onnx-int8")
    assert with_own_encoder(rounding, "exact").encoder_backend == "auto"
    assert with_own_encoder(settings, "rounded").encoder_backend == "onnx-int8"
    openvino = replace(settings, encoder_backend="openvino")
    assert with_own_encoder(openvino, "exact").encoder_backend == "openvino"
    assert with_own_encoder(rounding, "new").encoder_backend == "onnx-int8"
