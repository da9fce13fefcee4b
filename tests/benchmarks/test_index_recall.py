import numpy as np
import pytest
from raising import raises

from benchmarks.index_recall import measure_index
from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.text.library.search import search_vector


@pytest.fixture
def library(tmp_path):
    encoder = HashingEncoder(16)
    library = PassageLibrary.create(
        tmp_path, "books", embedding_dim=16, encoder_name="hashing", encoder_revision="hashing-16"
    )
    passages = [Passage(f"p{n}", f"text {n} on shelf {n % 7}") for n in range(60)]
    library.add(passages, encoder.encode([one.text for one in passages]))
    return library


def test_without_an_index_the_answer_is_exact(library):
    queries = HashingEncoder(16).encode(["text 3", "shelf 2"])
    measured = measure_index(library, queries, 300, top_k=50)
    assert (measured["recall"], measured["recall_lowest"], measured["has_index"]) == (1, 1, False)
    assert measured["n_passages"] == 300 and measured["n_bytes"] > 0


def test_an_exact_search_is_that_of_a_slow_obvious_loop(library):
    query = HashingEncoder(16).encode(["text on shelf 2"])[0]
    found = library.passages()
    order = np.argsort(-(found.embeddings @ query), kind="stable")[:10]
    expected = [found.passages[row].id for row in order]
    exact = search_vector(library.table, query, 10, None, exact=True)
    assert {one.id for one in exact.passages} == set(expected)


def test_nothing_to_compare_is_told(library):
    with raises(InputError, top_k=200):
        measure_index(library, np.ones((1, 16), np.float32), 100)
