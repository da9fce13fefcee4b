"""A set is encoded once: what is kept, what is told meanwhile."""

import numpy as np
import pytest
import torch

from subclust.core.records import Query
from subclust.methods.cactus.networks import load_set_encoder
from subclust.methods.cactus.similarity import KeptSets, SetSimilarity, _key_of
from subclust.methods.cactus.token_set import TokenSet
from subclust.text.encoders import SentenceEncoder

TEXTS = ["taxes on tea", "ant burrow at night", "taxes and the king", "a map"]


@pytest.fixture
def encoder(tiny_bert):
    return SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")


class Opened:
    """Opens the network, and counts."""

    def __init__(self, encoder, uses_query=False, context_layers=None):
        self.n_times, self.uses_query = 0, uses_query
        self.encoder, self.context_layers = encoder, context_layers

    def __call__(self):
        self.n_times += 1
        set_encoder = load_set_encoder(
            self.encoder, context="sia", tuned_layers=1, context_layers=self.context_layers
        )
        return TokenSet(set_encoder, uses_query=self.uses_query)

    def similarity(self, kept=None):
        return SetSimilarity(self, uses_query=self.uses_query, kept=kept)


def test_a_set_comes_from_disk_the_second_time_without_the_network(tmp_path, encoder):
    kept = KeptSets(tmp_path / "sets.sqlite", least_passages=1)
    opened = Opened(encoder)
    first = opened.similarity(kept).score_matrix(Query("q"), TEXTS)
    assert opened.n_times == 1
    again = opened.similarity(kept)
    np.testing.assert_array_equal(again.score_matrix(Query("another"), TEXTS), first)
    assert opened.n_times == 1
    fewer = again.score_matrix(Query("q"), TEXTS[:3])
    assert opened.n_times == 2
    assert np.abs(fewer - first[:3, :3]).max() > 1e-4  # who else is there counts


def test_where_the_query_is_an_entity_another_query_is_another_set(tmp_path, encoder):
    kept = KeptSets(tmp_path / "sets.sqlite", least_passages=1)
    similarity = Opened(encoder, uses_query=True).similarity(kept)
    one, other = (similarity.score_matrix(Query(text), TEXTS) for text in ("tea", "night"))
    assert np.abs(one - other).max() > 1e-4
    np.testing.assert_array_equal(similarity.score_matrix(Query("tea"), TEXTS), one)
    described = Query("tea", "night", context="description")
    np.testing.assert_array_equal(similarity.score_matrix(described, TEXTS), other)


def test_the_query_is_seen_and_not_compared(encoder):
    network = Opened(encoder, uses_query=True)().eval()
    with torch.inference_mode():
        (vectors,) = network.embed([TEXTS], ["tea"])
        together = network.set_encoder(network.set_encoder.tokenize([["tea", *TEXTS]]))
    unit = torch.nn.functional.normalize(together, dim=-1)
    torch.testing.assert_close(vectors, unit[1:])


@pytest.mark.parametrize("context_layers", [None, 1])
def test_progress_is_called_after_each_layer(encoder, context_layers):
    opened = Opened(encoder, context_layers=context_layers)
    similarity = opened.similarity()
    told = []
    similarity.prepare(Query("q"), TEXTS, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    similarity._network = None
    similarity.score_matrix(Query("q"), TEXTS)
    assert opened.n_times == 1  # prepared scores take no network


def test_the_oldest_sets_are_forgotten(tmp_path):
    kept = KeptSets(tmp_path / "sets.sqlite", max_sets=3, least_passages=1)
    for number in range(5):
        kept.add(bytes([number]), np.full((2, 4), number, dtype=np.float32))
    assert [kept.get(bytes([number])) is None for number in range(5)] == [True, True] + 3 * [False]
    np.testing.assert_array_equal(kept.get(bytes([3])), np.full((2, 4), 3))
    kept.add(bytes([3]), np.ones((1, 4), dtype=np.float32))
    assert kept.get(bytes([3])).shape == (1, 4)


def test_small_sets_are_not_kept(tmp_path):
    kept = KeptSets(tmp_path / "sets.sqlite", least_passages=3)
    for n_passages in (2, 3):
        kept.add(bytes([n_passages]), np.ones((n_passages, 4), dtype=np.float32))
    assert kept.get(bytes([2])) is None and kept.get(bytes([3])) is not None


def test_a_damaged_file_is_made_anew(tmp_path):
    kept = KeptSets(tmp_path / "sets.sqlite", least_passages=1)
    (tmp_path / "sets.sqlite").write_text("this is no database" * 100)
    assert kept.get(b"1") is None
    kept.add(b"1", np.ones((2, 4), dtype=np.float32))
    np.testing.assert_array_equal(kept.get(b"1"), np.ones((2, 4)))


def test_keys_tell_sets_apart():
    keys = [
        _key_of("", ["ab", "c"]),
        _key_of("", ["a", "bc"]),
        _key_of("ab", ["c"]),
        _key_of("", ["c", "ab"]),
        _key_of("", ["ab", "c", ""]),
        _key_of("", ["\ud800"]),
    ]
    assert len(set(keys)) == len(keys)
    assert _key_of("", ["ab", "c"]) == keys[0]
