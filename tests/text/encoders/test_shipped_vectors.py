import json
import logging

import numpy as np
import pytest

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import PROJECT_ROOT
from subclust.grouping.naming.phrases import vocabulary
from subclust.methods import load_method
from subclust.text.encoders import CachedEncoder, SentenceEncoder, StackedEncoder, reading
from subclust.text.encoders import shipped as module
from subclust.text.encoders.base import HashingEncoder
from subclust.text.encoders.shipped import FILE, shipped_vectors, text_key, write_shipped
from subclust.text.ingest.units import units_of
from subclust.text.sources.wikidump import DEMO_PASSAGES

TEXTS = ["taxes", "tea and sugar", "the fleet sailed", ""]
MOST_BYTES = 12_000_000
LEAST_COSINE = 0.9995
"""Of 8 bits to single precision; bfloat16, which encoding may use, has 0.999."""


@pytest.fixture
def encoder():
    return HashingEncoder(16)


@pytest.fixture
def file(encoder, tmp_path, monkeypatch):
    path = tmp_path / "shipped.safetensors"
    write_shipped({encoder.revision: (TEXTS[:3], encoder.encode(TEXTS[:3]))}, path)
    monkeypatch.setattr(
        "subclust.text.encoders.cache.shipped_vectors", lambda of: shipped_vectors(of, path)
    )
    return path


def cosines(vectors, expected):
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(expected, axis=1)
    return (vectors * expected).sum(axis=1) / np.maximum(norms, 1e-12)


def test_what_ships_is_found_by_text_and_encoder(file, encoder):
    keys = [text_key(text) for text in TEXTS]
    found = dict(shipped_vectors(encoder.revision, file).of(keys))
    assert list(found) == keys[:3]
    expected = encoder.encode(TEXTS[:3])
    assert cosines(np.stack(list(found.values())), expected).min() > LEAST_COSINE
    assert not dict(shipped_vectors("another", file).of(keys))


@pytest.mark.parametrize("as_read", [False, True])
def test_a_cache_encodes_and_keeps_only_the_others(file, encoder, tmp_path, monkeypatch, as_read):
    cached = CachedEncoder(encoder, tmp_path / "cache")
    expected = encoder.encode(TEXTS)
    asked = []
    whole = encoder.encode
    monkeypatch.setattr(
        encoder, "encode", lambda texts, **more: asked.append(list(texts)) or whole(texts, **more)
    )
    found = (reading(cached) if as_read else cached).encode(TEXTS)
    assert cosines(found[:3], expected[:3]).min() > LEAST_COSINE
    assert asked == [TEXTS[3:]]
    assert cached.known(TEXTS) == set(TEXTS[:3] if as_read else TEXTS)
    alone = CachedEncoder(encoder, tmp_path / "cache", shipped=False)
    assert alone.known(TEXTS) == set([] if as_read else TEXTS[3:])
    np.testing.assert_allclose(alone.encode(TEXTS), expected, atol=1e-6)


@pytest.mark.parametrize("harm", ["missing", "cut", "changed"])
def test_a_file_that_is_not_what_shipped_is_done_without(file, encoder, tmp_path, caplog, harm):
    content = file.read_bytes()
    path = tmp_path / "harmed.safetensors"
    if harm != "missing":
        path.write_bytes(content[:-8] if harm == "cut" else content[:-1] + bytes([content[-1] ^ 1]))
    with caplog.at_level(logging.WARNING):
        assert not shipped_vectors(encoder.revision, path).rows
    assert caplog.records


@pytest.fixture(scope="module")
def units(demo_articles):
    return [unit for document in demo_articles for unit in units_of(document)]


@pytest.fixture(scope="module")
def passages(units):
    return [passage.text for unit in units for passage in unit.passages]


@pytest.fixture(scope="module")
def imported(units):
    return [unit.text_of(passage) for unit in units for passage in unit.passages]


@pytest.fixture(scope="module")
def encoders():
    """The base encoder and the tuning of it that the shipped default method has."""
    base = SentenceEncoder(precision="float32")
    models = PROJECT_ROOT / "models"
    method = load_method("default", CheckpointStore(models), base)
    assert isinstance(method.encoder, StackedEncoder)
    own, beside = method.encoder.encoders
    assert beside is base
    return base, own


def sampled(encoder, texts, n):
    """Return the cosines of what ships for some texts to what encoding gives."""
    rows = np.random.default_rng(0).permutation(len(texts))[:n]
    some = [texts[row] for row in rows]
    found = dict(shipped_vectors(encoder.revision).of([text_key(text) for text in some]))
    return cosines(np.stack([found[text_key(text)] for text in some]), encoder.encode(some))


def test_all_that_the_demo_needs_ships_in_a_small_file(passages, imported, encoders):
    assert FILE.stat().st_size < MOST_BYTES
    assert len(passages) == DEMO_PASSAGES
    base, own = encoders
    texts = {text_key(text)[: module.KEY_BYTES] for text in passages}
    words = {text_key(text)[: module.KEY_BYTES] for text in vocabulary(passages)}
    encoded = {text_key(text)[: module.KEY_BYTES] for text in imported}
    assert shipped_vectors(base.revision).rows.keys() == encoded | words
    assert shipped_vectors(own.revision).rows.keys() == texts


def test_some_of_what_ships_is_what_encoding_gives(passages, imported, encoders):
    base, own = encoders
    assert sampled(base, imported, 12).min() > LEAST_COSINE
    assert sampled(own, passages, 12).min() > LEAST_COSINE
    assert sampled(base, vocabulary(passages), 24).min() > LEAST_COSINE


@pytest.mark.slow
def test_all_that_ships_is_what_encoding_gives(passages, imported, encoders):
    base, own = encoders
    texts = [*imported, *vocabulary(passages)]
    assert sampled(base, texts, len(texts)).min() > LEAST_COSINE
    assert sampled(own, passages, len(passages)).min() > LEAST_COSINE


def test_the_checkpoint_that_they_are_for_is_the_default(encoders):
    promoted = json.loads((PROJECT_ROOT / "models" / "promoted.json").read_text())
    assert promoted["default"][-1] == "centred-qs3m"
