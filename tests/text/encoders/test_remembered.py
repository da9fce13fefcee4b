import numpy as np
import pytest
from counting_encoder import Counting

from subclust.text.encoders import (
    CachedEncoder,
    HashingEncoder,
    RememberedEncoder,
    StackedEncoder,
    remembering,
    uncached,
)


def test_a_text_is_encoded_once_and_the_vectors_are_the_same():
    inner = Counting(8)
    encoder = RememberedEncoder(inner)
    first = encoder.encode(["b", "a", "b"])
    second = encoder.encode(["a", "c"])
    assert inner.calls == [["a", "b"], ["c"]]
    np.testing.assert_allclose(first, HashingEncoder(8).encode(["b", "a", "b"]), atol=1e-6)
    np.testing.assert_allclose(second, HashingEncoder(8).encode(["a", "c"]), atol=1e-6)
    assert (encoder.revision, encoder.embedding_dim) == (inner.revision, 8)


def test_what_was_not_asked_for_longest_is_forgotten_first():
    inner = Counting(8)
    encoder = RememberedEncoder(inner, most=2)
    for texts in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        encoder.encode(texts)
    assert inner.calls == [["a"], ["b"], ["c"], ["b"]]


def test_more_texts_than_are_remembered_are_all_encoded():
    encoder = RememberedEncoder(HashingEncoder(8), most=2)
    assert encoder.encode(list("abcdef")).shape == (6, 8)


def test_all_who_share_an_encoder_share_its_memory():
    one, other = Counting(8), Counting(8)
    assert remembering(one, one) is remembering(one, one)
    assert remembering(one, one) is not remembering(other, other)


@pytest.mark.parametrize("stacked", [False, True])
def test_without_its_cache_an_encoder_writes_nothing(tmp_path, stacked):
    cached = CachedEncoder(HashingEncoder(8), tmp_path / "cache")
    encoder = StackedEncoder([cached, cached]) if stacked else cached
    vectors = uncached(encoder).encode(["a passage"])
    assert not cached.file.exists()
    np.testing.assert_array_equal(vectors, encoder.encode(["a passage"]))
    assert cached.file.exists()
