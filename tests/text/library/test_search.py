import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.text.library.search import quoted


def ids(found):
    return [passage.id for passage in found.passages]


def test_words_are_stemmed_and_accents_folded(library):
    assert ids(library.search_text("passage digs burrow", 10))[0] == "p1"
    assert ids(library.search_text("CAFE", 10)) == ["p3"]


def test_titles_are_searched_too(library):
    assert set(ids(library.search_text("animals", 10))) == {"p1", "p2", "p3", "p4", "p5"}


def test_text_scores_fall_and_rare_words_win(library):
    found = library.search_text("termites aardvark", 10)
    assert ids(found) == ["p2", "p1"]
    assert (np.diff(found.scores) <= 0).all()
    assert (found.scores > 0).all()


def test_vectors_rank_by_cosine(library, passages, embed):
    vector = embed(passages)[4]
    found = library.search_vector(vector, 10)
    cosines = embed(passages) @ vector
    assert ids(found) == [f"p{n}" for n in np.argsort(-cosines)]
    np.testing.assert_allclose(found.scores, np.sort(cosines)[::-1], atol=1e-5)
    np.testing.assert_allclose(found.embeddings @ vector, found.scores, atol=1e-5)


def test_equal_scores_are_cut_off_by_id_whatever_their_order_in_the_table(empty, embed):
    alike = [Passage(f"p{number:02}", "ants burrow") for number in range(60)]
    vectors = embed(alike)
    shuffled = alike[37:] + alike[:37][::-1]
    empty.add(shuffled, vectors)
    wanted = [passage.id for passage in alike[:7]]
    assert ids(empty.search_text("ants", 7)) == wanted
    assert ids(empty.search_vector(vectors[0], 7)) == wanted
    assert len(empty.search_text("ants", 100)) == 60


def test_filters_come_before_the_cut(library, passages, embed):
    vector = embed(passages)[0]
    assert ids(library.search_vector(vector, 3, collection="odd")) != []
    assert all(
        i in {"p1", "p3", "p5"} for i in ids(library.search_vector(vector, 3, collection="odd"))
    )
    assert len(library.search_vector(vector, 3, collection="odd")) == 3
    assert ids(library.search_text("tax war", 5, collection="odd")) == []
    assert ids(library.search_text("animals", 5, collection="even")) == ["p2", "p4"]
    assert len(library.search_text("war", 5, collection="x' OR '1'='1")) == 0


@pytest.mark.parametrize(
    "text",
    ["", " ", "the of and", '"', "'", '"war', "war AND (", "war OR", "-war", "+", "*", "w*r",
     "war~2", "title:war", "\\", "{}", "[", "😀", "\x00", "\ud800", "war\udfff", "a" * 100_000,
     "\u202ewar", "%s"],
)  # fmt: skip
def test_no_query_is_wrong(library, text):
    found = library.search_text(text, 5)
    assert len(found) <= 5
    assert found.embeddings.shape == (len(found), 16)


def test_operators_are_words(library):
    plain = library.search_text("war taxes", 5)
    dressed = library.search_text('"war" AND -(taxes)*', 5)
    assert ids(plain) == ids(dressed) != []


@given(text=st.text(st.characters(), max_size=60))
def test_any_text_may_be_looked_for(library, text):
    assert len(library.search_text(text, 3)) <= 3
    assert len(library.search_text("war", 3, collection=text)) == 0
    assert quoted(text).count("'") % 2 == 0


def test_an_empty_library_finds_nothing(empty):
    assert len(empty.search_text("war", 5)) == 0
    assert len(empty.search_vector(np.eye(16, dtype=np.float32)[0], 5)) == 0


def test_rows_are_found_before_and_after_optimizing(library, embed):
    library.optimize()
    new = Passage(id="new", text="A zeppelin over the war memorial.")
    library.add([new], embed([new]))
    assert ids(library.search_text("zeppelin", 5)) == ["new"]
    before = set(ids(library.search_text("war", 10)))
    library.optimize()
    assert set(ids(library.search_text("war", 10))) == before == {"p0", "p4", "new"}


def test_equal_scores_come_in_order_of_id(empty, embed):
    same = [Passage(id=i, text="alike words") for i in ["c", "a", "d", "b"]]
    empty.add(same, embed(same))
    assert ids(empty.search_text("alike", 10)) == ["a", "b", "c", "d"]
    assert ids(empty.search_vector(embed(same)[0], 10)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("vector", [np.ones(15), np.ones((1, 16)), np.full(16, np.inf)])
def test_vectors_that_do_not_fit_are_refused(library, vector):
    with raises(InputError, embedding_dim=16):
        library.search_vector(vector, 5)


def test_at_least_one_hit_must_be_asked_for(library):
    with raises(InputError, k=0):
        library.search_text("war", 0)
    with raises(InputError, k=-1):
        library.search_vector(np.ones(16) / 4, -1)
