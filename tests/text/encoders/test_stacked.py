import numpy as np

from subclust.text.encoders import CachedEncoder, HashingEncoder, StackedEncoder, untuned


def test_vectors_stand_side_by_side_with_the_same_weight():
    one, two = HashingEncoder(8), HashingEncoder(5)
    both = StackedEncoder([one, two])
    texts = ["tea taxes", "ants", ""]
    vectors = both.encode(texts)
    assert vectors.shape == (3, 13) and both.embedding_dim == 13
    np.testing.assert_allclose(vectors[:2, :8], one.encode(texts)[:2] / 2**0.5, atol=1e-6)
    np.testing.assert_allclose(vectors[:2, 8:], two.encode(texts)[:2] / 2**0.5, atol=1e-6)
    assert one.revision in both.revision and two.revision in both.revision
    assert StackedEncoder([two, one]).revision != both.revision


def test_what_somebody_asks_is_encoded_by_all_and_kept_by_none(tmp_path):
    parts = [CachedEncoder(HashingEncoder(dim), tmp_path) for dim in (8, 5)]
    both = StackedEncoder(parts)
    vector = both.encode_asked("tea taxes")
    assert not list(tmp_path.iterdir())
    np.testing.assert_allclose(vector, both.encode(["tea taxes"])[0], atol=1e-6)


def test_progress_reaches_the_whole_once():
    seen = []
    StackedEncoder([HashingEncoder(4), HashingEncoder(4)]).encode(
        ["a"] * 6, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == sorted(seen) and all(total == 6 for _, total in seen)
    assert not seen or seen[-1] == (6, 6)


def test_what_was_not_tuned_stays_itself():
    encoder = HashingEncoder(4)
    assert untuned(encoder) is encoder
