"""How many threads embed a text."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from subclust.text.encoders import batches as threads
from subclust.text.encoders.batches import many_threads, one_thread
from subclust.text.encoders.plain_bert import PlainBert
from subclust.text.encoders.sentence import SHORT, SentenceEncoder


@pytest.fixture(autouse=True)
def three_threads(monkeypatch):
    monkeypatch.setattr(threads, "_many", 1)
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def used(monkeypatch):
    """Give an encoder, and a list of the numbers of threads with which its model was called."""
    found = []
    whole = PlainBert.embed

    def embed(self, tokens):
        found.append(torch.get_num_threads())
        return whole(self, tokens)

    monkeypatch.setattr(PlainBert, "embed", embed)
    return SentenceEncoder(), found


def test_a_query_is_embedded_on_one_thread_and_a_long_passage_on_all(used):
    encoder, found = used
    encoder.encode(["history of the river"])
    encoder.encode(["word " * 2 * SHORT])
    assert found == [1, 3]
    encoder.encode(["history of the river"] * SHORT)
    assert len(found) >= 2 + 3 and set(found[2:]) == {1}
    assert torch.get_num_threads() == 3


def test_several_batches_are_embedded_at_once_on_a_thread_each(used):
    encoder, found = used
    texts = [f"the history of river {number} " * 20 for number in range(3 * SHORT)]
    done = []
    several = encoder.encode(texts, progress=lambda n_done, n_total: done.append(n_done))
    assert len(found) > 3 and set(found) == {1}
    assert done == sorted(done) and done[-1] == len(texts)
    assert torch.get_num_threads() == 3
    one = np.concatenate([encoder.encode([text]) for text in texts[:5]])
    np.testing.assert_allclose(several[:5], one, atol=0.01)


def test_batches_that_wait_are_not_embedded_after_a_cancel(used):
    def cancel(n_done, n_total):
        raise ZeroDivisionError

    encoder, found = used
    with pytest.raises(ZeroDivisionError):
        encoder.encode(["the history of the river " * 20] * 1000, progress=cancel)
    assert len(found) < 30
    assert torch.get_num_threads() == 3


def test_the_threads_come_back_after_an_error():
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert torch.get_num_threads() == 3


def test_one_thread_within_one_thread_changes_nothing():
    with one_thread():
        with one_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3


def test_a_thread_that_began_meanwhile_gets_its_help_back():
    def work():
        began_with = torch.get_num_threads()
        many_threads()
        return began_with, torch.get_num_threads()

    with one_thread(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() == (1, 3)
