import unicodedata

import numpy as np
import pytest
from made_library import make_library
from raising import raises

from subclust.core.exceptions import InputError, LibraryError
from subclust.core.records import Passage, Query
from subclust.text.encoders import CachedEncoder, HashingEncoder
from subclust.text.retrieval import (
    RETRIEVAL_MODES,
    Retriever,
    check_question,
    fuse,
    relevance,
)
from subclust.text.retrieval import retriever as searching
from subclust.text.retrieval.hit_words import word_vectors

SUBJECTS = ["war and taxes", "aardvarks and ants", "books and maps", "storms and rain"]


@pytest.fixture
def retriever(tmp_path):
    encoder = HashingEncoder()
    passages = [
        Passage(
            id=f"p{n:02}",
            text=f"Note {n} on {SUBJECTS[n % 4]} {'again ' * (n % 5)}",
            title=SUBJECTS[n % 4],
            collection="new" if n >= 20 else "old",
        )
        for n in range(40)
    ]
    return Retriever(make_library(tmp_path, encoder, passages, "books"), encoder)


@pytest.mark.parametrize("mode", RETRIEVAL_MODES)
def test_the_hits_are_ranked_and_carry_their_embeddings(retriever, mode):
    ranking = retriever.search(Query("taxes of the war"), top_k=8, mode=mode)
    assert [hit.rank for hit in ranking.hits] == list(range(1, 9))
    assert {hit.passage.title for hit in ranking.hits} == {"war and taxes"}
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)
    texts = [passage.text for passage in ranking.passages]
    np.testing.assert_allclose(ranking.embeddings, retriever.encoder.encode(texts), atol=1e-6)
    assert ranking.library == "books"
    assert ranking.query == Query("taxes of the war")


def test_fusion_is_the_fusion_of_its_parts(retriever):
    query = Query("rain on books")
    by_words, by_meaning = (retriever.search(query, 200, mode) for mode in ("text", "vector"))
    bm25 = {hit.passage.id: hit.score for hit in by_words.hits}
    assert 0 < len(bm25) < len(by_meaning.hits) == 40
    ids = sorted(hit.passage.id for hit in by_meaning.hits)
    row_of = {hit.passage.id: row for row, hit in enumerate(by_meaning.hits)}
    passages = [by_meaning.passages[row_of[id_]] for id_ in ids]
    words, _ = word_vectors(query.text, [f"{one.title} {one.text}" for one in passages])
    expected = fuse(
        np.array([bm25.get(id_, 0.0) for id_ in ids]),
        np.array([by_meaning.hits[row_of[id_]].score for id_ in ids]),
        by_meaning.embeddings[[row_of[id_] for id_ in ids]],
        words[:-1],
    )
    fused = retriever.search(query, 40)
    assert sorted(hit.passage.id for hit in fused.hits) == ids
    order = [ids.index(hit.passage.id) for hit in fused.hits]
    np.testing.assert_allclose([hit.score for hit in fused.hits], expected[order], atol=1e-4)


def test_fewer_hits_are_the_beginning_of_more(retriever):
    few = retriever.search(Query("ants"), 5).hits
    assert few == retriever.search(Query("ants"), 30).hits[:5]


@pytest.mark.parametrize("mode", RETRIEVAL_MODES)
@pytest.mark.parametrize("n_wanted", [2**34, 10**40])
def test_more_hits_than_any_table_counts_are_all(retriever, mode, n_wanted):
    every = retriever.search(Query("ants"), retriever.library.count(), mode=mode).hits
    assert retriever.search(Query("ants"), n_wanted, mode=mode).hits == every


@pytest.mark.parametrize("mode", RETRIEVAL_MODES)
def test_letters_and_accents_of_a_query_are_composed(retriever, mode):
    passage = Passage(id="café", text="Cafés à Zürich", title="Zürich", collection="new")
    retriever.library.add([passage], retriever.encoder.encode([passage.text]))
    composed = retriever.search(Query("cafés à Zürich"), top_k=3, mode=mode)
    apart = retriever.search(
        Query(unicodedata.normalize("NFD", "cafés à Zürich")), top_k=3, mode=mode
    )
    assert composed.hits[0].passage.id == "café"
    assert [(one.passage.id, one.score) for one in apart.hits] == [
        (one.passage.id, one.score) for one in composed.hits
    ]


def test_filters(retriever):
    ranking = retriever.search(Query("ants"), collection="old")
    assert {passage.collection for passage in ranking.passages} == {"old"}


def test_an_embedding_that_the_query_carries_is_used(retriever):
    vector = retriever.encoder.encode(["books and maps"])[0]
    query = Query("storms", embedding=vector)
    assert retriever.search(query, 1, "vector").hits[0].passage.title == "books and maps"
    other = Query("storms and rain", context="description", embedding=vector)
    assert retriever.search(other, 1, "vector").hits[0].passage.title == "storms and rain"


def test_nothing_of_a_query_is_kept_on_disk(retriever, tmp_path):
    kept = tmp_path / "kept"
    cached = Retriever(retriever.library, CachedEncoder(retriever.encoder, kept))
    expected = retriever.search(Query("taxes of the war"), 8)
    assert cached.search(Query("taxes of the war"), 8).hits == expected.hits
    assert not kept.exists()


@pytest.mark.parametrize("mode", RETRIEVAL_MODES)
def test_a_query_without_a_match(retriever, mode):
    ranking = retriever.search(Query("😀 zzz"), 5, mode)
    assert ranking.embeddings.shape == (len(ranking.hits), 64)
    assert (len(ranking.hits) == 0) == (mode == "text")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_query_is_refused(retriever, text):
    with pytest.raises(InputError):
        retriever.search(Query(text))


def test_wrong_arguments_are_refused(retriever):
    with raises(InputError, names="fusion, text, vector", mode="hybrid"):
        retriever.search(Query("ants"), mode="hybrid")
    with raises(InputError, top_k=0):
        retriever.search(Query("ants"), top_k=0)


def test_another_encoder_is_refused(retriever):
    with raises(LibraryError, name="books", encoder="hashing", same="books"):
        Retriever(retriever.library, HashingEncoder(32)).search(Query("ants"))


@pytest.mark.parametrize("query", [Query("x" * 2001), Query("x", description="y" * 2001)])
def test_a_question_that_is_too_long_is_refused(query):
    with pytest.raises(InputError):
        check_question(query)
    check_question(Query(query.text[:2000], (query.description or "")[:2000]))


def test_whether_a_library_answers_does_not_hang_on_how_many_hits_are_wanted(
    retriever, monkeypatch
):
    class Dilutes:
        encoder_revision = retriever.encoder.revision

        def estimate(self, question, vector, texts, embeddings, ranks, scores):
            assert len(texts) == len(embeddings) == len(ranks[0]) == len(ranks[1])
            return np.full(len(texts), 0.9 if len(texts) <= 2 else 0.1)

        def answers(self, probabilities, nearest):
            return probabilities.max() > 0.5

    monkeypatch.setattr(searching, "shipped_model", Dilutes)
    monkeypatch.setattr(relevance, "MOST_LEARNED", 2)
    found = retriever.search(Query("taxes of the war"), top_k=8)
    assert len(found.hits) > 2 and found.answered
    assert max(hit.relevance for hit in found.hits) == 0.1


def test_a_title_with_all_words_answers_where_the_models_find_nothing(retriever, monkeypatch):
    """They learnt from long articles; of a dozen records one may be on the subject."""

    class FindsNothing:
        encoder_revision = retriever.encoder.revision

        def estimate(self, question, vector, texts, embeddings, ranks, scores):
            return np.full(len(texts), 0.1)

        def answers(self, probabilities, nearest):
            return False

    monkeypatch.setattr(searching, "shipped_model", FindsNothing)
    found = retriever.search(Query("taxes and wars"), top_k=20)
    assert found.answered
    about = {hit.passage.title for hit in found.hits if hit.relevance > 0.5}
    assert about == {"war and taxes"} < {hit.passage.title for hit in found.hits}
    assert not retriever.search(Query("zebra"), top_k=8).answered
