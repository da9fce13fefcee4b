"""A library that is large enough for an index of its vectors finds what one without finds."""

import numpy as np
import pytest

from subclust.core.records import Passage
from subclust.text.library import PassageLibrary, add
from subclust.text.library.search import search_vector

DIM = 16
ENOUGH = 1000


def some_vectors(n_vectors, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(40, DIM))
    vectors = centres[rng.integers(40, size=n_vectors)] + 0.2 * rng.normal(size=(n_vectors, DIM))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def numbered(first, last):
    return [
        Passage(id=f"{n:04}", text=f"w{n}", collection="odd" if n % 2 else "even")
        for n in range(first, last)
    ]


def kinds(library):
    return [i.index_type for i in library.table.list_indices() if i.columns == ["embedding"]]


def ids(found):
    return [passage.id for passage in found.passages]


def shared(library, queries, k=50, condition=None):
    """Give the mean share of the exact hits that are found."""
    shares = []
    for query in queries:
        exact = search_vector(library.table, query, k, condition, exact=True)
        found = search_vector(library.table, query, k, condition)
        shares.append(len(set(ids(exact)) & set(ids(found))) / len(exact))
    return np.mean(shares)


@pytest.fixture
def indexed(tmp_path):
    library = PassageLibrary.create(
        tmp_path, "books", embedding_dim=DIM, encoder_name="hashing", encoder_revision="r1"
    )
    library.add(numbered(0, 1200), some_vectors(1200))
    add.bring_indexes_up_to_date(library.table, vector_index_rows=ENOUGH)
    return library


def test_a_large_library_gets_an_index_that_finds_nearly_all(indexed):
    assert kinds(indexed) == ["IvfSq"]
    assert shared(indexed, some_vectors(1200)[:20]) >= 0.98
    add.bring_indexes_up_to_date(indexed.table, vector_index_rows=ENOUGH)
    assert kinds(indexed) == ["IvfSq"]


def test_scores_are_those_of_the_whole_vectors_and_in_order(indexed):
    for query in some_vectors(1200)[:20]:
        found = indexed.search_vector(query, 10)
        np.testing.assert_allclose(found.scores, found.embeddings @ query, atol=1e-4)
        assert (np.diff(found.scores) <= 0).all()


def test_a_small_library_has_none_and_is_exact(tmp_path):
    library = PassageLibrary.create(
        tmp_path, "few", embedding_dim=DIM, encoder_name="hashing", encoder_revision="r1"
    )
    vectors = some_vectors(300)
    library.add(numbered(0, 300), vectors)
    library.optimize()
    assert kinds(library) == []
    query = some_vectors(5, seed=1)[0]
    wanted = np.argsort(-(vectors @ query), kind="stable")[:20]
    assert ids(library.search_vector(query, 20)) == [f"{n:04}" for n in wanted]


def test_what_is_added_after_the_index_is_found(indexed):
    new = some_vectors(50, seed=2)
    indexed.add(numbered(1200, 1250), new)
    for number, vector in enumerate(new, start=1200):
        assert ids(indexed.search_vector(vector, 1)) == [f"{number:04}"]
    assert shared(indexed, new[:10]) >= 0.98
    add.bring_indexes_up_to_date(indexed.table, vector_index_rows=ENOUGH)
    for number, vector in enumerate(new, start=1200):
        assert ids(indexed.search_vector(vector, 1)) == [f"{number:04}"]


def test_what_is_deleted_or_replaced_is_found_no_more(indexed):
    vectors = some_vectors(1200)
    indexed.discard([f"{n:04}" for n in range(100)])
    indexed.add(numbered(100, 101), -vectors[100:101])
    for compacted in (False, True):
        if compacted:
            add.compact(indexed.table)
        for number in (0, 50, 99):
            assert f"{number:04}" not in ids(indexed.search_vector(vectors[number], 1100))
        assert ids(indexed.search_vector(-vectors[100], 1)) == ["0100"]
        assert "0100" not in ids(indexed.search_vector(vectors[100], 20))
        assert shared(indexed, vectors[200:220]) >= 0.98


def test_a_condition_holds_before_ranking(indexed):
    queries = some_vectors(1200)[:10]
    for query in queries:
        found = indexed.search_vector(query, 50, collection="odd")
        assert len(found) == 50
        assert all(passage.collection == "odd" for passage in found.passages)
    assert shared(indexed, queries, condition="collection = 'odd'") >= 0.98
    few = ["0003", "0500", "1100"]
    assert sorted(ids(indexed.search_vector(queries[0], 50, ids=few))) == few


def test_an_index_of_an_earlier_kind_is_replaced(indexed):
    from lancedb.index import IvfPq

    config = IvfPq(distance_type="cosine", num_sub_vectors=4)
    indexed.table.create_index("embedding", config=config, name="embedding_idx", replace=True)
    assert kinds(indexed) == ["IvfPq"]
    add.bring_indexes_up_to_date(indexed.table, vector_index_rows=ENOUGH)
    assert kinds(indexed) == ["IvfSq"]
    assert shared(indexed, some_vectors(1200)[:20]) >= 0.98
